import { readFileSync } from 'node:fs';
import { keyEncryptionKeys } from '@portal/service-kit';
import { z } from 'zod';

const origin = z.url({ protocol: /^https$/, error: 'must be an https address' });

/** The certificates of a file in PEM. */
const certificatesIn = z.string().transform((path, context) => {
  try {
    const text = readFileSync(path, 'utf8');
    if (text.includes('-----BEGIN CERTIFICATE-----')) return text;
  } catch {
    // As of a file that holds none.
  }
  context.addIssue({ code: 'custom', message: 'must be a file with certificates in PEM' });
  return z.NEVER;
});

export const config = z
  .object({
    /** Keys of 32 bytes in base64; the first encrypts the secrets of certifications in the database. */
    KEY_ENCRYPTION_KEY: keyEncryptionKeys,
    /** Where pushes for Android go; empty: Google. */
    PUSH_FCM_URL: origin.optional(),
    /** Where pushes for iOS go; empty: Apple. */
    PUSH_APNS_URL: origin.optional(),
    /** The file of the authorities that vouch for these two. */
    PUSH_CA_FILE: certificatesIn.optional(),
    DEMO: z.string().default('1'),
  })
  .transform((env) => ({
    keyEncryptionKeys: env.KEY_ENCRYPTION_KEY,
    fcmUrl: env.PUSH_FCM_URL,
    apnsUrl: env.PUSH_APNS_URL,
    ca: env.PUSH_CA_FILE,
    /** A demo without providers shows what it would send under /dev/pushbox. */
    showsPushbox: env.DEMO === '1' && env.PUSH_FCM_URL === undefined && env.PUSH_APNS_URL === undefined,
  }));
export type Config = z.output<typeof config>;
