import { identityRoutes, route } from '@portal/contracts';
import { AppError, createLogger } from '@portal/kernel';
import { z } from 'zod';
import { openFront } from '../src/host/front.ts';
import { implement } from '../src/http/implement.ts';
import { buildServer } from '../src/http/server.ts';

/**
 * A server as a process of its own, for the test of its memory: it listens on the port that it is told, and answers each
 * message with the bytes that are resident once all garbage is collected.
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

const app = buildServer({
  implementations: [
    implement({ ...identityRoutes.adminLogin, logged: false }, async () => {
      throw new AppError('E40101');
    }),
    implement(signedIn, async () => ({})),
  ],
  authority: {
    verifyUser: () => ({
      kind: 'admin',
      adminId: 1,
      role: 0,
      unitId: null,
      sessionId: 's',
      expiresAt: new Date(0),
    }),
    verifyService: () => Promise.reject(new AppError('E40102')),
    rankOf: () => Promise.resolve('free'),
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
process.send?.('ready');
