import { identityRoutes } from '@portal/contracts';
import { listRevocations } from '@portal/contracts/internal';
import { type ServiceHarness, startServiceHarness } from '@portal/testing';
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { identityService } from '../src/service.ts';
import { bearer, sessionOf, signIns } from './calls.ts';
import { password, peers } from './peers.ts';

let harness: ServiceHarness;
const { admin, outcome, player, portal } = signIns(() => harness);

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

beforeAll(async () => {
  const env = { DEMO: '0', ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: password, SESSION_DAYS: '2' };
  harness = await startServiceHarness(identityService, { peers: peers(), env });
});
afterAll(async () => harness.stop());

const publicKeys = async () => (await harness.call(identityRoutes.jwks)).body.keys;
const kidOf = (token: string) => decodeProtectedHeader(token).kid;

async function refresh(token: string): Promise<string> {
  const { body, status } = await harness.call(identityRoutes.refreshToken, { headers: bearer(token) });
  expect(status).toBe(200);
  expect(body).toMatchObject({ tokenType: 'Bearer', expiresIn: 3600 });
  return body.accessToken;
}

describe('When a token is validated', () => {
  it('then the answer says whose it is and how long it is valid', async () => {
    const validate = async (token: string) =>
      (await harness.call(identityRoutes.validateToken, { headers: bearer(token) })).body;
    const token = await admin();
    const own = { valid: true, kind: 'admin', role: 127 };
    expect(await validate(token)).toEqual({ ...own, expiresIn: 3600 });
    const ofPortal = { valid: true, kind: 'partner', contractRank: 'enterprise', expiresIn: 3600 };
    expect(await validate(await portal())).toMatchObject(ofPortal);
    expect(await validate(await player())).not.toHaveProperty('contractRank');
    harness.clock.advance(10 * minute);
    expect(await validate(token)).toEqual({ ...own, expiresIn: 3000 });
    harness.clock.advance(50 * minute);
    expect(await outcome(identityRoutes.validateToken, token)).toBe('E40102');
  });
});

describe('When a token is refreshed', () => {
  it('then the fresh one is of the same session, and the old one lives until its end', async () => {
    const token = await player();
    expect(await refresh(token)).not.toBe(token);
    harness.clock.advance(30 * minute);
    const fresh = await refresh(token);
    expect(sessionOf(fresh)).toBe(sessionOf(token));
    expect(await outcome(identityRoutes.validateToken, token)).toBe(200);
    harness.clock.advance(30 * minute);
    expect(await outcome(identityRoutes.validateToken, token)).toBe('E40102');
    expect(await outcome(identityRoutes.validateToken, fresh)).toBe(200);
  });

  it('then signing out ends all tokens of the session', async () => {
    const token = await player();
    harness.clock.advance(30 * minute);
    const fresh = await refresh(token);
    expect(await outcome(identityRoutes.userLogout, token)).toBe(200);
    expect(await outcome(identityRoutes.validateToken, fresh)).toBe('E40102');
    const [revoked] = (await harness.events('session.revoked')).filter(
      ({ subject }) => subject === sessionOf(token),
    );
    const ends = new Date(harness.clock.now().getTime() + hour).toISOString();
    expect(revoked?.data).toMatchObject({ expiresAt: ends });
  });

  it('of a session older than sessions may be, then E40102', async () => {
    let token = await admin();
    const until = harness.clock.now().getTime() + 2 * day;
    for (;;) {
      token = await refresh(token);
      if (harness.clock.now().getTime() + 50 * minute >= until) break;
      harness.clock.advance(50 * minute);
    }
    harness.clock.advance(until - harness.clock.now().getTime());
    expect(await outcome(identityRoutes.refreshToken, token)).toBe('E40102');
    expect(await outcome(identityRoutes.validateToken, token)).toBe(200);
  });
});

describe('When services ask for ended sessions', () => {
  it('then they get those whose tokens still live', async () => {
    const token = await admin();
    await outcome(identityRoutes.adminLogout, token);
    const ended = async (since?: Date) => {
      const body = since ? { since: since.toISOString() } : {};
      return (await harness.callAs('file', listRevocations, { body })).body.sessions;
    };
    const mine = (await ended()).filter(({ sessionId }) => sessionId === sessionOf(token));
    const ends = new Date(Math.floor(harness.clock.now().getTime() / 1000) * 1000 + hour);
    expect(mine).toEqual([{ sessionId: sessionOf(token), expiresAt: ends.toISOString() }]);
    const { sessionId } = mine[0] ?? {};
    const since = async (ms: number) =>
      (await ended(new Date(harness.clock.now().getTime() + ms))).map((session) => session.sessionId);
    expect(await since(0)).toContain(sessionId);
    expect(await since(1)).not.toContain(sessionId);
    harness.clock.advance(hour);
    expect((await ended()).map(({ sessionId }) => sessionId)).not.toContain(sessionOf(token));
  });

  it('and are none that may, then E40301', async () => {
    const reply = await harness.callAs('identity', listRevocations, { body: {} });
    expect(reply.body).toMatchObject({ code: 'E40301' });
    const stranger = await harness.callAs('stranger', listRevocations, { body: {} });
    expect(stranger.body).toMatchObject({ code: 'E40102' });
    expect((await harness.refused(listRevocations, { body: {} })).body.code).toBe('E40101');
  });
});

describe('When thirty days are over', () => {
  it('then a new key is published an hour before it signs, and tokens from before stay valid', async () => {
    // The jobs that earlier tests made due have run.
    await publicKeys();
    harness.clock.advance(2 * day);
    const [old] = await publicKeys();
    expect(old).toMatchObject({ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig' });
    expect(old).not.toHaveProperty('d');
    const settled = await admin();
    expect(kidOf(settled)).toBe((await publicKeys()).at(-1)?.kid);

    harness.clock.advance(30 * day);
    const before = (await publicKeys()).length;
    const early = await admin();
    expect(before).toBeGreaterThanOrEqual(2);
    expect(kidOf(early)).toBe(kidOf(settled));
    harness.clock.advance(59 * minute);
    const late = await admin();
    expect(kidOf(late)).toBe(kidOf(settled));

    harness.clock.advance(minute);
    const next = await admin();
    expect(kidOf(next)).not.toBe(kidOf(settled));
    expect(await outcome(identityRoutes.validateToken, late)).toBe(200);
    expect(await outcome(identityRoutes.validateToken, next)).toBe(200);

    harness.clock.advance(2 * hour);
    expect((await publicKeys()).map(({ kid }) => kid)).toEqual([kidOf(next)]);
  });

  it('then no private key stands in the database as it is', async () => {
    const rows = await harness.sql<{ text: string }>(
      "SELECT encode(private_key, 'escape') AS text FROM signing_keys",
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { text } of rows) expect(text).not.toMatch(/^[\w-]{43}$/);
  });
});

describe('When a user asks for a statement', () => {
  it('then it says who they are, is checked by the published keys, and is no access token', async () => {
    const token = await player();
    const { body, status } = await harness.call(identityRoutes.userStatement, { headers: bearer(token) });
    expect(status).toBe(200);
    const { payload } = await jwtVerify(body.token, createLocalJWKSet({ keys: await publicKeys() }), {
      issuer: 'portal',
      audience: 'statement',
      currentDate: harness.clock.now(),
    });
    expect(payload).toMatchObject({
      sub: '11',
      name: 'Taro',
      email: null,
      login_user_id: 'taro',
      partner_code: '1000',
    });
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(300);
    expect(await outcome(identityRoutes.validateToken, body.token)).toBe('E40102');
    expect(await outcome(identityRoutes.userStatement, body.token)).toBe('E40102');
  });

  it('whose contract has no token API, then E40304; from the portal, E40301; without an agent, E40005', async () => {
    expect(await outcome(identityRoutes.userStatement, await player('taro', '3000'))).toBe('E40304');
    expect(await outcome(identityRoutes.userStatement, await portal())).toBe('E40301');
    expect(await outcome(identityRoutes.userStatement, await admin())).toBe('E40102');
    const reply = await harness.refused(identityRoutes.userStatement, {
      headers: { ...bearer(await player()), 'x-agent': '' },
    });
    expect(reply.body.code).toBe('E40005');
  });
});
