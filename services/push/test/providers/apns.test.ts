import { X509Certificate } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { systemClock } from '@portal/kernel';
import { type Authority, createAuthority, type Identity, startApnsServer } from '@portal/push-stand-in';
import { beforeAll, expect, test } from 'vitest';
import { apnsProvider } from '../../src/providers/apns-provider.ts';
import { type Bench, providerContract, pushTo } from './contract-suite.ts';

const topic = 'com.example.app';
const clock = systemClock();
const never = new AbortController().signal;
let app: Identity;
let authority: Authority;
beforeAll(async () => {
  authority = await createAuthority();
  app = await authority.forApp(topic);
});

/** Each with an authority of its own but the client's, which the first one issued. */
async function start(): Promise<Bench> {
  const own = await createAuthority();
  const client = await own.forApp(topic);
  const taken: Bench['taken'] = [];
  const server = await startApnsServer({
    authority: own,
    onPush: (push) => void taken.push(push),
    conduct: (push) => bench.conduct?.(push),
  });
  const bench: Bench = {
    server,
    taken,
    conduct: undefined,
    create: (settings) =>
      apnsProvider({ ...client, topic }, { clock, url: server.url, ca: own.certificate, ...settings }),
  };
  return bench;
}

providerContract('apns', start, [
  [400, 'BadCollapseId', 'refused'],
  [400, 'BadDeviceToken', 'gone'],
  [400, 'BadExpirationDate', 'refused'],
  [400, 'BadMessageId', 'refused'],
  [400, 'BadPriority', 'refused'],
  [400, 'BadTopic', 'refused'],
  [400, 'DeviceTokenNotForTopic', 'refused'],
  [400, 'DuplicateHeaders', 'refused'],
  [400, 'IdleTimeout', 'later'],
  [400, 'InvalidPushType', 'refused'],
  [400, 'MissingDeviceToken', 'refused'],
  [400, 'MissingTopic', 'refused'],
  [400, 'PayloadEmpty', 'refused'],
  [400, 'TopicDisallowed', 'refused'],
  [403, 'BadCertificate', 'refused'],
  [403, 'BadCertificateEnvironment', 'refused'],
  [403, 'Forbidden', 'refused'],
  [403, 'InvalidProviderToken', 'refused'],
  [403, 'MissingProviderToken', 'refused'],
  [404, 'BadPath', 'refused'],
  [405, 'MethodNotAllowed', 'refused'],
  [410, 'ExpiredToken', 'gone'],
  [410, 'Unregistered', 'gone'],
  [413, 'PayloadTooLarge', 'refused'],
  [429, 'TooManyProviderTokenUpdates', 'later'],
  [429, 'TooManyRequests', 'later'],
  [500, 'InternalServerError', 'later'],
  [503, 'ServiceUnavailable', 'later'],
  [503, 'Shutdown', 'later'],
]);

async function withServer<T>(work: (settings: { url: string; ca: string }) => Promise<T>): Promise<T> {
  const server = await startApnsServer({ authority });
  try {
    return await work({ url: server.url, ca: authority.certificate });
  } finally {
    await server.close();
  }
}

test('A certificate of another app is refused, with the reason of the provider', async () => {
  await withServer(async (settings) => {
    const provider = apnsProvider({ ...app, topic: 'com.example.other' }, { clock, ...settings });
    expect(await provider.send(pushTo(0), never)).toEqual({ kind: 'refused', reason: 'TopicDisallowed' });
    await provider.close();
  });
});

test('A certificate for development is taken as well', async () => {
  await withServer(async (settings) => {
    const forTests = await authority.forApp(topic, { environment: 'development' });
    const provider = apnsProvider({ ...forTests, topic }, { clock, ...settings });
    expect(await provider.send(pushTo(0), never)).toEqual({ kind: 'taken' });
    await provider.close();
  });
});

test('A certificate that is over, by the clock of the product, fails for good', async () => {
  const day = 86_400_000;
  const validTo = new Date(Date.now() + day);
  const ending = await authority.forApp(topic, { validTo });
  await withServer(async (settings) => {
    const now = new X509Certificate(ending.certificate).validToDate;
    for (const [at, outcome] of [
      [new Date(now.getTime() - 1), { kind: 'taken' }],
      [now, { kind: 'refused', reason: 'CertificateExpired' }],
    ] as const) {
      const provider = apnsProvider({ ...ending, topic }, { clock: { now: () => at }, ...settings });
      expect(await provider.send(pushTo(0), never)).toEqual(outcome);
      await provider.close();
    }
  });
});

test('What is no certificate is no name of a file either', async () => {
  const provider = apnsProvider(
    { certificate: fileURLToPath(import.meta.url), privateKey: app.privateKey, topic },
    { clock, url: 'https://127.0.0.1:1' },
  );
  expect(await provider.send(pushTo(0), never)).toEqual({ kind: 'refused', reason: 'CertificateInvalid' });
  await provider.close();
});

test('A token that is no token of APNs is gone, and never a part of an address', async () => {
  await withServer(async (settings) => {
    const provider = apnsProvider({ ...app, topic }, { clock, ...settings });
    const outcome = await provider.send({ ...pushTo(0), token: '../../1/apps/x' }, never);
    expect(outcome).toEqual({ kind: 'gone', reason: 'BadDeviceToken' });
    await provider.close();
  });
});

test('A client that the server does not know is refused by it, and tried again', async () => {
  await withServer(async (settings) => {
    const stranger = await (await createAuthority()).forApp(topic);
    const provider = apnsProvider({ ...stranger, topic }, { clock, ...settings });
    expect((await provider.send(pushTo(0), never)).kind).toBe('later');
    await provider.close();
  });
});
