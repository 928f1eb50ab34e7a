import { foldCase } from '@portal/contracts';
import { isUniqueViolation } from '@portal/database';
import { AppError, fieldError } from '@portal/kernel';
import type { KeyCipher, SealedColumn } from '@portal/service-kit';
import { operator } from '@portal/storage';
import type { PushDb } from '../../data/db.ts';
import type { Certification } from '../../data/generated/client.ts';
import { firstNoticeMs } from '../domain/certificate-end.ts';
import type { CertificationContent, Certified, Secrets } from '../domain/certification.ts';

export type { Certification };

interface CertificationKey {
  readonly partnerId: number;
  readonly id: number;
}

/** Throws `E40029` on the name when the partner has another of it; `E40032` where the operator has one already. */
export async function insertCertification(
  db: PushDb,
  { name, partnerId }: { readonly partnerId: number; readonly name: string | null },
  content: CertificationContent,
  now: Date,
): Promise<Certification> {
  return uniqueName(name, async () =>
    db.certification.create({
      data: { partnerId, name, nameKey: keyOf(name), ...content, createdAt: now, updatedAt: now },
    }),
  );
}

/** Holds the certification until the transaction ends. Throws `E40401` for one that the partner does not have. */
export async function lockCertification(
  db: PushDb,
  { id, partnerId }: CertificationKey,
): Promise<Certification> {
  await db.$queryRaw`SELECT 1 FROM certifications WHERE partner_id = ${partnerId} AND id = ${id} FOR UPDATE`;
  return found(await db.certification.findUnique({ where: { partnerId_id: { partnerId, id } } }));
}

/** Holds the operator's until the transaction ends. Throws `E40401` where there is none. */
export async function lockOperatorCertification(db: PushDb): Promise<Certification> {
  await db.$queryRaw`SELECT 1 FROM certifications WHERE partner_id = ${operator} FOR UPDATE`;
  return found(await db.certification.findFirst({ where: { partnerId: operator } }));
}

/** Throws `E40029` on the name when the partner has another of it. */
export async function saveCertification(
  db: PushDb,
  { certificate, id, partnerId }: CertificationKey & Pick<Certification, 'certificate'>,
  { content, name }: { readonly content: CertificationContent; readonly name: string | null },
  now: Date,
): Promise<Certification> {
  // The end of another certificate is told anew.
  const untold = content.certificate === certificate ? {} : { endToldDays: null };
  const columns = { name, nameKey: keyOf(name), ...content, ...untold };
  return uniqueName(name, async () =>
    db.certification.update({
      where: { partnerId_id: { partnerId, id } },
      data: { ...columns, revision: { increment: 1 }, updatedAt: now },
    }),
  );
}

/** Of tenants, whose certificates end soon, in the order of their ids from behind `after`. */
export async function findEnding(
  db: PushDb,
  { after, now, take }: { readonly after: number; readonly now: Date; readonly take: number },
): Promise<Certification[]> {
  const latest = new Date(now.getTime() + firstNoticeMs);
  return db.certification.findMany({
    where: {
      id: { gt: after },
      partnerId: { not: operator },
      certificateExpiresAt: { gt: now, lte: latest },
    },
    orderBy: { id: 'asc' },
    take,
  });
}

/** Notes how many days before the end of a certificate it was told. */
export async function saveEndTold(
  db: PushDb,
  { id, partnerId }: CertificationKey,
  endToldDays: number,
): Promise<void> {
  await db.certification.update({ where: { partnerId_id: { partnerId, id } }, data: { endToldDays } });
}

export async function deleteCertificationRows(
  db: PushDb,
  { id, partnerId }: CertificationKey,
): Promise<void> {
  await db.certificationSecret.deleteMany({ where: { partnerId, certificationId: id } });
  await db.certification.delete({ where: { partnerId_id: { partnerId, id } } });
}

export async function saveSecrets(
  db: PushDb,
  cipher: KeyCipher,
  { id, partnerId }: CertificationKey,
  { apiKey, privateKey }: Secrets,
): Promise<void> {
  const sealed = {
    apiKey: apiKey === null ? null : cipher.seal(apiKey, apiKeyOf(id)),
    privateKey: privateKey === null ? null : cipher.seal(privateKey, privateKeyOf(id)),
  };
  await db.certificationSecret.upsert({
    where: { certificationId: id },
    create: { certificationId: id, partnerId, ...sealed },
    update: sealed,
  });
}

/** A certification with its secrets: for a change, and for what sends with it. */
export async function openCertification(
  db: PushDb,
  cipher: KeyCipher,
  certification: Certification,
): Promise<Certified> {
  const { certificate, certificateExpiresAt, certificationFileName, id, partnerId, projectId, topic } =
    certification;
  const sealed = await db.certificationSecret.findFirst({ where: { partnerId, certificationId: id } });
  const { apiKey = null, privateKey = null } = sealed ?? {};
  return {
    content: { certificate, certificateExpiresAt, certificationFileName, projectId, topic },
    // Each is opened where it is read: what takes its place needs it not, also where it cannot be opened any more.
    secrets: {
      get apiKey() {
        return apiKey && cipher.open(apiKey, apiKeyOf(id));
      },
      get privateKey() {
        return privateKey && cipher.open(privateKey, privateKeyOf(id));
      },
    },
  };
}

const apiKeyOf = (id: number) => `api key of certification ${id}`;
const privateKeyOf = (id: number) => `private key of certification ${id}`;

const secrets = { table: 'certification_secrets', key: { certification_id: 'integer' } };
export const sealedSecrets: readonly SealedColumn[] = [
  { ...secrets, column: 'api_key', of: (id) => apiKeyOf(Number(id)) },
  { ...secrets, column: 'private_key', of: (id) => privateKeyOf(Number(id)) },
];

/** The operator's has no name, and is the only one without. */
const keyOf = (name: string | null) => (name === null ? '' : foldCase(name));

function found(certification: Certification | null): Certification {
  if (!certification) throw new AppError('E40401');
  return certification;
}

async function uniqueName<T>(name: string | null, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (isUniqueViolation(error, 'certifications_partner_id_name_key_key'))
      throw name === null ? new AppError('E40032') : fieldError('E40029', 'name', 'notUnique');
    throw error;
  }
}
