import { isGuessable } from '@portal/accounts';
import { type IdentityProvider, newPassword } from '@portal/contracts';
import { keyEncryptionKeys } from '@portal/service-kit';
import { z } from 'zod';
import type { ProviderSettings } from './providers/identity-provider.ts';
import type { ProvidersSettings } from './providers/identity-providers.ts';

const days = (count: number) => count * 24 * 3_600_000;
const wholeDays = z.coerce.number().int().min(1).max(3650);

const httpUrl = (name: string) =>
  z
    .url({ protocol: /^https?$/, error: `${name} must be an http(s) address` })
    .transform((value) => value.replace(/\/$/, ''));

const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Whether an issuer may be asked: what goes there in plain text stays on this machine. */
function isSafe(issuer: string, demo: string): boolean {
  const { hostname, protocol } = new URL(issuer);
  return protocol === 'https:' || (demo === '1' && loopback.test(hostname));
}

function providersIn(env: {
  readonly GOOGLE_ISSUER: string;
  readonly GOOGLE_CLIENT_ID?: string | undefined;
  readonly GOOGLE_CLIENT_SECRET?: string | undefined;
  readonly MICROSOFT_ISSUER?: string | undefined;
  readonly MICROSOFT_CLIENT_ID?: string | undefined;
  readonly MICROSOFT_CLIENT_SECRET?: string | undefined;
}): ProvidersSettings {
  const providers = new Map<IdentityProvider, ProviderSettings>();
  if (env.GOOGLE_CLIENT_ID !== undefined) {
    providers.set('google', {
      issuer: env.GOOGLE_ISSUER,
      clientId: env.GOOGLE_CLIENT_ID,
      clientSecret: env.GOOGLE_CLIENT_SECRET,
    });
  }
  if (env.MICROSOFT_CLIENT_ID !== undefined && env.MICROSOFT_ISSUER !== undefined) {
    providers.set('microsoft', {
      issuer: env.MICROSOFT_ISSUER,
      clientId: env.MICROSOFT_CLIENT_ID,
      clientSecret: env.MICROSOFT_CLIENT_SECRET,
    });
  }
  return providers;
}

export const config = z
  .object({
    /** Keys of 32 bytes in base64; the first encrypts the private token keys in the database. */
    KEY_ENCRYPTION_KEY: keyEncryptionKeys,
    /** Days until a new key begins to sign tokens. */
    KEY_ROTATION_DAYS: wholeDays.default(30),
    /** Days after which a session must sign in again, however often its token was refreshed. */
    SESSION_DAYS: wholeDays.default(30),
    /** 1: the administrators come from the demo data. */
    DEMO: z.string().default('1'),
    /** With DEMO=0: the first platform administrator, made once. */
    ADMIN_EMAIL: z.email({ error: 'must be an e-mail address' }).optional(),
    /** Their password. */
    ADMIN_PASSWORD: newPassword.optional(),
    /** off: nobody is held to so many reset mails an hour. */
    RATE_LIMIT: z.enum(['on', 'off'], { error: 'must be on or off' }).default('on'),
    /** What links begin with; identity providers send browsers back to it. */
    PUBLIC_URL: httpUrl('PUBLIC_URL').default('http://localhost:8080'),
    /** Identity providers; one without a client id is not offered. */
    GOOGLE_ISSUER: httpUrl('GOOGLE_ISSUER').default('https://accounts.google.com'),
    GOOGLE_CLIENT_ID: z.string().optional(),
    GOOGLE_CLIENT_SECRET: z.string().optional(),
    MICROSOFT_ISSUER: httpUrl('MICROSOFT_ISSUER').optional(),
    MICROSOFT_CLIENT_ID: z.string().optional(),
    MICROSOFT_CLIENT_SECRET: z.string().optional(),
  })
  .superRefine((env, context) => {
    for (const name of ['GOOGLE_ISSUER', 'MICROSOFT_ISSUER'] as const) {
      if (env[name] === undefined || isSafe(env[name], env.DEMO)) continue;
      const message = 'must be https; http is for loopback with DEMO=1';
      context.addIssue({ code: 'custom', path: [name], message });
    }
  })
  .refine((env) => env.MICROSOFT_CLIENT_ID === undefined || env.MICROSOFT_ISSUER !== undefined, {
    error: 'is given together with MICROSOFT_CLIENT_ID',
    path: ['MICROSOFT_ISSUER'],
  })
  .refine((env) => env.RATE_LIMIT === 'on' || env.DEMO === '1', {
    error: 'off is for DEMO=1 alone',
    path: ['RATE_LIMIT'],
  })
  .refine(
    ({ ADMIN_EMAIL: email, ADMIN_PASSWORD: password }) =>
      email === undefined || password === undefined || !isGuessable(password, { email }),
    { error: 'must be neither widely used nor the address', path: ['ADMIN_PASSWORD'] },
  )
  .refine((env) => (env.ADMIN_EMAIL === undefined) === (env.ADMIN_PASSWORD === undefined), {
    error: 'is given together with ADMIN_PASSWORD',
    path: ['ADMIN_EMAIL'],
  })
  .transform((env) => ({
    keyEncryptionKeys: env.KEY_ENCRYPTION_KEY,
    keyRotationMs: days(env.KEY_ROTATION_DAYS),
    sessionMs: days(env.SESSION_DAYS),
    rationed: env.RATE_LIMIT === 'on',
    publicUrl: env.PUBLIC_URL,
    identityProviders: providersIn(env),
    firstAdmin:
      env.DEMO !== '1' && env.ADMIN_EMAIL !== undefined && env.ADMIN_PASSWORD !== undefined
        ? { email: env.ADMIN_EMAIL, password: env.ADMIN_PASSWORD }
        : undefined,
  }));
export type Config = z.output<typeof config>;
