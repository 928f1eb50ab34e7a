import { type CallerAccess, operationEvents, route, routeAt } from '@portal/contracts';
import { AppError } from '@portal/kernel';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { implement } from '../src/http/implement.ts';
import { startKit, type TestKit } from './kit.ts';

/** Routes that let in several kinds of callers, or the holders of a key, over HTTP. */

const shared = {
  service: 'user',
  method: 'POST',
  summary: '',
  params: z.object({ pid: z.coerce.number<string | number>() }),
  response: z.object({ who: z.string() }),
} as const;

const partner = { kind: 'partner', roles: 16, api: 'doc-browsing' } as const;
const admin = { kind: 'admin', roles: 1 } as const;
const named = <const A extends CallerAccess>(id: string, access: A | readonly A[]) =>
  route({ ...shared, id, path: `/v1/${id}/:pid`, access });

const summary = named('summary', [partner, admin]);
const documents = named('documents', [partner, admin, { kind: 'tenantKey', api: 'doc-browsing' }]);
const keyAlone = named('keyAlone', { kind: 'tenantKey' });
const protocol = named('protocol', { kind: 'tenantKey', bearer: true });
const leaving = route({
  ...shared,
  id: 'leaving',
  path: '/v1/leaving/:pid',
  access: [{ kind: 'partner', roles: 0 }, { kind: 'player' }],
  unlicensed: true,
});
const roles = named('roles', [{ kind: 'partner', roles: 16 }, { kind: 'player' }]);
const installation = route({
  ...shared,
  id: 'installation',
  path: '/v1/installation/:pid',
  access: { kind: 'apiKey' },
});
const ofAdmins = routeAt(summary, {
  id: 'ofAdmins',
  path: '/v1/of-admins/:pid',
  summary: '',
  access: { kind: 'admin', roles: 32 },
  errors: ['E40402'],
});

let kit: TestKit;
beforeAll(async () => {
  kit = await startKit(
    [
      implement([summary, ofAdmins], async (_, { caller }) => ({
        who: caller.kind === 'admin' ? `admin ${caller.adminId}` : `account ${caller.accountId}`,
      })),
      implement(documents, async (_, { caller }) => ({ who: caller.kind })),
      implement(keyAlone, async (_, { caller }) => ({ who: `partner ${caller.partnerId}` })),
      implement(protocol, async (_, { caller }) => ({ who: `partner ${caller.partnerId}` })),
      implement(leaving, async () => ({ who: 'gone' })),
      implement(roles, async (_, { caller }) => ({ who: caller.client })),
      implement(installation, async (_, { caller }) => ({ who: String(caller) })),
    ],
    {
      authority: {
        async contractOf(partnerId) {
          const failure = partnerId === 5 ? 'E40102' : partnerId === 6 ? 'E50301' : undefined;
          if (failure) throw new AppError(failure);
          return {
            contractRank: partnerId === 3 ? 'entry' : 'enterprise',
            licenseExpiredOn: partnerId === 4 ? '2026-11-20T09:00:00Z' : null,
          };
        },
      },
    },
  );
});
afterAll(() => kit.stop());

const answer = async (path: string, shown: { token?: string; key?: string }) => {
  const headers: Record<string, string> = { 'x-agent': 'player/1.0' };
  if (shown.token !== undefined) headers.authorization = `Bearer ${shown.token}`;
  if (shown.key !== undefined) headers['x-api-key'] = shown.key;
  const reply = await kit.fetch(path, { method: 'POST', headers });
  const body = (await reply.json()) as { code?: string; who?: string };
  return [reply.status, body.code ?? body.who];
};

describe('When a route lets in a partner or an administrator', () => {
  test('then each passes by the rules of its own kind', async () => {
    expect(await answer('/v1/summary/1', { token: await kit.portal({ role: 17 }) })).toEqual([
      200,
      'account 7',
    ]);
    expect(await answer('/v1/summary/1', { token: await kit.admin({ role: 1 }) })).toEqual([200, 'admin 7']);
    // The contract is asked of the tenant that calls alone.
    expect(await answer('/v1/summary/3', { token: await kit.admin() })).toEqual([200, 'admin 7']);
  });

  test.each([
    ['no token', 1, async () => undefined, 401, 'E40101'],
    ['a player', 1, () => kit.player(), 403, 'E40301'],
    ['a person without the role', 1, () => kit.portal({ role: 1 }), 403, 'E40301'],
    ["a person with another tenant's id", 2, () => kit.portal(), 404, 'E40402'],
    ['a person whose contract has no such API', 3, () => kit.portal({ role: 16, partner: 3 }), 403, 'E40304'],
    ['an administrator without the role', 1, () => kit.admin({ role: 2 }), 403, 'E40301'],
  ])('then %s is refused as if the route were for that kind alone', async (_, pid, token, status, code) => {
    const shown = await token();
    expect(await answer(`/v1/summary/${pid}`, shown === undefined ? {} : { token: shown })).toEqual([
      status,
      code,
    ]);
  });
});

test('When one kind of a list refuses a caller, then another that fits may let them in', async () => {
  expect(await answer('/v1/roles/1', { token: await kit.player() })).toEqual([200, 'player']);
  expect(await answer('/v1/roles/1', { token: await kit.portal({ role: 1 }) })).toEqual([403, 'E40301']);
  expect(await answer('/v1/roles/2', { token: await kit.player() })).toEqual([404, 'E40402']);
  expect(await answer('/v1/roles/1', { token: await kit.admin() })).toEqual([401, 'E40102']);
});

describe("When a route takes a tenant's own key", () => {
  const key = 'the-key-of-partner-1';
  test('then its app is let in to that tenant, and is known by nothing else', async () => {
    expect(await answer('/v1/documents/1', { key })).toEqual([200, 'tenantKey']);
    expect(await answer('/v1/documents/2', { key })).toEqual([404, 'E40402']);
    expect(await answer('/v1/keyAlone/1', { key })).toEqual([200, 'partner 1']);
    const [entry] = kit.logged.slice(-1).map(({ envelope }) => envelope);
    expect(operationEvents.operationLogged.data.parse(entry?.data)).toMatchObject({
      accountKind: null,
      operation: 'keyAlone',
    });
    expect(entry?.partnerid).toBe(1);
  });

  test('then it may be where a token is elsewhere, and a token of a person is none', async () => {
    expect(await answer('/v1/protocol/1', { token: key })).toEqual([200, 'partner 1']);
    expect(await answer('/v1/protocol/2', { token: key })).toEqual([404, 'E40402']);
    expect(await answer('/v1/protocol/1', { token: 'wrong' })).toEqual([401, 'E40102']);
    expect(await answer('/v1/protocol/1', { token: await kit.portal({ role: 16 }) })).toEqual([
      401,
      'E40102',
    ]);
    expect(await answer('/v1/protocol/1', { key })).toEqual([401, 'E40101']);
  });

  test('then a wrong key is E40033, none is E40101, and a token goes before a key', async () => {
    expect(await answer('/v1/documents/1', { key: 'wrong' })).toEqual([400, 'E40033']);
    expect(await answer('/v1/documents/1', {})).toEqual([401, 'E40101']);
    expect(await answer('/v1/documents/1', { key, token: 'nonsense' })).toEqual([401, 'E40102']);
    expect(await answer('/v1/documents/1', { key: 'wrong', token: await kit.portal({ role: 16 }) })).toEqual([
      200,
      'tenant',
    ]);
    expect(await answer('/v1/keyAlone/1', { token: await kit.portal() })).toEqual([401, 'E40102']);
  });

  test('then it opens no route that does not take keys', async () => {
    expect(await answer('/v1/summary/1', { key })).toEqual([401, 'E40101']);
    expect(await answer('/v1/installation/1', { key })).toEqual([400, 'E40033']);
  });
});

describe('When the licence of a tenant is over', () => {
  const partner = 4;
  test('then its people and players are refused with E40302, also with tokens from before', async () => {
    const portal = await kit.portal({ role: 16, partner });
    expect(await answer('/v1/summary/4', { token: portal })).toEqual([403, 'E40302']);
    expect(await answer('/v1/roles/4', { token: portal })).toEqual([403, 'E40302']);
    expect(await answer('/v1/roles/4', { token: await kit.player({ partner }) })).toEqual([403, 'E40302']);
    // Whatever else would refuse them.
    expect(await answer('/v1/roles/4', { token: await kit.portal({ role: 1, partner }) })).toEqual([
      403,
      'E40302',
    ]);
  });

  test('then they may leave, and learn nothing of other tenants', async () => {
    for (const token of [await kit.portal({ partner }), await kit.player({ partner })])
      expect(await answer('/v1/leaving/4', { token })).toEqual([200, 'gone']);
    expect(await answer('/v1/roles/1', { token: await kit.player({ partner }) })).toEqual([404, 'E40402']);
  });

  test('then administrators still reach it', async () => {
    expect(await answer('/v1/summary/4', { token: await kit.admin() })).toEqual([200, 'admin 7']);
  });

  test('then it is over one day after its date, to the second', async () => {
    const token = await kit.player({ partner });
    kit.clock.set(new Date('2026-11-21T08:59:59Z'));
    expect(await answer('/v1/roles/4', { token })).toEqual([200, 'player']);
    kit.clock.set(new Date('2026-11-21T09:00:00Z'));
    expect(await answer('/v1/roles/4', { token })).toEqual([403, 'E40302']);
  });
});

test('When a tenant is deleted, then its tokens are worth nothing on any call', async () => {
  for (const token of [await kit.portal({ partner: 5 }), await kit.player({ partner: 5 })])
    for (const path of ['/v1/roles/5', '/v1/leaving/5'])
      expect(await answer(path, { token })).toEqual([401, 'E40102']);
});

test('When it is not known whether a tenant is still there, then its people may leave, and nothing else', async () => {
  const token = await kit.player({ partner: 6 });
  expect(await answer('/v1/leaving/6', { token })).toEqual([200, 'gone']);
  expect(await answer('/v1/roles/6', { token })).toEqual([503, 'E50301']);
});

test("When a route is for holders of the installation's key, then the service itself checks it", async () => {
  expect(await answer('/v1/installation/1', { key: 'the-right-api-key' })).toEqual([200, 'undefined']);
  expect(await answer('/v1/installation/1', { key: 'the-right-api-kez' })).toEqual([400, 'E40033']);
  expect(await answer('/v1/installation/1', {})).toEqual([400, 'E40033']);
  expect(await answer('/v1/installation/1', { token: await kit.admin() })).toEqual([400, 'E40033']);
});

test('When a route has another path for other callers, then one handler answers both, each to its own', async () => {
  expect(await answer('/v1/of-admins/1', { token: await kit.admin() })).toEqual([200, 'admin 7']);
  expect(await answer('/v1/of-admins/1', { token: await kit.admin({ role: 1 }) })).toEqual([403, 'E40301']);
  expect(await answer('/v1/of-admins/1', { token: await kit.portal() })).toEqual([401, 'E40102']);
  expect(ofAdmins.errors).toEqual(['E40402']);
  const entries = kit.logged.map(({ envelope }) => operationEvents.operationLogged.data.parse(envelope.data));
  expect(entries.slice(-3).map(({ operation }) => operation)).toEqual(['ofAdmins', 'ofAdmins', 'ofAdmins']);
});
