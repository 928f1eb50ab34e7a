import type { EventData, pushEvents } from '@portal/contracts';
import { formatNullableDateTime } from '@portal/contracts';
import { AppError, fieldError } from '@portal/kernel';
import { readPushCertificate } from './push-certificate.ts';
import { type AcceptsTokenUri, readServiceAccount } from './service-account.ts';

/** What a call says of a certification: absent stays, null goes, and an empty text is as good as absent. */
export interface CertificationChange {
  readonly apiKey?: string | null | undefined;
  readonly certificationFileName?: string | null | undefined;
  readonly certificate?: string | null | undefined;
  readonly privateKey?: string | null | undefined;
  readonly certificateDeleteFlag?: boolean | undefined;
}

export interface CertificationContent {
  readonly projectId: string | null;
  readonly certificationFileName: string | null;
  readonly certificate: string | null;
  readonly topic: string | null;
  readonly certificateExpiresAt: Date | null;
}

export interface Secrets {
  readonly apiKey: string | null;
  readonly privateKey: string | null;
}

export interface Certified {
  readonly content: CertificationContent;
  readonly secrets: Secrets;
}

const noCertificate = {
  certificationFileName: null,
  certificate: null,
  topic: null,
  certificateExpiresAt: null,
};
export const uncertified: Certified = {
  content: { projectId: null, ...noCertificate },
  secrets: { apiKey: null, privateKey: null },
};

/**
 * What a certification is after a change.
 * @throws AppError `E40002` on `apiKey` and on `certificate`; `E40030` where nothing is left
 */
export async function changedCertification(
  before: Certified,
  change: CertificationChange,
  acceptsTokenUri: AcceptsTokenUri,
): Promise<Certified> {
  const android = changedAndroid(before, change, acceptsTokenUri);
  const ios = await changedIos(before, change);
  if (android.apiKey === null && ios.content.certificate === null) throw new AppError('E40030');
  return {
    content: { projectId: android.projectId, ...ios.content },
    secrets: { apiKey: android.apiKey, privateKey: ios.privateKey },
  };
}

function changedAndroid(
  { content, secrets }: Certified,
  { apiKey }: CertificationChange,
  acceptsTokenUri: AcceptsTokenUri,
): { apiKey: string | null; projectId: string | null } {
  if (apiKey === null) return { apiKey: null, projectId: null };
  if (isAbsent(apiKey)) return { apiKey: secrets.apiKey, projectId: content.projectId };
  const account = readServiceAccount(apiKey, acceptsTokenUri);
  if (!account) throw fieldError('E40002', 'apiKey', 'serviceAccount');
  return account;
}

async function changedIos(
  { content, secrets }: Certified,
  change: CertificationChange,
): Promise<{ content: Omit<CertificationContent, 'projectId'>; privateKey: string | null }> {
  const { certificateDeleteFlag, certificationFileName } = change;
  const isGiven = !isAbsent(change.certificate ?? undefined) || !isAbsent(change.privateKey ?? undefined);
  const fileName = isAbsent(certificationFileName) ? content.certificationFileName : certificationFileName;
  // A new certificate takes the place of the one that goes.
  if (!isGiven) {
    if (change.certificate === null || certificateDeleteFlag)
      return { content: noCertificate, privateKey: null };
    const stays =
      content.certificate === null ? noCertificate : { ...content, certificationFileName: fileName };
    return { content: withoutProject(stays), privateKey: secrets.privateKey };
  }
  const certificate = change.certificate || content.certificate;
  const privateKey = change.privateKey || secrets.privateKey;
  const read =
    certificate !== null && privateKey !== null && (await readPushCertificate(certificate, privateKey));
  if (!read) throw fieldError('E40002', 'certificate', 'pushCertificate');
  return {
    content: {
      certificationFileName: fileName ?? null,
      certificate: read.certificate,
      topic: read.topic,
      certificateExpiresAt: read.expiresAt,
    },
    privateKey: read.privateKey,
  };
}

function withoutProject(
  content: Omit<CertificationContent, 'projectId'>,
): Omit<CertificationContent, 'projectId'> {
  const { certificate, certificateExpiresAt, certificationFileName, topic } = content;
  return { certificate, certificateExpiresAt, certificationFileName, topic };
}

const isAbsent = (value: string | null | undefined): value is undefined | '' =>
  value === undefined || value === '';

/** What other services are told of a certification. */
export const certificationStateOf = ({
  certificate,
  certificateExpiresAt,
  id,
  name,
  projectId,
  revision,
  topic,
}: CertificationContent & {
  readonly id: number;
  readonly name: string | null;
  readonly revision: number;
}): EventData<typeof pushEvents.certificationCreated> => ({
  certificationId: id,
  revision,
  name,
  android: projectId !== null,
  ios: certificate !== null,
  topic,
  certificateExpiresAt: formatNullableDateTime(certificateExpiresAt),
});
