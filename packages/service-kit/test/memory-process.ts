import { identityRoutes, route } from '@portal/contracts';
import { AppError, createLogger, systemClock } from '@portal/kernel';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { z } from 'zod';
import { tokenAlgorithm, tokenIssuer } from '../src/auth/tokens.ts';
import { openFront } from '../src/host/front.ts';
import { implement } from '../src/http/implement.ts';
import { buildServer } from '../src/http/server.ts';

/**
 * A server as a process of its own, for the test of its memory: it listens on the given port, and answers each
 * message with the bytes that are resident once all garbage is collected. Its own first message is a token for its calls.
 */

const signedIn = route({
  id: 'signedIn',
  service: 'identity',
  method: 'POST',
  path: '/v1/signed-in',
  summary: '',
  access: { kind: 'anyToken' },
  logged: false,
  body: z.object({ name: z.string().optional() }),
  response: z.object({}),
});

const keys = await generateKeyPair(tokenAlgorithm);
const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'k', alg: tokenAlgorithm };
const token = await new SignJWT({ sid: 's', role: 0, unit: null })
  .setProtectedHeader({ alg: tokenAlgorithm, kid: 'k' })
  .setIssuer(tokenIssuer)
  .setAudience('admin')
  .setSubject('1')
  .setExpirationTime('1h')
  .sign(keys.privateKey);

const app = buildServer({
  implementations: [
    implement({ ...identityRoutes.adminLogin, logged: false }, async () => {
      throw new AppError('E40101');
    }),
    implement(signedIn, async () => ({})),
  ],
  tokens: {
    keys: async () => ({ keys: [jwk] }),
    revocations: {
      has: () => false,
      withRoleOfNow: (caller) => caller,
      loaded: async () => {},
      close: async () => {},
    },
    clock: systemClock(),
  },
  authority: {
    verifyService: () => Promise.reject(new AppError('E40102')),
    isApiKey: () => false,
    tenantOfKey: async () => undefined,
    contractOf: async () => ({ contractRank: 'free', licenseExpiredOn: null }),
    clock: systemClock(),
    unitOf: () => Promise.resolve(1),
  },
  operationLog: { expect() {}, record: async () => {} },
  idempotentReplies: { once: async (_, work) => work(), purge: async () => {} },
  logger: createLogger({ level: 'silent' }),
});
await app.ready();
const front = await openFront({ host: '127.0.0.1', port: Number(process.argv[2]) });
front.serve(app);

process.on('message', () => {
  for (let n = 0; n < 4; n++) globalThis.gc?.();
  process.send?.(process.memoryUsage.rss());
});
process.send?.(token);
