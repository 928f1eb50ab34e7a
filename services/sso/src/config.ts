import { keyEncryptionKeys } from '@portal/service-kit';
import { z } from 'zod';

/** What browsers open by themselves, or run, is no app. */
const noApps = [
  'http',
  'https',
  'javascript',
  'data',
  'file',
  'blob',
  'about',
  'ftp',
  'ws',
  'wss',
  'vbscript',
];

const schemes = z
  .string()
  .transform((text) => text.split(',').map((scheme) => scheme.trim().toLowerCase()))
  .refine((all) => all.every((scheme) => /^[a-z][a-z0-9+.-]*$/.test(scheme) && !noApps.includes(scheme)), {
    error: 'must be schemes of apps, separated by commas',
  });

export const config = z
  .object({
    /** Keys of 32 bytes in base64; the first encrypts the keys of tenants in the database. */
    KEY_ENCRYPTION_KEY: keyEncryptionKeys,
    /** What the addresses that identity providers are told begin with. */
    PUBLIC_URL: z
      .url({ protocol: /^https?$/, error: 'PUBLIC_URL must be an http(s) address' })
      .transform((value) => value.replace(/\/$/, ''))
      .default('http://localhost:8080'),
    /** The schemes of addresses of apps to which the codes of sign-ins go, separated by commas. */
    SSO_REDIRECT_SCHEMES: z.string().default('haishin').pipe(schemes),
    DEMO: z.string().default('1'),
  })
  .transform((env) => ({
    keyEncryptionKeys: env.KEY_ENCRYPTION_KEY,
    publicUrl: env.PUBLIC_URL,
    redirectSchemes: env.SSO_REDIRECT_SCHEMES,
    /** The identity provider of a demo may be on the same machine, without encryption. */
    acceptsLoopback: env.DEMO === '1',
  }));
export type Config = z.output<typeof config>;
