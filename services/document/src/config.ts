import { documentLimits } from '@portal/contracts';
import { keyEncryptionKeys } from '@portal/service-kit';
import { z } from 'zod';

export const config = z
  .object({
    /** Keys of 32 bytes in base64; the first encrypts the keys of databases. */
    KEY_ENCRYPTION_KEY: keyEncryptionKeys,
    /** Where documents are; empty: in the service's own PostgreSQL database. */
    MONGODB_URL: z
      .string()
      .regex(/^(mongodb(\+srv)?:\/\/.+)?$/, { error: 'must be an address of MongoDB' })
      .default(''),
    /** Bytes of a database that is contracted. */
    DOCUMENT_QUOTA_BYTES: z.coerce
      .number<string>()
      .int()
      .min(1)
      .max(Number.MAX_SAFE_INTEGER)
      .default(documentLimits.contractedQuota),
  })
  .transform((env) => ({
    keyEncryptionKeys: env.KEY_ENCRYPTION_KEY,
    mongodbUrl: env.MONGODB_URL,
    contractedQuota: env.DOCUMENT_QUOTA_BYTES,
  }));
export type Config = z.output<typeof config>;
