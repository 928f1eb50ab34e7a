import { keyEncryptionKey } from '@portal/service-kit';
import { z } from 'zod';

export const config = z
  .object({
    /** 32 bytes in base64 that encrypt the keys of tenants in the database. */
    KEY_ENCRYPTION_KEY: keyEncryptionKey,
    /** What the addresses that identity providers are told begin with. */
    PUBLIC_URL: z
      .url({ protocol: /^https?$/, error: 'PUBLIC_URL must be an http(s) address' })
      .transform((value) => value.replace(/\/$/, ''))
      .default('http://localhost:8080'),
    DEMO: z.string().default('1'),
  })
  .transform((env) => ({
    keyEncryptionKey: env.KEY_ENCRYPTION_KEY,
    publicUrl: env.PUBLIC_URL,
    /** The identity provider of a demo may be on the same machine, without encryption. */
    acceptsLoopback: env.DEMO === '1',
  }));
export type Config = z.output<typeof config>;
