import { isGuessable } from '@portal/accounts';
import { newPassword } from '@portal/contracts';
import { z } from 'zod';

const days = (count: number) => count * 24 * 3_600_000;
const wholeDays = z.coerce.number().int().min(1).max(3650);

export const config = z
  .object({
    /** 32 bytes in base64 that encrypt the private token keys in the database. */
    KEY_ENCRYPTION_KEY: z
      .string({ error: 'must be 32 bytes in base64' })
      .transform((value) => Buffer.from(value, 'base64'))
      .refine((key) => key.length === 32, { error: 'must be 32 bytes in base64' }),
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
    keyEncryptionKey: env.KEY_ENCRYPTION_KEY,
    keyRotationMs: days(env.KEY_ROTATION_DAYS),
    sessionMs: days(env.SESSION_DAYS),
    rationed: env.RATE_LIMIT === 'on',
    firstAdmin:
      env.DEMO !== '1' && env.ADMIN_EMAIL !== undefined && env.ADMIN_PASSWORD !== undefined
        ? { email: env.ADMIN_EMAIL, password: env.ADMIN_PASSWORD }
        : undefined,
  }));
export type Config = z.output<typeof config>;
