import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  deliveryRoutes,
  documentRoutes,
  fileRoutes,
  identityRoutes,
  noticeRoutes,
  pathsOf,
  type RouteContract,
  route,
  scimRoutes,
  signUpRoutes,
} from '@portal/contracts';
import { createLogger, manualClock } from '@portal/kernel';
import { createInProcessEventBus } from '@portal/messaging';
import { followRevocations, tokenAlgorithm, tokenIssuer } from '@portal/service-kit';
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { buildGateway } from '../src/gateway.ts';
import { createOpenStreams } from '../src/open-streams.ts';
import { createBudgets, defaultRateLimits } from '../src/rate-limits.ts';
import { shareCounts } from '../src/share-counts.ts';

/** Gateways on real ports behind a proxy that they trust, before services that answer as a call's `x-answer` says. */

const clock = manualClock(new Date());
const logger = createLogger({ level: 'silent' });
const bus = createInProcessEventBus({ logger });
const keyed = route({
  service: 'tenant',
  id: 'keyed',
  method: 'GET',
  path: '/v2/keyed',
  access: { kind: 'apiKey' },
  tries: 'failed',
  summary: '',
  response: z.object({}),
});
const signIn = identityRoutes.partnerLogin;
const updateCheck = fileRoutes.listDelivered;
const changePassword = identityRoutes.changePartnerPassword;
const stream = noticeRoutes.followPartnerNotices;
/** Every route that needs neither a token nor a key. */
const seven: readonly RouteContract[] = [
  identityRoutes.adminLogin,
  signIn,
  identityRoutes.sendAdminResetMail,
  identityRoutes.sendPartnerResetMail,
  identityRoutes.checkPasswordLink,
  identityRoutes.resetUserPassword,
  identityRoutes.initUserPassword,
];

/** Fewer where there are many, to be through with them sooner. */
const limits = { ...defaultRateLimits, siteTries: 100, calls: 400 };

let keys: Awaited<ReturnType<typeof generateKeyPair>>;
let jwk: JWK;
let first: string;
let second: string;
/** Calls that the services got. */
let arrived = 0;
const ended = new Set<string>();
const ends: (() => Promise<unknown>)[] = [];

async function startGateway(trustedProxies: readonly string[]) {
  const counts = { budgets: createBudgets(limits, clock), streams: createOpenStreams(clock) };
  const revocations = await followRevocations({
    bus,
    clock,
    read: async () => ({ sessions: [], roles: [] }),
  });
  const app = await buildGateway({
    publicUrl: 'http://localhost:8080',
    routes: [
      ...seven,
      updateCheck,
      changePassword,
      signUpRoutes.signUpTrial,
      signUpRoutes.signUpFree,
      keyed,
      scimRoutes.getScimConfig,
      documentRoutes.listCollections,
      deliveryRoutes.sendReceipt,
      stream,
    ],
    upstream: {
      forward(_contract, request, response) {
        arrived += 1;
        const [status, ms] = String(request.headers['x-answer'] ?? '200').split(' after ');
        // A stream stays open.
        if (status === 'open') return void response.writeHead(200).write(':\n\n');
        const answer = () =>
          response.writeHead(Number(status), { 'content-type': 'application/json' }).end('{}');
        if (ms === undefined) answer();
        else setTimeout(answer, Number(ms));
      },
    },
    tokens: {
      keys: async () => ({ keys: [jwk] }),
      revocations: { ...revocations, has: (id) => ended.has(id) },
      clock,
    },
    apiKeys: { apiKey: 'the-right-api-key', signUpKey: 'the-sign-up-key' },
    storage: async (_request, response) => void response.writeHead(403).end(),
    webDirectory: undefined,
    readiness: {},
    counts,
    clock,
    trustedProxies,
    logger,
  });
  const sharing = await shareCounts({ counts, bus, clock, logger });
  ends.push(async () => {
    await app.close();
    await sharing.close();
    await revocations.close();
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  return { app, origin: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}` };
}

beforeAll(async () => {
  keys = await generateKeyPair(tokenAlgorithm);
  jwk = { ...(await exportJWK(keys.publicKey)), kid: 'k', alg: tokenAlgorithm };
  first = (await startGateway(['127.0.0.1'])).origin;
  second = (await startGateway(['127.0.0.1'])).origin;
});
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});
// Of thousands of keys, now and then one shares the counter of another, which may be at its end: each test has its own time.
beforeEach(() => {
  clock.advance(3_600_000);
});

let addresses = 0;
/** An address that was not used before. */
const newAddress = () => {
  addresses += 1;
  return `198.51.${addresses >> 8}.${addresses & 255}`;
};

async function tokenOf(
  sessionId: string,
  { accountId = 1, kid = 'k', hours = 1, key = keys.privateKey, platform = null as string | null } = {},
) {
  const now = Math.floor(clock.now().getTime() / 1000);
  return new SignJWT({
    sid: sessionId,
    role: 0,
    partner: 9,
    client: 'player',
    platform,
    at: Math.random(),
  })
    .setProtectedHeader({ alg: tokenAlgorithm, kid })
    .setIssuer(tokenIssuer)
    .setAudience('tenant')
    .setSubject(String(accountId))
    .setExpirationTime(now + hours * 3600)
    .sign(key);
}

const call = async (
  { method, ...contract }: RouteContract,
  address: string,
  headers: Record<string, string> = {},
  origin = first,
) =>
  fetch(origin + (pathsOf(contract as RouteContract)[0] ?? ''), {
    method,
    headers: { 'x-forwarded-for': address, ...headers },
  });

const statusOf = async (...args: Parameters<typeof call>) => {
  const reply = await call(...args);
  await reply.arrayBuffer();
  return reply.status;
};
const wrong = { 'x-answer': '401' };
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** How many of each status `count` calls in a row have. */
async function tally(count: number, one: (index: number) => Promise<number>) {
  const statuses: Record<number, number> = {};
  for (let i = 0; i < count; i += 1) {
    const status = await one(i);
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
  return statuses;
}

test('The limits are those of decision 0012', () => {
  expect(defaultRateLimits).toEqual({
    tries: 60,
    siteTries: 600,
    calls: 1_200,
    accountCalls: 12_000,
    pages: 60_000,
    signUps: 10,
    siteSignUps: 100,
  });
});

describe('When companies are signed up from one address', () => {
  const { signUpFree, signUpTrial } = signUpRoutes;

  test('then ten an hour pass, of all calls together and with either key, at all gateways', async () => {
    const address = newAddress();
    const one = async (i: number) =>
      statusOf(i % 2 === 0 ? signUpTrial : signUpFree, address, {
        'x-answer': i === 3 ? '403' : '201',
        'x-api-key': i % 3 === 0 ? 'the-sign-up-key' : 'the-right-api-key',
      });
    expect(await tally(12, one)).toEqual({ 201: 9, 403: 1, 429: 2 });
    const refused = await call(signUpTrial, address, { 'x-api-key': 'the-sign-up-key' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_000);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(3_600);
    expect(await refused.json()).toMatchObject({ code: 'E40001' });
    expect(
      await statusOf(signUpTrial, newAddress(), { 'x-answer': '201', 'x-api-key': 'the-sign-up-key' }),
    ).toBe(201);
    await vi.waitFor(async () => {
      expect(await statusOf(signUpFree, address, { 'x-api-key': 'the-sign-up-key' }, second)).toBe(429);
    }, 10_000);
  });

  test('then one that is refused for its fields, or fails, does not count', async () => {
    const address = newAddress();
    const one = async (i: number) =>
      statusOf(signUpTrial, address, {
        'x-answer': ['400', '404', '503', '201'][i % 4] ?? '201',
        'x-api-key': 'the-sign-up-key',
      });
    expect(await tally(40, one)).toEqual({ 201: 10, 400: 10, 404: 10, 503: 10 });
    expect(await one(3)).toBe(429);
  });

  test('then a site of IPv6 with any number of addresses has as much as ten', async () => {
    const one = async (i: number) => {
      // They are tries as well, of which a site has so many in a minute.
      if (i % 50 === 0) clock.advance(60_000);
      return statusOf(signUpTrial, `2001:db8:7:${i.toString(16)}::1`, {
        'x-answer': i % 2 === 0 ? '400' : '201',
        'x-api-key': 'the-sign-up-key',
      });
    };
    expect(await tally(300, one)).toEqual({ 201: 100, 400: 100, 429: 100 });
    const elsewhere = { 'x-answer': '201', 'x-api-key': 'the-sign-up-key' };
    expect(await statusOf(signUpTrial, '2001:db8:8::1', elsewhere)).toBe(201);
  });

  test('then a call with a wrong key does not count', async () => {
    const address = newAddress();
    const wrong = async () => statusOf(signUpTrial, address, { 'x-api-key': 'wrong' });
    expect(await tally(12, wrong)).toEqual({ 400: 12 });
    expect(await statusOf(signUpTrial, address, { 'x-answer': '201', 'x-api-key': 'the-sign-up-key' })).toBe(
      201,
    );
  });
});

describe('When secrets are tried from one address', () => {
  test('then all routes that could tell share one budget, and others have their own', async () => {
    const address = newAddress();
    // Mails and checks of links answer 200 whether or not there is such an account or link.
    const answers = seven.map(({ tries }) => (tries === 'all' ? '200' : '400'));
    const one = async (i: number) =>
      statusOf(seven[i % 7] ?? signIn, address, { 'x-answer': answers[i % 7] ?? '400' });
    expect(await tally(70, one)).toEqual({ 200: 26, 400: 34, 429: 10 });

    const refused = await call(signIn, address, { 'accept-language': 'en' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect(refused.headers.get('cache-control')).toBe('no-store');
    expect(await refused.json()).toMatchObject({
      code: 'E40001',
      errors: [],
      request_id: expect.any(String),
    });
    expect(await statusOf(signIn, newAddress())).toBe(200);
  });

  test('then API keys, tokens and sign-ins count together', async () => {
    const address = newAddress();
    expect(await tally(20, async () => statusOf(keyed, address, { 'x-api-key': 'guess' }))).toEqual({
      400: 20,
    });
    expect(await tally(20, async () => statusOf(updateCheck, address, bearer('guess')))).toEqual({ 401: 20 });
    expect(await tally(21, async () => statusOf(signIn, address, wrong))).toEqual({ 401: 20, 429: 1 });
    expect(await statusOf(keyed, address, { 'x-api-key': 'guess' })).toBe(429);
    expect(await statusOf(updateCheck, address, bearer('guess'))).toBe(429);
  });

  test('then sixty at once are as many as sixty in a row', async () => {
    const address = newAddress();
    const statuses = await Promise.all(
      Array.from({ length: 70 }, async () => statusOf(signIn, address, { 'x-answer': '401 after 50' })),
    );
    expect(statuses.filter((status) => status === 401)).toHaveLength(60);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
  });

  test('then who goes before the answer has tried', async () => {
    const address = newAddress();
    const leaving = new AbortController();
    const before = arrived;
    const gone = Array.from({ length: 60 }, async () => {
      const request = fetch(`${first}/v2/partner/login`, {
        method: 'POST',
        headers: { 'x-forwarded-for': address, 'x-answer': '200 after 2000' },
        signal: leaving.signal,
      });
      await expect(request).rejects.toThrow();
    });
    await expect.poll(() => arrived - before, { timeout: 10_000 }).toBe(60);
    leaving.abort();
    await Promise.all(gone);
    await expect.poll(async () => statusOf(signIn, address)).toBe(429);
  });

  test('then the next minute brings as many again', async () => {
    const address = newAddress();
    expect(await tally(61, async () => statusOf(signIn, address, wrong))).toEqual({ 401: 60, 429: 1 });
    clock.advance(59_000);
    expect(await statusOf(signIn, address, wrong)).toBe(429);
    clock.advance(1_000);
    expect(await statusOf(signIn, address, wrong)).toBe(401);
  });
});

describe('When an office signs in', () => {
  test('then three hundred who do so rightly from one address are let in, also at once', async () => {
    const address = newAddress();
    const right = Array.from({ length: 300 }, async () =>
      statusOf(signIn, address, { 'x-answer': '200 after 20' }),
    );
    expect(new Set(await Promise.all(right))).toEqual(new Set([200]));
    expect(await tally(61, async () => statusOf(signIn, address, wrong))).toEqual({ 401: 60, 429: 1 });
  });

  test('then a service that is away spends nothing', async () => {
    const address = newAddress();
    expect(await tally(70, async () => statusOf(signIn, address, { 'x-answer': '503' }))).toEqual({
      503: 70,
    });
    expect(await statusOf(signIn, address)).toBe(200);
  });

  test('then sign-ins that succeed are as few as the calls of a session', async () => {
    const address = newAddress();
    for (let i = 0; i < 4; i += 1) {
      const hundred = Array.from({ length: 100 }, async () => statusOf(signIn, address));
      expect(new Set(await Promise.all(hundred))).toEqual(new Set([200]));
    }
    expect(await statusOf(signIn, address)).toBe(429);
  });
});

describe('When somebody is signed in', () => {
  test('then neither the address nor the text of the token makes another budget', async () => {
    const [token, refreshed] = [await tokenOf('one'), await tokenOf('one')];
    expect(refreshed).not.toBe(token);
    const many = async (text: string) =>
      Promise.all(Array.from({ length: 200 }, async () => statusOf(updateCheck, newAddress(), bearer(text))));
    expect(new Set(await many(token))).toEqual(new Set([200]));
    expect(new Set(await many(refreshed))).toEqual(new Set([200]));
    expect(await statusOf(updateCheck, newAddress(), bearer(token))).toBe(429);
    expect(await statusOf(updateCheck, newAddress(), bearer(refreshed))).toBe(429);
    expect(await statusOf(updateCheck, newAddress(), bearer(await tokenOf('another')))).toBe(200);
  });

  test('then many devices behind one address check for updates, whatever others there try', async () => {
    const address = newAddress();
    expect(await tally(61, async () => statusOf(updateCheck, address, bearer('guess')))).toEqual({
      401: 60,
      429: 1,
    });
    const devices = Array.from({ length: 300 }, async (_, i) => {
      const token = await tokenOf(`device ${i}`, { accountId: 100 + i });
      return statusOf(updateCheck, address, bearer(token));
    });
    expect(new Set(await Promise.all(devices))).toEqual(new Set([200]));
  });

  test('then a password that is tried for the account counts with all tries of the address', async () => {
    const address = newAddress();
    const headers = { ...bearer(await tokenOf('guesser')), 'x-answer': '400' };
    const one = async () => statusOf(changePassword, address, headers);
    expect(await tally(61, one)).toEqual({ 400: 60, 429: 1 });
  });
});

describe('When a device sends receipts', () => {
  const { sendReceipt } = deliveryRoutes;
  const tell = async (token: string, origin = first) =>
    statusOf(sendReceipt, newAddress(), bearer(token), origin);

  test('then ten in a row pass, whatever the session, and then one a second', async () => {
    const device = { platform: 'tablet' };
    const [one, again] = [await tokenOf('receipts 1', device), await tokenOf('receipts 2', device)];
    expect(await tally(12, async (i) => tell(i % 2 ? one : again))).toEqual({ 200: 10, 429: 2 });
    const refused = await call(sendReceipt, newAddress(), bearer(one));
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(await refused.json()).toMatchObject({ code: 'E40001' });
    clock.advance(999);
    expect(await tell(one)).toBe(429);
    clock.advance(1);
    expect(await tally(2, async () => tell(one))).toEqual({ 200: 1, 429: 1 });
    clock.advance(3_000);
    expect(await tally(5, async () => tell(again))).toEqual({ 200: 3, 429: 2 });
    clock.advance(60_000);
    expect(await tally(12, async () => tell(one))).toEqual({ 200: 10, 429: 2 });
    // Other calls of it, and other devices of the account, are not kept waiting.
    expect(await statusOf(updateCheck, newAddress(), bearer(one))).toBe(200);
    expect(await tell(await tokenOf('receipts 3', { platform: 'phone' }))).toBe(200);
  });

  test('then what it has sent to one gateway counts with the other', async () => {
    const token = await tokenOf('receipts 4', { platform: 'roaming' });
    expect(await tally(10, async () => tell(token))).toEqual({ 200: 10 });
    // Longer than it takes them to tell each other.
    await sleep(2_100);
    expect(await tally(2, async () => tell(token, second))).toEqual({ 200: 1, 429: 1 });
  });
});

describe('When a token is not good', () => {
  test('then seventy from one address are too many', async () => {
    const stranger = await generateKeyPair(tokenAlgorithm);
    const forged = [
      await tokenOf('x', { key: stranger.privateKey }),
      await tokenOf('x', { kid: 'other', key: stranger.privateKey }),
      'nonsense',
      `${await tokenOf('x')}x`,
    ];
    const address = newAddress();
    const one = async (i: number) => statusOf(updateCheck, address, bearer(forged[i % 4] ?? ''));
    expect(await tally(70, one)).toEqual({ 401: 60, 429: 10 });
  });

  test('then other characters, or far too many, are refused at once and counted', async () => {
    const address = newAddress();
    const token = await tokenOf('tabs');
    const spoilt = [`${token.slice(0, -9)}\t${token.slice(-9)}`, `${token}=`, `${token} a`, 'a'.repeat(3000)];
    const reply = await call(updateCheck, address, bearer(spoilt[0] ?? ''));
    expect([reply.status, ((await reply.json()) as { code: string }).code]).toEqual([401, 'E40102']);
    const one = async (i: number) => statusOf(updateCheck, address, bearer(spoilt[i % 4] ?? ''));
    expect(await tally(60, one)).toEqual({ 401: 59, 429: 1 });
  });

  test('then one that was good once is no try: it is over, its key is gone, or its session has ended', async () => {
    const address = newAddress();
    const retired = await generateKeyPair(tokenAlgorithm);
    ended.add('ended');
    const old = [
      await tokenOf('over', { hours: -1 }),
      await tokenOf('long over', { hours: -100, kid: 'retired', key: retired.privateKey }),
      await tokenOf('ended'),
    ];
    const one = async (i: number) => statusOf(updateCheck, address, bearer(old[i % 3] ?? ''));
    expect(await tally(210, one)).toEqual({ 401: 210 });
    expect(await statusOf(signIn, address)).toBe(200);
  });
});

describe('When addresses are of IPv6', () => {
  test('then those of one /64 are one, and those of a /48 have a limit together', async () => {
    const one = async (i: number) => statusOf(signIn, `2001:db8:1:2::${i.toString(16)}`, wrong);
    expect(await tally(61, one)).toEqual({ 401: 60, 429: 1 });
    expect(await statusOf(signIn, '2001:db8:1:3::1', wrong)).toBe(401);
    const others = Array.from({ length: 100 }, async (_, i) =>
      statusOf(signIn, `2001:db8:1:${(i + 16).toString(16)}::1`, wrong),
    );
    const tried = (await Promise.all(others)).filter((status) => status === 401);
    expect(tried).toHaveLength(100 - 61);
    expect(await statusOf(signIn, '2001:db8:2:3::1', wrong)).toBe(401);
  });

  test('then one that stands for IPv4 is that one, in either form', async () => {
    const one = async (i: number) =>
      statusOf(signIn, ['::ffff:203.0.113.7', '203.0.113.7', '::ffff:cb00:7107'][i % 3] ?? '', wrong);
    expect(await tally(61, one)).toEqual({ 401: 60, 429: 1 });
    expect(await statusOf(signIn, '::ffff:203.0.113.8', wrong)).toBe(401);
  });
});

test('Nobody who is not trusted names an address', async () => {
  const { app } = await startGateway(['10.0.0.0/8']);
  const one = async (i: number) => {
    const reply = await app.inject({
      method: 'POST',
      url: '/v2/partner/login',
      remoteAddress: '203.0.113.3',
      headers: { 'x-forwarded-for': `192.0.2.${i}`, ...wrong },
    });
    return reply.statusCode;
  };
  expect(await tally(61, one)).toEqual({ 401: 60, 429: 1 });
});

test('Pages, documents, objects and unknown addresses spend no tries, and are no way around', async () => {
  const address = newAddress();
  const headers = { 'x-forwarded-for': address };
  const paths = ['/', '/openapi.json', '/healthz', '/storage/a/b', '/v1/unknown'];
  const one = async (i: number) => {
    const reply = await fetch(first + paths[i % 5], { headers });
    // A gateway that closes waits for what nobody has read.
    await reply.arrayBuffer();
    return reply.status;
  };
  expect(await tally(100, one)).toEqual({ 200: 40, 403: 20, 404: 40 });
  expect(await tally(61, async () => statusOf(signIn, address, wrong))).toEqual({ 401: 60, 429: 1 });
  expect(await one(0)).toBe(404);
});

describe('When there are two gateways', () => {
  test('then what is tried with one is tried with the other', async () => {
    const address = newAddress();
    const other = newAddress();
    expect(await tally(30, async () => statusOf(signIn, address, wrong, first))).toEqual({ 401: 30 });
    expect(await tally(60, async () => statusOf(signIn, other, wrong, first))).toEqual({ 401: 60 });
    await expect.poll(async () => statusOf(signIn, other, {}, second), { timeout: 10_000 }).toBe(429);
    const { 401: passed = 0, 429: refused = 0 } = await tally(40, async () =>
      statusOf(signIn, address, wrong, second),
    );
    expect(passed + refused).toBe(40);
    // They tell each other of no less than a tenth of a budget.
    expect(passed).toBeGreaterThanOrEqual(30);
    expect(passed).toBeLessThan(36);
  });

  test('then what they let through together before they knew is taken off the next minutes', async () => {
    const address = newAddress();
    const passed = async () => {
      const tried = [first, second].map(async (origin) =>
        tally(61, async () => statusOf(signIn, address, wrong, origin)),
      );
      return (await Promise.all(tried)).reduce((sum, { 401: some = 0 }) => sum + some, 0);
    };
    const atFirst = await passed();
    expect(atFirst).toBeGreaterThanOrEqual(60);
    expect(atFirst).toBeLessThanOrEqual(120);
    // Longer than it takes them to tell each other.
    await sleep(2_100);
    clock.advance(60_000);
    expect(atFirst + (await passed())).toBeLessThan(200);
  });
});

describe('When a session opens streams of events', () => {
  const opened: AbortController[] = [];
  // A gateway that closes waits for the streams that are still open.
  afterAll(() => {
    for (const leave of opened) leave.abort();
  });
  const openAt = async (token: string, origin: string) => {
    const leave = new AbortController();
    opened.push(leave);
    const reply = await fetch(origin + stream.path, {
      headers: { ...bearer(token), 'x-answer': 'open', 'x-forwarded-for': newAddress() },
      signal: leave.signal,
    });
    return { status: reply.status, wait: reply.headers.get('retry-after'), leave: () => leave.abort() };
  };

  test('then it has three at once, at all gateways together, and a fourth is told when to come again', async () => {
    const token = await tokenOf('streams');
    const [one, two] = [await openAt(token, first), await openAt(token, first)];
    // The other gateway hears of them within a second or so.
    const third = await openAt(token, second);
    expect([one.status, two.status, third.status]).toEqual([200, 200, 200]);
    // Each gateway hears of what the other has.
    for (const origin of [second, first])
      await vi.waitFor(
        async () => {
          const fourth = await openAt(token, origin);
          fourth.leave();
          expect([fourth.status, fourth.wait]).toEqual([429, '30']);
        },
        { timeout: 15_000, interval: 100 },
      );
    expect((await openAt(await tokenOf('other streams'), first)).status).toBe(200);
    one.leave();
    await vi.waitFor(async () => expect((await openAt(token, first)).status).toBe(200), {
      timeout: 15_000,
      interval: 100,
    });
  });

  test('then those of a gateway that is gone are forgotten', () => {
    const streams = createOpenStreams(clock);
    for (const gateway of ['a', 'b', 'c']) streams.learn(gateway, { sessionId: 's', count: 1 });
    expect(streams.open('s')).toBeUndefined();
    clock.advance(91_000);
    const close = streams.open('s');
    expect(streams.untold(false)).toEqual([{ sessionId: 's', count: 1 }]);
    close?.();
    close?.();
    expect(streams.untold(false)).toEqual([{ sessionId: 's', count: 0 }]);
  });
});

describe("The key of a tenant's app", () => {
  const config = scimRoutes.getScimConfig;

  test('counts by itself: one that calls too often keeps no other of its address from calling', async () => {
    const address = newAddress();
    const busy = `busy-${address}`;
    // As many as an account has over all its sessions, more than an address without one.
    const many = limits.calls + 100;
    expect(await tally(many, () => statusOf(config, address, bearer(busy)))).toEqual({ 200: many });
    expect(await statusOf(config, address, bearer(`other-${address}`))).toBe(200);
  });

  test('is a try at a secret where nobody has it', async () => {
    const address = newAddress();
    const guess = (i: number) => statusOf(config, address, { ...bearer(`guess-${address}-${i}`), ...wrong });
    expect(await tally(limits.tries + 3, guess)).toEqual({ 401: limits.tries, 429: 3 });
    expect(await statusOf(config, newAddress(), bearer('another'))).toBe(200);
  });

  test('counts in the same way in X-Api-Key, where a wrong one is answered by 400', async () => {
    const documents = documentRoutes.listCollections;
    const key = (of: string) => ({ 'x-api-key': of });
    const address = newAddress();
    const many = limits.calls + 100;
    expect(await tally(many, () => statusOf(documents, address, key(`busy-${address}`)))).toEqual({
      200: many,
    });
    expect(await statusOf(documents, address, key(`other-${address}`))).toBe(200);
    const another = newAddress();
    const guess = (i: number) =>
      statusOf(documents, another, { ...key(`guess-${another}-${i}`), 'x-answer': '400' });
    expect(await tally(limits.tries + 3, guess)).toEqual({ 400: limits.tries, 429: 3 });
    // One that is good is no guess, whatever its calls are answered.
    const known = newAddress();
    expect(await statusOf(documents, known, key(`known-${known}`))).toBe(200);
    const bad = () => statusOf(documents, known, { ...key(`known-${known}`), 'x-answer': '400' });
    expect(await tally(limits.tries + 3, bad)).toEqual({ 400: limits.tries + 3 });
  });

  test('is not taken for good by a body that is too large for anybody to look at it', async () => {
    const address = newAddress();
    const tooLarge = async (key: string) => {
      const headers = { ...bearer(key), 'x-forwarded-for': address, 'content-length': 1024 ** 3 };
      const sent = httpRequest(first + config.path.replace(':pid', '1'), { method: 'GET', headers });
      sent.flushHeaders();
      const [reply] = (await once(sent, 'response')) as [IncomingMessage];
      sent.destroy();
      return reply.statusCode ?? 0;
    };
    const guess = async (i: number) => {
      const key = `large-${address}-${i}`;
      expect([413, 429]).toContain(await tooLarge(key));
      return statusOf(config, address, { ...bearer(key), ...wrong });
    };
    expect(await tooLarge('first')).toBe(413);
    expect(await tally(limits.tries + 3, guess)).toEqual({ 401: limits.tries, 429: 3 });
  });

  test('is counted by the address of who shows none', async () => {
    const address = newAddress();
    const none = () => statusOf(config, address);
    expect(await tally(limits.calls + 2, none)).toEqual({ 401: limits.calls, 429: 2 });
  });
});
