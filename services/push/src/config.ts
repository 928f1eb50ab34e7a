import { keyEncryptionKey } from '@portal/service-kit';
import { z } from 'zod';

export const config = z
  .object({
    /** 32 bytes in base64 that encrypt the secrets of certifications in the database. */
    KEY_ENCRYPTION_KEY: keyEncryptionKey,
    /** Where pushes for Android go; empty: Google. */
    PUSH_FCM_URL: z.url({ protocol: /^https?$/, error: 'must be an http(s) address' }).optional(),
  })
  .transform((env) => ({ keyEncryptionKey: env.KEY_ENCRYPTION_KEY, fcmUrl: env.PUSH_FCM_URL }));
export type Config = z.output<typeof config>;
