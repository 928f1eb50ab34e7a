import { identityRoutes, sessionRoutes } from '@portal/contracts';
import { recordSessionUses } from '@portal/contracts/internal';
import { type ServiceHarness, startServiceHarness } from '@portal/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { identityService } from '../src/service.ts';
import { bearer, sessionOf, signIns } from './calls.ts';
import { password, peers } from './peers.ts';

let harness: ServiceHarness;
const { admin, outcome, player, portal } = signIns(() => harness);

const minute = 60_000;
const chrome = 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36';

beforeAll(async () => {
  const env = { DEMO: '0', ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: password };
  harness = await startServiceHarness(identityService, { peers: peers(), env });
});
beforeEach(async () => {
  await harness.sql('DELETE FROM sessions');
  await harness.sql('DELETE FROM preferences');
});
afterAll(async () => harness.stop());

const loginFrom = async (agent: string, address: string) => {
  const { body } = await harness.call(identityRoutes.partnerLogin, {
    body: { partnerCode: '1000', email: 'partner@example.com', password },
    headers: { 'x-agent': agent, 'x-forwarded-for': address },
  });
  return body.accessToken;
};
const sessions = async (token: string) => {
  const { body, status } = await harness.call(sessionRoutes.listPartnerSessions, { headers: bearer(token) });
  expect(status).toBe(200);
  return body.sessions;
};
/** As the gateway tells it. */
const use = async (at: Date, ...tokens: string[]) =>
  harness.callAs('gateway', recordSessionUses, {
    body: { at: at.toISOString(), sessionIds: tokens.map(sessionOf) },
  });

describe('When somebody lists their sessions', () => {
  it('then each tells its browser or client, its address and when it was used, this one first', async () => {
    const begun = harness.clock.now();
    const first = await loginFrom(chrome, '203.0.113.7');
    harness.clock.advance(minute);
    const second = await loginFrom('other-client/2.0', '198.51.100.1');
    harness.clock.advance(minute);
    const third = await loginFrom('curl/8', '198.51.100.2');
    const at = (minutes: number) =>
      `${new Date(begun.getTime() + minutes * minute).toISOString().slice(0, 19)}Z`;
    expect(await sessions(first)).toEqual([
      {
        id: sessionOf(first),
        current: true,
        kind: 'portal',
        agent: 'Chrome, Windows',
        address: '203.0.113.7',
        createdAt: at(0),
        lastUsedAt: at(0),
      },
      {
        id: sessionOf(third),
        current: false,
        kind: 'portal',
        agent: 'curl/8',
        address: '198.51.100.2',
        createdAt: at(2),
        lastUsedAt: at(2),
      },
      {
        id: sessionOf(second),
        current: false,
        kind: 'portal',
        agent: 'other-client/2.0',
        address: '198.51.100.1',
        createdAt: at(1),
        lastUsedAt: at(1),
      },
    ]);
    await use(new Date(begun.getTime() + 5 * minute), second, first);
    // What comes late takes nothing back.
    await use(new Date(begun.getTime() + 4 * minute), second, third);
    expect((await sessions(first)).map(({ id, lastUsedAt }) => [id, lastUsedAt])).toEqual([
      [sessionOf(first), at(5)],
      [sessionOf(second), at(5)],
      [sessionOf(third), at(4)],
    ]);
  });

  it('then those of players are there, those of others and those that have ended are not', async () => {
    await harness.call(identityRoutes.partnerLogin, {
      body: {
        partnerCode: '1000',
        email: 'partner@example.com',
        password,
        platform: { uuid: 'd', name: 'iPad' },
      },
    });
    await player();
    const [ended, token] = [await portal(), await portal()];
    expect((await sessions(token)).map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['portal', 'portal']),
    );
    await outcome(identityRoutes.partnerLogout, ended);
    const left = await sessions(token);
    expect(left.map(({ id }) => id)).not.toContain(sessionOf(ended));
    expect(left[0]).toMatchObject({ id: sessionOf(token), current: true });
    harness.clock.advance(60 * minute - 1);
    const fresh = await portal();
    harness.clock.advance(1);
    // The others' last tokens are over.
    expect((await sessions(fresh)).map(({ id }) => id)).toEqual([sessionOf(fresh)]);
  });

  it('then administrators have theirs, and the calls are of one kind of person alone', async () => {
    const token = await admin();
    const { body } = await harness.call(sessionRoutes.listAdminSessions, { headers: bearer(token) });
    expect(body.sessions).toMatchObject([{ id: sessionOf(token), current: true, kind: 'portal' }]);
    expect(await outcome(sessionRoutes.listPartnerSessions, token)).toBe('E40102');
    expect(await outcome(sessionRoutes.listAdminSessions, await portal())).toBe('E40102');
    const device = await player();
    for (const route of [
      sessionRoutes.listPartnerSessions,
      sessionRoutes.endOtherPartnerSessions,
      sessionRoutes.getPartnerPreferences,
    ]) {
      expect(await outcome(route, device)).toBe('E40301');
    }
    expect(await outcome(sessionRoutes.listAdminSessions, device)).toBe('E40102');
  });
});

describe('When somebody ends sessions of their own', () => {
  const alive = async (token: string) => outcome(identityRoutes.validateToken, token);
  const end = async (token: string, sessionId: string) =>
    outcome(sessionRoutes.endPartnerSession, token, { params: { sessionId } });

  it('one, then it has ended everywhere, and cannot be ended again', async () => {
    const [mine, other] = [await portal(), await portal()];
    expect(await end(mine, sessionOf(other))).toBe(200);
    expect([await alive(mine), await alive(other)]).toEqual([200, 'E40102']);
    expect((await harness.events('session.revoked')).at(-1)).toMatchObject({
      partnerid: 1,
      data: { sessionId: sessionOf(other), accountId: 12 },
    });
    expect(await end(mine, sessionOf(other))).toBe('E40401');
  });

  it('one twice at once, then it ends once', async () => {
    const [mine, other] = [await portal(), await portal()];
    const outcomes = await Promise.all(Array.from({ length: 5 }, async () => end(mine, sessionOf(other))));
    expect(outcomes.sort()).toEqual([200, 'E40401', 'E40401', 'E40401', 'E40401']);
  });

  it('this one, then that is a logout', async () => {
    const token = await portal();
    expect(await end(token, sessionOf(token))).toBe(200);
    expect(await alive(token)).toBe('E40102');
  });

  it('that are not theirs, or of nobody, then E40401', async () => {
    const [token, administrator, taro] = [await portal(), await admin(), await player()];
    const unknown = '01935a2b-7c4d-7e8f-9a0b-1c2d3e4f5a6b';
    for (const id of [sessionOf(taro), sessionOf(administrator), unknown, 'x', '1']) {
      expect([id, await end(token, id)]).toEqual([id, 'E40401']);
    }
    const params = { sessionId: sessionOf(token) };
    expect(await outcome(sessionRoutes.endAdminSession, administrator, { params })).toBe('E40401');
    expect([await alive(token), await alive(administrator), await alive(taro)]).toEqual([200, 200, 200]);
  });

  it('all others, then this one goes on, and others’ do', async () => {
    const [mine, other, taro, administrator] = [
      await portal(),
      await portal(),
      await player(),
      await admin(),
    ];
    const theirs = [await player('taro', '1000', { uuid: 'second', name: 'iPad' })];
    expect(await outcome(sessionRoutes.endOtherPartnerSessions, mine)).toBe(200);
    expect([await alive(mine), await alive(other), await alive(taro), await alive(administrator)]).toEqual([
      200,
      'E40102',
      200,
      200,
    ]);
    expect(await alive(theirs[0] ?? '')).toBe(200);
    const again = await admin();
    expect(await outcome(sessionRoutes.endOtherAdminSessions, again)).toBe(200);
    expect([await alive(again), await alive(administrator)]).toEqual([200, 'E40102']);
  });
});

describe('When a company admin ends the sessions of a person', () => {
  const end = async (token: string, id: number, pid = 1) =>
    outcome(sessionRoutes.endUserSessions, token, { params: { pid, id } });

  it('then all end, in the portal and in players', async () => {
    const token = await portal();
    const { body } = await harness.call(identityRoutes.partnerLogin, {
      body: { partnerCode: '1000', loginUserId: 'dev', password },
    });
    const devices = [await player('dev'), await player('dev', '1000', { uuid: 'b', name: 'b' })];
    const taro = await player();
    expect(await end(token, 13)).toBe(200);
    for (const ended of [body.accessToken, ...devices]) {
      expect(await outcome(identityRoutes.validateToken, ended)).toBe('E40102');
    }
    expect(await outcome(identityRoutes.validateToken, taro)).toBe(200);
  });

  it('of nobody, or of another tenant, then E40403 or E40402; and developers may not', async () => {
    const token = await portal();
    expect(await end(token, 99)).toBe('E40403');
    expect(await end(token, 31)).toBe('E40403');
    expect(await end(token, 31, 3)).toBe('E40402');
    const { body } = await harness.call(identityRoutes.partnerLogin, {
      body: { partnerCode: '1000', loginUserId: 'dev', password },
    });
    expect(await end(body.accessToken, 11)).toBe('E40301');
  });
});

describe('When somebody keeps preferences', () => {
  const url = '/v1/partner/preferences';
  const put = async (token: string, payload: string, at = url) =>
    harness.raw({ method: 'PUT', url: at, headers: bearer(token), payload });
  const stored = async (token: string) =>
    (await harness.service.app.inject({ method: 'GET', url, headers: bearer(token) })).payload;

  it('then there are none before the first', async () => {
    expect(await stored(await portal())).toBe('{}');
  });

  it('then they come back as they were sent, and the next take the place of all of them', async () => {
    const token = await portal();
    const odd = '{"savedFilters":[{"per_page":5,"perPage":null}],"a_b":{"C-d":"\\u0000\\ud800 日本"},"":1.5}';
    expect(await put(token, odd)).toMatchObject({ status: 200, body: {} });
    expect(JSON.parse(await stored(token))).toEqual(JSON.parse(odd));
    expect((await put(token, '{"x":1}')).status).toBe(200);
    expect(await stored(token)).toBe('{"x":1}');
  });

  it('then each person has their own, and they go with the person', async () => {
    const [token, administrator] = [await portal(), await admin()];
    await put(token, '{"mine":1}');
    await put(administrator, '{"admin":1}', '/v1/admin/preferences');
    expect(await stored(token)).toBe('{"mine":1}');
    expect(
      await harness.sql('SELECT account_kind, account_id, partner_id FROM preferences ORDER BY 1'),
    ).toEqual([
      { account_kind: 'admin', account_id: 1, partner_id: null },
      { account_kind: 'account', account_id: 12, partner_id: 1 },
    ]);
  });

  it('of 64 KiB, then they are stored; one byte more is 413', async () => {
    const token = await portal();
    const ofBytes = (bytes: number) => JSON.stringify({ a: 'x'.repeat(bytes - 8) });
    expect((await put(token, ofBytes(65_536))).status).toBe(200);
    expect(await put(token, ofBytes(65_537))).toMatchObject({ status: 413, body: { code: 'E40001' } });
  });

  it('that are no object, then E40001', async () => {
    const token = await portal();
    for (const payload of ['[]', '"x"', '1', 'null', 'true', '{', '']) {
      expect([payload, await put(token, payload)]).toMatchObject([
        payload,
        { status: 400, body: { code: 'E40001' } },
      ]);
    }
    expect(await stored(token)).toBe('{}');
  });

  it('ten at once, then one of them stays', async () => {
    const token = await portal();
    await Promise.all(Array.from({ length: 10 }, async (_, n) => put(token, `{"n":${n}}`)));
    expect(await stored(token)).toMatch(/^\{"n":\d\}$/);
  });
});
