import { keyEncryptionKey } from '@portal/service-kit';
import { z } from 'zod';

export const config = z
  .object({
    /** 32 bytes in base64 that encrypt the secrets of certifications in the database. */
    KEY_ENCRYPTION_KEY: keyEncryptionKey,
  })
  .transform((env) => ({ keyEncryptionKey: env.KEY_ENCRYPTION_KEY }));
export type Config = z.output<typeof config>;
