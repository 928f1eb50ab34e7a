import { keyEncryptionKeys } from '@portal/service-kit';
import { z } from 'zod';

export const config = z
  .object({
    /** Keys of 32 bytes in base64; the first encrypts the keys of document databases. */
    KEY_ENCRYPTION_KEY: keyEncryptionKeys,
    /** The unit of companies that sign up without naming one; absent: the unit that was made first. */
    SIGNUP_UNIT_ID: z
      .string()
      .regex(/^[1-9]\d{0,8}$/, { error: 'must be the id of a unit' })
      .transform(Number)
      .optional(),
    /** Where the terms are that people agree to who sign up. */
    TERMS_URL: z.url({ protocol: /^https?$/, error: 'must be an http(s) address' }).optional(),
  })
  .transform((env) => ({
    keyEncryptionKeys: env.KEY_ENCRYPTION_KEY,
    signUpUnitId: env.SIGNUP_UNIT_ID,
    termsUrl: env.TERMS_URL,
  }));
export type Config = z.output<typeof config>;
