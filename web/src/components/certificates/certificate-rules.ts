import {
  type FieldMessageKey,
  fileName,
  limits,
  pushLimits,
  type pushRoutes,
  type RouteReply,
  requiredLine,
  text,
} from '@portal/contracts';
import { z } from 'zod';

export type Certificate = RouteReply<typeof pushRoutes.getOperatorCertification>;
/** What a .p12 file holds, as the server has read it. */
export type ReadP12 = RouteReply<typeof pushRoutes.readP12>;

/** What both forms ask: that of a tenant's certificate and that of the operator's. */
export type CertificateValues = {
  /** Empty where there is but one. */
  name: string;
  keyFile: File | undefined;
  /** Takes the key for Android away. */
  deletesKey: boolean;
  p12: File | undefined;
  p12Password: string;
  /** Of the file that is chosen. */
  pem: ReadP12 | undefined;
  /** Takes the certificate for iOS away. */
  deletesCertificate: boolean;
};

export const emptyCertificate: CertificateValues = {
  name: '',
  keyFile: undefined,
  deletesKey: false,
  p12: undefined,
  p12Password: '',
  pem: undefined,
  deletesCertificate: false,
};

const keyFields = ['type', 'project_id', 'client_email', 'private_key', 'token_uri'] as const;

/** The project of a service account's key; undefined where the text is none. */
export function projectOf(apiKey: string): string | undefined {
  let key: unknown;
  try {
    key = JSON.parse(apiKey);
  } catch {
    return undefined;
  }
  if (typeof key !== 'object' || key === null) return undefined;
  const fields: Readonly<Record<string, unknown>> = { ...key };
  const isWhole = keyFields.every((field) => typeof fields[field] === 'string');
  return isWhole && fields['type'] === 'service_account' ? String(fields['project_id']) : undefined;
}

async function keyFault(file: File): Promise<FieldMessageKey | undefined> {
  // In bytes a text is at least as long as in characters.
  if (file.size > 4 * pushLimits.apiKeyMaxLength) return 'serviceAccount';
  const key = await file.text();
  return key.length <= pushLimits.apiKeyMaxLength && projectOf(key) !== undefined
    ? undefined
    : 'serviceAccount';
}

function p12Fault({ name, size }: File): FieldMessageKey | undefined {
  if (!/\.p12$/i.test(name)) return 'p12Extension';
  if (!fileName.safeParse(name).success) return 'fileName';
  return size > pushLimits.maxP12Size ? 'fileTooLarge' : undefined;
}

const keyFile = z.custom<File | undefined>().superRefine(async (file, context) => {
  const fault = file instanceof File ? await keyFault(file) : undefined;
  if (fault) context.addIssue({ code: 'custom', message: fault });
});

const p12 = z.custom<File | undefined>().superRefine((file, context) => {
  const fault = file instanceof File ? p12Fault(file) : undefined;
  if (fault) context.addIssue({ code: 'custom', message: fault });
});

/** The rules of the form; what `before` has already need not be given again. */
export const certificateSchema = (
  named: boolean,
  before: Pick<Certificate, 'hasApiKey' | 'hasCertificate'> | undefined,
): z.ZodType<CertificateValues, CertificateValues> =>
  z
    .object({
      name: named ? requiredLine(limits.nameMaxLength) : z.string(),
      keyFile,
      deletesKey: z.boolean(),
      p12,
      p12Password: text(pushLimits.p12PasswordMaxLength),
      pem: z.custom<ReadP12 | undefined>(),
      deletesCertificate: z.boolean(),
    })
    .superRefine((values, context) => {
      const hasKey = values.keyFile instanceof File || (before?.hasApiKey && !values.deletesKey);
      const hasCertificate =
        values.p12 instanceof File || (before?.hasCertificate && !values.deletesCertificate);
      if (hasKey || hasCertificate) return;
      for (const path of ['keyFile', 'p12'])
        context.addIssue({ code: 'custom', path: [path], message: 'certificateOrApiKey' });
    });

/** What the calls take of what was chosen. */
export async function certificateBody({ deletesKey, keyFile, p12, pem }: CertificateValues) {
  return {
    ...(keyFile ? { apiKey: await keyFile.text() } : deletesKey && { apiKey: null }),
    ...(p12 &&
      pem && {
        certificationFileName: p12.name,
        certificate: pem.certificate,
        privateKey: pem.privateKey,
      }),
  };
}

/** Of a change; a new certificate takes the place of the one before anyway. */
export const changedCertificateBody = async (values: CertificateValues) => ({
  ...(await certificateBody(values)),
  ...(values.deletesCertificate && !values.p12 && { certificateDeleteFlag: true }),
});
