import { generateKeyPairSync } from 'node:crypto';
import { systemClock } from '@portal/kernel';
import {
  type Conduct,
  createAuthority,
  type FcmOptions,
  type FcmServer,
  startFcmServer,
} from '@portal/push-stand-in';
import { afterEach, describe, expect, test } from 'vitest';
import { fcmProvider } from '../../src/providers/fcm-provider.ts';
import type { PushProvider } from '../../src/providers/provider.ts';
import { type Bench, providerContract, pushTo } from './contract-suite.ts';

const clock = systemClock();
const never = new AbortController().signal;

async function start(): Promise<Bench> {
  const authority = await createAuthority();
  const taken: Bench['taken'] = [];
  const server = await startFcmServer({
    authority,
    onPush: (push) => void taken.push(push),
    conduct: (push) => bench.conduct?.(push),
  });
  const account = await server.addAccount('demo');
  const bench: Bench = {
    server,
    taken,
    conduct: undefined,
    create: (settings) =>
      fcmProvider(account, { clock, url: server.url, ca: authority.certificate, ...settings }),
  };
  return bench;
}

providerContract('fcm', start, [
  [400, 'INVALID_ARGUMENT', 'refused'],
  [401, 'THIRD_PARTY_AUTH_ERROR', 'refused'],
  [403, 'SENDER_ID_MISMATCH', 'refused'],
  [404, 'UNREGISTERED', 'gone'],
  [404, 'UNSPECIFIED_ERROR', 'gone'],
  [429, 'QUOTA_EXCEEDED', 'later'],
  [500, 'INTERNAL', 'later'],
  [503, 'UNAVAILABLE', 'later'],
]);

describe('When FCM asks for a wait', () => {
  const opened: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close();
  });
  const later = async (retryAfter: string) => {
    const at = await start();
    const provider = at.create();
    opened.push(provider, at.server);
    at.conduct = () => ({ kind: 'refuse', status: 429, reason: 'QUOTA_EXCEEDED', retryAfter });
    return provider.send(pushTo(0), never);
  };

  test('then it is told in ms, of seconds or of a date', async () => {
    expect(await later('7')).toEqual({ kind: 'later', reason: 'QUOTA_EXCEEDED', retryAfterMs: 7_000 });
    const of = await later(new Date(Date.now() + 60_000).toUTCString());
    expect(of).toMatchObject({ kind: 'later', retryAfterMs: expect.any(Number) });
    expect('retryAfterMs' in of && of.retryAfterMs).toBeGreaterThan(50_000);
    expect('retryAfterMs' in of && of.retryAfterMs).toBeLessThanOrEqual(60_000);
  });

  test.each(['soon', '-3', 'Mon, 01 Jan 2001 00:00:00 GMT'])('then %j asks for none', async (retryAfter) => {
    expect(await later(retryAfter)).toEqual({ kind: 'later', reason: 'QUOTA_EXCEEDED' });
  });
});

describe('When FCM is asked for a token', () => {
  let server: FcmServer;
  let provider: PushProvider;
  let conduct: (() => Conduct | undefined) | undefined;
  async function open(options: Partial<FcmOptions> = {}, key?: string): Promise<PushProvider> {
    const authority = await createAuthority();
    server = await startFcmServer({ authority, tokenConduct: () => conduct?.(), ...options });
    const account = await server.addAccount('demo');
    provider = fcmProvider(
      { ...account, ...(key !== undefined && { private_key: key }) },
      { clock, url: server.url, ca: authority.certificate, requestMs: 1_000 },
    );
    return provider;
  }
  afterEach(async () => {
    conduct = undefined;
    await provider.close();
    await server.close();
  });

  test('then many pushes at the same time share one', async () => {
    await open();
    await Promise.all(Array.from({ length: 50 }, async (_, n) => provider.send(pushTo(n), never)));
    await provider.send(pushTo(1), never);
    expect(server.tokensGiven()).toBe(1);
  });

  test('then one that has ended is replaced at the next try, once', async () => {
    await open();
    await provider.send(pushTo(0), never);
    server.expireTokens();
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, async (_, n) => provider.send(pushTo(n), never)),
    );
    expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['later']));
    expect(outcomes[0]).toEqual({ kind: 'later', reason: 'UNAUTHENTICATED' });
    const again = await Promise.all(
      Array.from({ length: 20 }, async (_, n) => provider.send(pushTo(n), never)),
    );
    expect(new Set(again.map(({ kind }) => kind))).toEqual(new Set(['taken']));
    expect(server.tokensGiven()).toBe(2);
  });

  test('then a key that is not the account’s is refused for good', async () => {
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    await open({}, privateKey);
    expect(await provider.send(pushTo(0), never)).toEqual({ kind: 'refused', reason: 'invalid_grant' });
    expect(server.tokensGiven()).toBe(0);
  });

  test.each<[Conduct, string]>([
    [{ kind: 'refuse', status: 503, reason: 'temporarily_unavailable' }, 'temporarily_unavailable'],
    [{ kind: 'text', status: 502, body: '<html>' }, 'HTTP 502'],
    [{ kind: 'drop' }, 'ConnectionClosed'],
    [{ kind: 'hang' }, 'Timeout'],
  ])('then %j is tried again later', async (how, reason) => {
    await open();
    conduct = () => how;
    const begun = performance.now();
    const outcome = await provider.send(pushTo(0), never);
    expect(performance.now() - begun).toBeLessThan(20_000);
    expect(outcome.kind).toBe('later');
    expect([reason, 'Timeout']).toContain('reason' in outcome && outcome.reason);
    conduct = undefined;
    await expect.poll(async () => (await provider.send(pushTo(0), never)).kind).toBe('taken');
  });
});
