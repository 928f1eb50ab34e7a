import { identityEvents, userRoleBits } from '@portal/contracts';
import { createLogger, manualClock } from '@portal/kernel';
import { createEvent, createInProcessEventBus, type OutgoingEvent } from '@portal/messaging';
import { freePort } from '@portal/testing/product';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { apiKeyCheck } from '../src/auth/api-key.ts';
import type { Authority } from '../src/auth/authorise.ts';
import { followRevocations } from '../src/auth/revocations.ts';
import { tokenAlgorithm, tokenIssuer } from '../src/auth/tokens.ts';
import { type FrontTimes, frontTimes, openFront } from '../src/host/front.ts';
import type { IdempotentReplies } from '../src/http/idempotency.ts';
import type { Implementation } from '../src/http/implement.ts';
import { createOperationLog } from '../src/http/operation-log.ts';
import { buildServer } from '../src/http/server.ts';

/** The HTTP side of a service on a real port, before clients with real tokens. */
export interface TestKit {
  readonly origin: string;
  readonly port: number;
  /** The operation log. */
  readonly logged: readonly OutgoingEvent[];
  /** The lines of the program's own log. */
  readonly lines: readonly string[];
  readonly clock: ReturnType<typeof manualClock>;
  /** A bearer token; by default of a portal session of partner 1. */
  portal(claims?: object): Promise<string>;
  player(claims?: object): Promise<string>;
  admin(claims?: object): Promise<string>;
  /** Tells of the administrator of these tokens, as after a change. */
  changeAdmin(role: number): Promise<void>;
  fetch(path: string, init?: RequestInit): Promise<Response>;
  stop(): Promise<void>;
}

export async function startKit(
  implementations: readonly Implementation[],
  options: {
    idempotentReplies?: IdempotentReplies;
    authority?: Partial<Omit<Authority, 'verifyUser'>>;
    apiKey?: string;
    times?: FrontTimes;
  } = {},
): Promise<TestKit> {
  const clock = manualClock(new Date('2026-11-21T09:00:00Z'));
  const lines: string[] = [];
  const logger = createLogger({ level: 'info' }, { write: (line) => void lines.push(line) });
  const keys = await generateKeyPair('EdDSA');
  const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'k', alg: tokenAlgorithm };
  const bus = createInProcessEventBus({ logger });
  const revocations = await followRevocations({
    bus,
    clock,
    read: async () => ({ sessions: [], roles: [] }),
  });
  let revision = 0;
  const logged: OutgoingEvent[] = [];
  const app = buildServer({
    implementations,
    tokens: { keys: async () => ({ keys: [jwk] }), revocations, clock },
    authority: {
      verifyService: () => Promise.reject(new Error('No service calls here')),
      isApiKey: apiKeyCheck({ apiKey: options.apiKey ?? 'the-right-api-key', signUpKey: 'the-sign-up-key' }),
      tenantOfKey: async (key) => (key === 'the-key-of-partner-1' ? 1 : undefined),
      contractOf: async () => ({ contractRank: 'enterprise', licenseExpiredOn: null }),
      clock,
      unitOf: async () => 1,
      ...options.authority,
    },
    operationLog: createOperationLog({
      source: 'user',
      clock,
      append: async (events) => void logged.push(...events),
    }),
    idempotentReplies: options.idempotentReplies ?? {
      once: async (_, work) => work(),
      purge: async () => {},
    },
    logger,
  });
  await app.ready();
  const port = await freePort();
  const front = await openFront({ host: '127.0.0.1', port, times: options.times ?? frontTimes });
  front.serve(app);
  const origin = `http://127.0.0.1:${port}`;

  const sign = (audience: string, claims: object) =>
    new SignJWT({ sid: 's', ...claims })
      .setProtectedHeader({ alg: tokenAlgorithm, kid: 'k' })
      .setIssuer(tokenIssuer)
      .setAudience(audience)
      .setSubject('7')
      .setExpirationTime(new Date(clock.now().getTime() + 3_600_000))
      .sign(keys.privateKey);

  return {
    origin,
    port,
    logged,
    lines,
    clock,
    portal: (claims = {}) =>
      sign('tenant', { role: userRoleBits.admin, partner: 1, client: 'portal', platform: null, ...claims }),
    player: (claims = {}) =>
      sign('tenant', { role: 0, partner: 1, client: 'player', platform: 'd', ...claims }),
    admin: (claims = {}) => sign('admin', { role: 127, unit: null, ...claims }),
    async changeAdmin(role) {
      revision += 1;
      const data = { adminId: 7, revision, role, name: 'Name', email: 'name@example.com', unitId: null };
      const told = { subject: '7', partnerId: null, data };
      const { envelope, key, topic } = createEvent(identityEvents.adminUpdated, told, {
        source: 'identity',
        clock,
      });
      await bus.publish(topic, [{ key, envelope }]);
    },
    fetch: (path, init) =>
      fetch(origin + path, { ...init, headers: { 'accept-language': 'en', ...Object(init?.headers) } }),
    async stop() {
      await front.close();
      await app.close();
      await revocations.close();
      await bus.close();
    },
  };
}
