import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { identityEvents, operationEvents, route, userRoleBits } from '@portal/contracts';
import { AppError, createLogger, fieldError, manualClock } from '@portal/kernel';
import { createInProcessEventBus, type OutgoingEvent } from '@portal/messaging';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  createInternalTokens,
  createInternalVerifier,
  type InternalKeys,
} from '../src/auth/internal-tokens.ts';
import { followRevocations } from '../src/auth/revocations.ts';
import { tokenAlgorithm, tokenIssuer } from '../src/auth/tokens.ts';
import { internalKeysOf, publicKeyOf } from '../src/host/internal-keys.ts';
import { implement } from '../src/http/implement.ts';
import { createOperationLog, withExpectedEntry } from '../src/http/operation-log.ts';
import { buildServer } from '../src/http/server.ts';

/** Everything that the kit does before and after a handler, over HTTP, with real tokens. */

const clock = manualClock(new Date('2026-11-21T09:00:00Z'));
const logger = createLogger({ level: 'silent' });
const shared = { service: 'user', summary: '' } as const;

const echo = route({
  ...shared,
  id: 'echo',
  method: 'POST',
  path: '/v1/partner/partners/:pid/echo',
  access: { kind: 'partner', roles: userRoleBits.admin },
  params: z.object({ pid: z.coerce.number<string>() }),
  query: z.object({ orderKey: z.enum(['name', 'id']).default('id') }),
  body: z.object({ loginUserId: z.string().min(1, { error: 'required' }) }),
  status: 201,
  response: z.object({ loginUserId: z.string(), orderKey: z.string() }),
});
const needsApi = route({
  ...shared,
  id: 'needsApi',
  method: 'GET',
  path: '/v1/user/statement',
  access: { kind: 'player', api: 'token' },
  response: z.object({}),
});
const breaks = route({
  ...shared,
  id: 'breaks',
  method: 'GET',
  path: '/v1/breaks',
  access: { kind: 'public' },
  response: z.object({}),
});
const refuses = route({
  ...shared,
  id: 'refuses',
  method: 'DELETE',
  path: '/v1/admin/refuses',
  access: { kind: 'admin', roles: 4 },
  response: z.object({}),
});
const within = route({
  ...shared,
  id: 'within',
  method: 'POST',
  path: '/internal/within',
  access: { kind: 'internal', callers: ['identity'] },
  logged: false,
  response: z.object({}),
});

const signsIn = route({
  ...shared,
  id: 'signsIn',
  method: 'POST',
  path: '/v1/partner/sign-in',
  access: { kind: 'public' },
  body: z.object({ known: z.enum(['account', 'admin', 'nothing', 'tenant']) }),
  response: z.object({}),
});

const changes = route({
  ...shared,
  id: 'changes',
  method: 'POST',
  path: '/v1/partner/partners/:pid/changes',
  access: { kind: 'partner', roles: 0 },
  params: z.object({ pid: z.coerce.number() }),
  body: z.object({ then: z.enum(['fails', 'late', 'succeeds', 'twice']) }),
  response: z.object({}),
});

const makes = route({
  ...shared,
  id: 'makes',
  method: 'POST',
  path: '/v1/partner/partners/:pid/things',
  access: { kind: 'partner', roles: 0 },
  params: z.object({ pid: z.coerce.number() }),
  body: z.object({ then: z.enum(['changes nothing', 'fails', 'makes another', 'succeeds']) }),
  status: 201,
  response: z.object({ id: z.number(), signedUrl: z.string() }),
});

/** The keys of services as each has them: its own, and the public ones of all. */
function servicesWith(seeds: Readonly<Record<string, readonly Buffer[]>>): (service: string) => InternalKeys {
  const known = new Map(Object.entries(seeds).map(([service, own]) => [service, own.map(publicKeyOf)]));
  return (service) => internalKeysOf(service, seeds[service] ?? [], known);
}

async function setUp() {
  const keys = await generateKeyPair('EdDSA', { extractable: true });
  const stranger = await generateKeyPair('EdDSA');
  const keysOf = servicesWith({
    user: [randomBytes(32)],
    identity: [randomBytes(32)],
    file: [randomBytes(32)],
  });
  const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'k1', alg: tokenAlgorithm };
  const bus = createInProcessEventBus({ logger });
  const revocations = await followRevocations({
    bus,
    clock,
    read: async () => ({ sessions: [], roles: [] }),
  });
  const logged: OutgoingEvent[] = [];
  /** What the operation log's database fails with. */
  const outage: { error?: Error } = {};

  /** What was written with changes, one list a change. */
  const written: (readonly OutgoingEvent[])[] = [];
  const change = async <T>(result?: T) =>
    withExpectedEntry(async (also) => {
      written.push(also(result));
      return result;
    });

  const app = buildServer({
    implementations: [
      implement(changes, async ({ body }) => {
        if (body.then === 'late') setTimeout(() => void change(), 20);
        else await change();
        if (body.then === 'twice') await change();
        if (body.then === 'fails') throw new AppError('E40031');
        return {};
      }),
      implement(makes, async ({ body }) => {
        if (body.then === 'changes nothing') return { id: 5, signedUrl: 'secret' };
        await change({ id: body.then === 'makes another' ? 4 : 5, key: 'secret' });
        if (body.then === 'fails') throw new AppError('E40031');
        return { id: 5, signedUrl: 'secret' };
      }),
      implement(signsIn, async ({ body }, { concerns }) => {
        if (body.known !== 'nothing' && body.known !== 'admin') concerns({ kind: 'tenant', partnerId: 3 });
        if (body.known === 'account') concerns({ kind: 'account', id: 8, role: null, partnerId: 3 });
        if (body.known === 'admin') concerns({ kind: 'admin', id: 2, role: 127, unitId: 5 });
        throw new AppError('E40101');
      }),
      implement(echo, async ({ body, query }) => ({ ...body, ...query })),
      implement(needsApi, async () => ({})),
      implement(breaks, async () => {
        throw new TypeError('the password is hunter2');
      }),
      implement(refuses, async () => {
        throw fieldError('E40029', 'loginUserId', 'notUnique');
      }),
      implement(within, async () => ({})),
    ],
    tokens: { keys: async () => ({ keys: [jwk] }), revocations, clock },
    authority: {
      verifyService: createInternalVerifier('user', keysOf('user')),
      isApiKey: () => false,
      tenantOfKey: async () => undefined,
      contractOf: async (partnerId) => ({
        contractRank: partnerId === 3 ? 'entry' : 'enterprise',
        licenseExpiredOn: null,
      }),
      clock,
      unitOf: async (partnerId) => {
        if (partnerId === 9) throw new AppError('E40402');
        return partnerId === 3 ? 5 : 6;
      },
    },
    operationLog: createOperationLog({
      source: 'user',
      clock,
      append: async (events) => {
        if (outage.error) throw outage.error;
        logged.push(...events);
      },
    }),
    idempotentReplies: { once: async (_, work) => work(), purge: async () => {} },
    logger,
  });

  const sign = (audience: string, claims: Record<string, unknown>, key = keys.privateKey) =>
    new SignJWT({ sid: 's1', role: userRoleBits.admin, ...claims })
      .setProtectedHeader({ alg: tokenAlgorithm, kid: 'k1' })
      .setIssuer(tokenIssuer)
      .setAudience(audience)
      .setSubject('7')
      .setExpirationTime(new Date(clock.now().getTime() + 3_600_000))
      .sign(key);
  const portal = (claims = {}) => sign('tenant', { partner: 1, client: 'portal', platform: null, ...claims });

  const send = async (
    method: 'GET' | 'POST' | 'DELETE',
    url: string,
    options: { token?: string; payload?: string; headers?: Record<string, string> } = {},
  ) => {
    const reply = await app.inject({
      method,
      url,
      headers: {
        'accept-language': 'en',
        ...(options.payload === undefined ? {} : { 'content-type': 'application/json' }),
        ...(options.token ? { authorization: `Bearer ${options.token}` } : {}),
        ...options.headers,
      },
      ...(options.payload === undefined ? {} : { payload: options.payload }),
    });
    return { status: reply.statusCode, body: reply.json<Record<string, unknown>>() };
  };
  return { app, bus, keysOf, logged, outage, portal, revocations, send, sign, stranger, written };
}

let kit: Awaited<ReturnType<typeof setUp>>;
beforeAll(async () => {
  kit = await setUp();
});
beforeEach(() => {
  kit.logged.length = 0;
});

const echoUrl = '/v1/partner/partners/1/echo';
const good = JSON.stringify({ login_user_id: 'taro' });

describe('When a call is right', () => {
  test('then names are camelCase inside, snake_case outside, under every version, with a slash at the end or without', async () => {
    const token = await kit.portal();
    for (const url of [
      echoUrl,
      `${echoUrl}/`,
      '/v2/partner/partners/1/echo',
      '/v2/partner/partners/1/echo/',
    ]) {
      const reply = await kit.send('POST', `${url}?order_key=name`, { token, payload: good });
      expect(reply).toEqual({ status: 201, body: { login_user_id: 'taro', order_key: 'name' } });
    }
  });
  test('then an empty query value is the same as an absent one', async () => {
    const reply = await kit.send('POST', `${echoUrl}?order_key=`, {
      token: await kit.portal(),
      payload: good,
    });
    expect(reply.body.order_key).toBe('id');
  });
});

describe('When the body is wrong', () => {
  test.each([
    ['{', 400, 'E40001'],
    ['[]', 400, 'E40001'],
    ['"x"', 400, 'E40001'],
    [`{"login_user_id":${'['.repeat(3000)}${']'.repeat(3000)}}`, 400, 'E40001'],
    [`{"login_user_id":${'{"a":'.repeat(3000)}1${'}'.repeat(3000)}}`, 400, 'E40001'],
    ['{"__proto__":{"admin":1},"login_user_id":"x"}', 400, 'E40001'],
    ['{}', 400, 'E40003'],
    ['{"login_user_id":5}', 400, 'E40002'],
    [JSON.stringify({ login_user_id: 'x'.repeat(1024 * 1024) }), 413, 'E40001'],
  ])('then %.30s answers %i %s', async (payload, status, code) => {
    const reply = await kit.send('POST', echoUrl, { token: await kit.portal(), payload });
    expect([reply.status, reply.body.code]).toEqual([status, code]);
  });
  test('then the error names the field as on the wire, in the requested language', async () => {
    const token = await kit.portal();
    const english = await kit.send('POST', echoUrl, { token, payload: '{}' });
    expect(english.body.errors).toEqual([{ field: 'login_user_id', message: 'This field is required.' }]);
    const japanese = await kit.send('POST', echoUrl, {
      token,
      payload: '{}',
      headers: { 'accept-language': 'ja' },
    });
    expect(japanese.body.errors).toEqual([{ field: 'login_user_id', message: '入力してください。' }]);
  });
  test('then an unknown sort key is refused', async () => {
    const reply = await kit.send('POST', `${echoUrl}?order_key=__proto__`, {
      token: await kit.portal(),
      payload: good,
    });
    expect([reply.status, reply.body.code]).toEqual([400, 'E40002']);
    expect(reply.body.errors).toMatchObject([{ field: 'order_key' }]);
  });
});

describe('When a body is larger than its route takes', () => {
  const large = (bytes: number) => `{"known":"nothing"${' '.repeat(bytes - 19)}}`;
  test('then it is refused, sooner where nobody has a token', async () => {
    const signIn = async (bytes: number, headers = {}) =>
      (await kit.send('POST', signsIn.path, { payload: large(bytes), headers })).status;
    expect(await signIn(65_536)).toBe(401);
    expect(await signIn(65_537)).toBe(413);
    expect(await signIn(65_537, { authorization: `Bearer ${await kit.portal()}` })).toBe(413);
    expect(await signIn(65_537, { authorization: 'Bearer nonsense' })).toBe(413);
  });
  test('then a bad token is refused before anything of the body is read', async () => {
    const options = { payload: large(2_000_000) };
    const bad = await kit.send('POST', echoUrl, { ...options, token: 'nonsense' });
    expect([bad.status, bad.body.code]).toEqual([401, 'E40102']);
    const none = await kit.send('POST', echoUrl, options);
    expect([none.status, none.body.code]).toEqual([401, 'E40101']);
    const good = await kit.send('POST', echoUrl, { ...options, token: await kit.portal() });
    expect([good.status, good.body.code]).toEqual([413, 'E40001']);
  });
  test('then an address that does not exist takes none either', async () => {
    const reply = await kit.send('POST', '/v1/nowhere', { payload: large(65_537) });
    expect([413, 404]).toContain(reply.status);
  });
});

describe('When the address is none', () => {
  test.each([
    ['/%zz', 400, 'E40001'],
    [`/v1/partner/partners/${'1'.repeat(600)}/echo`, 404, 'E40401'],
    ['/v1/partner/partners/%ff/echo', 400, 'E40001'],
  ])('as in %.30s, then the refusal is as any other', async (url, status, code) => {
    const reply = await kit.send('POST', url, { token: await kit.portal(), payload: good });
    expect(reply).toEqual({
      status,
      body: { code, message: expect.any(String), errors: [], request_id: expect.any(String) },
    });
  });
});

describe('When the caller may not', () => {
  test('then a token that is longer than any is not looked at', async () => {
    const reply = await kit.send('POST', echoUrl, { token: 'x'.repeat(5_000), payload: good });
    expect([reply.status, reply.body.code]).toEqual([401, 'E40102']);
  });
  const status = async (token: string | undefined, url = echoUrl, headers = {}) => {
    const reply = await kit.send('POST', url, { ...(token ? { token } : {}), payload: good, headers });
    return [reply.status, reply.body.code];
  };
  test('then nobody, a forger and a broken header are turned away', async () => {
    expect(await status(undefined)).toEqual([401, 'E40101']);
    expect(await status('nonsense')).toEqual([401, 'E40102']);
    expect(await status(undefined, echoUrl, { authorization: 'Basic eDp5' })).toEqual([401, 'E40102']);
    const whole = await kit.portal();
    for (const spoilt of [`${whole.slice(0, -9)}\t${whole.slice(-9)}`, `${whole}=`, `${whole} x`]) {
      expect(await status(spoilt)).toEqual([401, 'E40102']);
    }
    expect(await status('x'.repeat(3000))).toEqual([401, 'E40102']);
    const forged = await kit.sign(
      'tenant',
      { partner: 1, client: 'portal', platform: null },
      kit.stranger.privateKey,
    );
    expect(await status(forged)).toEqual([401, 'E40102']);
    const [head, body] = (await kit.portal()).split('.');
    expect(await status(`${head}.${body}.`)).toEqual([401, 'E40102']);
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${body}.`;
    expect(await status(none)).toEqual([401, 'E40102']);
  });
  test("then an administrator's token is another audience", async () => {
    expect(await status(await kit.sign('admin', { role: 127, unit: null }))).toEqual([401, 'E40102']);
  });
  test('then a player and a role without the bit are forbidden', async () => {
    expect(await status(await kit.portal({ client: 'player', platform: 'd1' }))).toEqual([403, 'E40301']);
    expect(await status(await kit.portal({ role: userRoleBits.developer }))).toEqual([403, 'E40301']);
  });
  test("then another tenant's id does not exist, and what is no id is no address", async () => {
    expect(await status(await kit.portal(), '/v1/partner/partners/2/echo')).toEqual([404, 'E40402']);
    expect(await status(await kit.portal(), '/v1/partner/partners/x/echo')).toEqual([404, 'E40401']);
    expect(await status(await kit.portal(), '/v1/partner/partners/0/echo')).toEqual([404, 'E40401']);
  });
  test('then the contract of the tenant decides on its APIs, and a player names its agent', async () => {
    const call = async (partner: number, agent: string | undefined) => {
      const token = await kit.portal({ client: 'player', platform: 'd1', partner });
      const reply = await kit.send('GET', needsApi.path, {
        token,
        headers: agent ? { 'x-agent': agent } : {},
      });
      return [reply.status, reply.body.code];
    };
    expect(await call(1, 'player/1.0')).toEqual([200, undefined]);
    expect(await call(3, 'player/1.0')).toEqual([403, 'E40304']);
    expect(await call(1, undefined)).toEqual([400, 'E40005']);
    expect(await call(1, 'no version')).toEqual([400, 'E40005']);
  });
  test('then a token is refused from the moment that its session is revoked, and when it is over', async () => {
    const token = await kit.portal({ sid: 'ended' });
    expect(await status(token)).toEqual([201, undefined]);
    const data = {
      sessionId: 'ended',
      accountKind: 'account',
      accountId: 7,
      expiresAt: '2026-11-21T10:00:00Z',
    };
    await kit.bus.publish('portal.identity', [
      {
        key: 'ended',
        envelope: {
          specversion: '1.0',
          id: '019a9f0e-5a3e-7c41-8a53-1f2d3c4b5a69',
          source: 'identity',
          type: identityEvents.sessionRevoked.type,
          subject: 'ended',
          time: clock.now().toISOString(),
          partnerid: 1,
          datacontenttype: 'application/json',
          dataschema: 'urn:x',
          data,
        },
      },
    ]);
    expect(await status(token)).toEqual([401, 'E40102']);
    const other = await kit.portal({ sid: 'over' });
    expect(await status(other)).toEqual([201, undefined]);
    clock.advance(3_600_000);
    expect(await status(other)).toEqual([401, 'E40102']);
  });
});

describe('When a service calls another', () => {
  test('then only the named caller passes, and no user does', async () => {
    const call = async (token: string) => (await kit.send('POST', within.path, { token })).status;
    expect(await call(createInternalTokens('identity', kit.keysOf('identity'))('user'))).toBe(200);
    expect(await call(createInternalTokens('file', kit.keysOf('file'))('user'))).toBe(403);
    expect(await call(createInternalTokens('identity', kit.keysOf('identity'))('tenant'))).toBe(401);
    expect(await call(await kit.portal())).toBe(401);
  });

  test('then it cannot sign as another, not even as the one that it calls', async () => {
    const call = async (token: string) => (await kit.send('POST', within.path, { token })).status;
    expect(await call(createInternalTokens('identity', kit.keysOf('file'))('user'))).toBe(401);
    expect(await call(createInternalTokens('identity', kit.keysOf('user'))('user'))).toBe(401);
    expect(await call(createInternalTokens('stranger', kit.keysOf('identity'))('user'))).toBe(401);
    expect(await call('no.token.atall')).toBe(401);
  });

  test('then a token that was good before is refused once it is over', async () => {
    const verify = createInternalVerifier('user', kit.keysOf('user'));
    const signed = async (secondsFromNow: number) =>
      new SignJWT()
        .setProtectedHeader({ alg: 'EdDSA' })
        .setIssuer('identity')
        .setAudience('user')
        .setExpirationTime(Math.floor(Date.now() / 1000) + secondsFromNow)
        .sign(kit.keysOf('identity').privateKey);
    // Clocks may differ by half a minute: it has one to two seconds left.
    const token = await signed(-28);
    expect([await verify(token), await verify(token)]).toEqual(['identity', 'identity']);
    await sleep(2_100);
    await expect(verify(token)).rejects.toMatchObject({ code: 'E40102' });
    await expect(verify(await signed(-31))).rejects.toMatchObject({ code: 'E40102' });
  });

  test('then a key that is being exchanged is still good, and one that never was is not', async () => {
    const [old, next] = [randomBytes(32), randomBytes(32)];
    const user = [randomBytes(32)];
    const token = createInternalTokens('identity', servicesWith({ identity: [old] })('identity'))('user');
    const verifierOf = (identity: readonly Buffer[]) =>
      createInternalVerifier('user', servicesWith({ user, identity })('user'));
    const verify = verifierOf([next, old]);
    expect([await verify(token), await verify(token)]).toEqual(['identity', 'identity']);
    await expect(verifierOf([next])(token)).rejects.toMatchObject({ code: 'E40102' });
  });
});

describe('When something breaks', () => {
  test('then the answer is E50001 and tells nothing', async () => {
    const reply = await kit.send('GET', breaks.path);
    expect([reply.status, reply.body.code]).toEqual([500, 'E50001']);
    expect(JSON.stringify(reply.body)).not.toContain('hunter2');
  });
  test('then an unknown path and a wrong method answer E40401', async () => {
    expect((await kit.send('GET', '/v1/nowhere')).body.code).toBe('E40401');
    expect((await kit.send('GET', echoUrl, { token: await kit.portal() })).body.code).toBe('E40401');
  });
});

describe('When a call changes something', () => {
  test('then it is refused when it cannot be logged, and a refusal stays what it is', async () => {
    kit.outage.error = new AppError('E50301');
    try {
      const granted = await kit.send('POST', echoUrl, { token: await kit.portal(), payload: good });
      const admin = await kit.sign('admin', { role: 7, unit: null });
      const refused = await kit.send('DELETE', refuses.path, { token: admin });
      expect([granted.status, granted.body]).toMatchObject([503, { code: 'E50301', errors: [] }]);
      expect([refused.status, refused.body]).toMatchObject([400, { code: 'E40029' }]);
    } finally {
      delete kit.outage.error;
    }
  });

  test('then it is logged with its result, whatever that is', async () => {
    await kit.send('POST', echoUrl, { token: await kit.portal(), payload: good });
    const admin = await kit.sign('admin', { role: 7, unit: null });
    const refused = await kit.send('DELETE', refuses.path, { token: admin });
    expect(refused.body.errors).toEqual([{ field: 'login_user_id', message: 'It is already in use.' }]);
    const entries = kit.logged.map(({ envelope }) =>
      operationEvents.operationLogged.data.parse(envelope.data),
    );
    expect(entries).toMatchObject([
      { operation: 'echo', accountKind: 'account', accountId: 7, target: echoUrl, result: '201' },
      { operation: 'refuses', accountKind: 'admin', result: 'E40029' },
    ]);
    expect(entries[1]).not.toHaveProperty('unitId');
  });

  test('then one that is not allowed is logged with who tried, in their own tenant', async () => {
    kit.logged.splice(0);
    const developer = await kit.portal({ role: userRoleBits.developer });
    await kit.send('POST', echoUrl, { token: developer, payload: good });
    const others = echoUrl.replace('partners/1/', 'partners/2/');
    await kit.send('POST', others, { token: await kit.portal(), payload: good });
    await kit.send('POST', echoUrl, {
      token: await kit.sign('admin', { role: 7, unit: null }),
      payload: good,
    });
    expect(kit.logged.map(({ envelope }) => envelope)).toMatchObject([
      {
        partnerid: 1,
        data: { accountId: 7, role: userRoleBits.developer, target: echoUrl, result: 'E40301' },
      },
      { partnerid: 1, data: { accountId: 7, target: others, result: 'E40402' } },
      { partnerid: null, data: { accountKind: 'admin', target: echoUrl, result: 'E40102' } },
    ]);
  });

  test('then the log has the ids in its body', async () => {
    kit.logged.splice(0);
    const payload = JSON.stringify({ login_user_id: 'taro', ids: [3, 'x', 2 ** 60, 12] });
    await kit.send('POST', echoUrl, { token: await kit.portal(), payload });
    expect(kit.logged.map(({ envelope }) => envelope.data)).toMatchObject([
      { target: `${echoUrl}?ids=3,12` },
    ]);
  });

  test('then the log has the name in its body, as PostgreSQL can store it', async () => {
    kit.logged.splice(0);
    const payload = JSON.stringify({ login_user_id: 'taro', name: `\ud800A\0${'x'.repeat(497)}😀` });
    await kit.send('POST', echoUrl, { token: await kit.portal(), payload });
    expect(kit.logged.map(({ envelope }) => envelope.data)).toMatchObject([
      { targetName: `\ufffdA${'x'.repeat(497)}` },
    ]);
  });

  test('then the log has the import in its body', async () => {
    kit.logged.splice(0);
    const payload = JSON.stringify({ login_user_id: 'taro', batch_process_id: 17 });
    await kit.send('POST', echoUrl, { token: await kit.portal(), payload });
    expect(kit.logged.map(({ envelope }) => envelope.data)).toMatchObject([{ target: `${echoUrl}?id=17` }]);
  });

  test('then the log has all the ids that fit, none of them cut', async () => {
    kit.logged.splice(0);
    const ids = Array.from({ length: 1_000 }, (_, i) => 2_147_483_000 - i);
    const payload = JSON.stringify({ login_user_id: 'taro', ids });
    await kit.send('POST', echoUrl, { token: await kit.portal(), payload });
    expect(kit.logged.map(({ envelope }) => envelope.data)).toMatchObject([
      { target: `${echoUrl}?ids=${ids.join()}` },
    ]);
  });

  test('then that of an administrator of a unit names the unit, and no tenant', async () => {
    kit.logged.splice(0);
    const admin = await kit.sign('admin', { role: 7, unit: 5 });
    await kit.send('DELETE', refuses.path, { token: admin });
    const [entry] = kit.logged.map(({ envelope }) => envelope);
    expect(entry).toMatchObject({ partnerid: null, data: { accountKind: 'admin', unitId: 5 } });
  });
});

describe('When a call without a caller is refused', () => {
  const nobody = { accountKind: null, accountId: null, role: null };
  test.each([
    ['nothing', null, nobody],
    ['tenant', 3, nobody],
    ['account', 3, { accountKind: 'account', accountId: 8, role: null }],
    ['admin', null, { accountKind: 'admin', accountId: 2, role: 127, unitId: 5 }],
  ])('then its log tells what is known of whom it was about: %s', async (known, partnerid, who) => {
    await kit.send('POST', signsIn.path, { payload: JSON.stringify({ known }) });
    expect(kit.logged.map(({ envelope }) => envelope)).toMatchObject([
      { partnerid, data: { ...who, operation: 'signsIn', result: 'E40101' } },
    ]);
  });
});

describe('When a call changes something in a transaction', () => {
  const url = '/v1/partner/partners/1/changes';
  const make = async (then: string, to = url) => {
    kit.logged.splice(0);
    kit.written.splice(0);
    const token = await kit.portal();
    const { status } = await kit.send('POST', to, { token, payload: JSON.stringify({ then }) });
    await new Promise((resolve) => setTimeout(resolve, 40));
    const dataOf = ({ envelope }: OutgoingEvent) => operationEvents.operationLogged.data.parse(envelope.data);
    return {
      status,
      with: kit.written.map((events) => events.map(dataOf)),
      ids: kit.written.flat().map(({ envelope }) => envelope.id),
      alone: kit.logged.map(dataOf),
    };
  };

  test('then its log goes with the first change, and nowhere else', async () => {
    const made = await make('twice');
    expect(made.with).toMatchObject([[{ operation: 'changes', accountId: 7, result: '200' }], []]);
    expect(made.alone).toEqual([]);
  });

  test('and fails after all, then the same entry gets its result', async () => {
    const made = await make('fails');
    expect(made.status).toBe(400);
    const [[first] = []] = made.with;
    expect(made.alone).toMatchObject([{ result: 'E40031', at: first?.at, supersedes: made.ids[0] }]);
  });

  test('and goes on after its answer, then it is logged once, before the answer', async () => {
    const made = await make('late');
    expect(made.alone).toMatchObject([{ result: '200' }]);
    expect(made.with).toEqual([[]]);
  });

  const things = '/v1/partner/partners/1/things';

  test('and makes something, then its log names it, with the change, and nothing else of the answer', async () => {
    const made = await make('succeeds', things);
    expect(made.with).toMatchObject([[{ operation: 'makes', target: `${things}?id=5`, result: '201' }]]);
    expect(made.alone).toEqual([]);
    expect(JSON.stringify(made)).not.toContain('secret');
  });

  test('and makes what only its answer names, then the log has that id', async () => {
    const other = await make('makes another', things);
    expect(other.alone).toMatchObject([{ target: `${things}?id=5`, supersedes: other.ids[0] }]);
    const without = await make('changes nothing', things);
    expect(without.alone).toMatchObject([{ target: `${things}?id=5`, result: '201' }]);
    expect(JSON.stringify([other, without])).not.toContain('secret');
  });

  test('and fails to make anything, then its log names none', async () => {
    const made = await make('fails', things);
    expect(made.alone).toMatchObject([{ target: things, result: 'E40031', supersedes: made.ids[0] }]);
  });
});

test('An AppError has the status of its code', () => {
  expect(new AppError('E40405').status).toBe(404);
});
