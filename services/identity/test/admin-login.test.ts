import { identityRoutes } from '@portal/contracts';
import { type ServiceHarness, startServiceHarness } from '@portal/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { identityService } from '../src/service.ts';
import { bearer, sessionOf, signIns } from './calls.ts';
import { password, peers } from './peers.ts';

let harness: ServiceHarness;
const { admin, outcome } = signIns(() => harness);

const env = { DEMO: '0', ADMIN_EMAIL: 'Admin@Example.com', ADMIN_PASSWORD: password };

beforeAll(async () => {
  harness = await startServiceHarness(identityService, { peers: peers(), env });
});
afterAll(async () => harness.stop());

const login = async (email: string, presented: string) =>
  harness.refused(identityRoutes.adminLogin, { body: { email, password: presented } });

describe('When the service starts with the first administrator in its settings', () => {
  it('then they are there, told, and can sign in', async () => {
    const [event] = await harness.events('admin.created');
    expect(event).toMatchObject({
      partnerid: null,
      data: { email: 'Admin@Example.com', role: 127, unitId: null },
    });
    expect(JSON.stringify(event)).not.toContain(password);
    const [row] = await harness.sql<{ password_hash: string }>('SELECT password_hash FROM admins');
    expect(row?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });
});

describe('When an administrator signs in', () => {
  it('then they get a token and what they are, whatever the case of the address', async () => {
    const { body, status } = await harness.call(identityRoutes.adminLogin, {
      body: { email: 'ADMIN@example.com', password },
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      accessToken: expect.any(String),
      tokenType: 'Bearer',
      expiresIn: 3600,
      outsourcingFlag: false,
      unitId: null,
      name: 'Admin@Example.com',
      email: 'Admin@Example.com',
      role: 127,
    });
    const sessionId = sessionOf(body.accessToken);
    expect(
      await harness.sql('SELECT account_kind, client, revoked_at FROM sessions WHERE id = $1', sessionId),
    ).toEqual([{ account_kind: 'admin', client: 'admin', revoked_at: null }]);
    const started = (await harness.events('session.started')).find(({ subject }) => subject === sessionId);
    expect(started).toMatchObject({ partnerid: null, data: { accountKind: 'admin', client: 'admin' } });
  });

  it('then the operation log tells who it was, of a refused one too, where there is such a person', async () => {
    const logged = async () => (await harness.events('operation.logged')).at(-1)?.data;
    await harness.call(identityRoutes.adminLogin, { body: { email: 'admin@example.com', password } });
    expect(await logged()).toMatchObject({
      operation: 'adminLogin',
      accountKind: 'admin',
      accountId: 1,
      role: 127,
      result: '200',
    });
    await login('admin@example.com', 'wrong');
    expect(await logged()).toMatchObject({ operation: 'adminLogin', accountId: 1, result: 'E40101' });
    await login('nobody@example.com', 'wrong');
    expect(await logged()).toMatchObject({ operation: 'adminLogin', accountId: null, result: 'E40101' });
  });

  it('of a unit, then its log is told of it', async () => {
    await harness.sql(
      `INSERT INTO admins (name, email, role, unit_id, password_hash, created_at, updated_at)
       SELECT 'Of a unit', 'unit@example.com', 63, 5, password_hash, now(), now() FROM admins WHERE id = 1`,
    );
    expect(await login('unit@example.com', password)).toMatchObject({ status: 200, body: { unitId: 5 } });
    expect((await harness.events('operation.logged')).at(-1)).toMatchObject({
      partnerid: null,
      data: { operation: 'adminLogin', accountKind: 'admin', unitId: 5 },
    });
  });

  it('with a wrong password or an unknown address, then one answer for both', async () => {
    const wrong = await login('admin@example.com', 'wrong');
    const unknown = await login('nobody@example.com', password);
    expect(wrong).toMatchObject({ status: 401, body: { code: 'E40101' } });
    expect({ ...unknown.body, requestId: '' }).toEqual({ ...wrong.body, requestId: '' });
    await admin();
  });

  it('with nothing, then E40003 on both fields', async () => {
    const { body, status } = await login('', '');
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'E40003', errors: [{ field: 'email' }, { field: 'password' }] });
  });

  it('with what is no text, then E40002', async () => {
    for (const payload of ['{"email":1,"password":"x"}', '{"email":"a\\u0000","password":"x"}']) {
      const reply = await harness.raw({ method: 'POST', url: '/v1/admin/login', payload });
      expect(reply).toMatchObject({ status: 400, body: { code: 'E40002', errors: [{ field: 'email' }] } });
    }
    const hidden = await harness.raw({
      method: 'POST',
      url: '/v1/admin/login',
      payload: '{"email":"admin@example.com","password":"a\\u0000b"}',
    });
    expect(hidden.status).toBe(401);
    await admin();
  });

  it('after ten wrong passwords, then not even the right one works, until 15 minutes are over', async () => {
    const guesses = await Promise.all(Array.from({ length: 10 }, () => login('admin@example.com', 'wrong')));
    expect(guesses.map(({ body }) => body.code)).toEqual(Array(10).fill('E40101'));
    expect((await login('admin@example.com', password)).body.code).toBe('E40101');
    harness.clock.advance(15 * 60_000 - 1);
    expect((await login('admin@example.com', password)).body.code).toBe('E40101');
    harness.clock.advance(1);
    await admin();
  });
});

describe('When an administrator signs out', () => {
  it('then the token works no more, it is told, and other sessions go on', async () => {
    const [token, other] = [await admin(), await admin()];
    expect(await outcome(identityRoutes.adminLogout, token)).toBe(200);
    expect(await outcome(identityRoutes.validateToken, token)).toBe('E40102');
    expect(await outcome(identityRoutes.refreshToken, token)).toBe('E40102');
    expect(await outcome(identityRoutes.validateToken, other)).toBe(200);
    const revoked = (await harness.events('session.revoked')).filter(
      ({ subject }) => subject === sessionOf(token),
    );
    expect(revoked).toHaveLength(1);
  });

  it('without a token, then E40101; with one that is none, E40102', async () => {
    const none = await harness.refused(identityRoutes.adminLogout);
    expect(none).toMatchObject({ status: 401, body: { code: 'E40101' } });
    expect(await outcome(identityRoutes.adminLogout, 'x.y.z')).toBe('E40102');
    const [header, , signature] = (await admin()).split('.');
    const forged = Buffer.from(JSON.stringify({ aud: 'admin', sub: '1', role: 127, exp: 9e9 }));
    expect(
      await outcome(identityRoutes.adminLogout, `${header}.${forged.toString('base64url')}.${signature}`),
    ).toBe('E40102');
  });
});

describe('When an administrator changes the password', () => {
  const change = async (token: string, body: { currentPassword?: string; password: string }) =>
    harness.refused(identityRoutes.changeAdminPassword, { body, headers: bearer(token) });

  it('with a wrong current one, then E40002 on current_password', async () => {
    const reply = await change(await admin(), { currentPassword: 'wrong', password: 'Another1password' });
    expect(reply).toMatchObject({
      status: 400,
      body: { code: 'E40002', errors: [{ field: 'current_password' }] },
    });
  });

  it('to the same or a weak one, then E40002 on password', async () => {
    const token = await admin();
    for (const weak of [password, 'short1', 'onlyletters', '12345678', 'with space1']) {
      const reply = await change(token, { password: weak });
      expect(reply).toMatchObject({ status: 400, body: { code: 'E40002', errors: [{ field: 'password' }] } });
    }
  });

  it('then the new one counts, this session goes on and the others end', async () => {
    const [token, other] = [await admin(), await admin()];
    const reply = await change(token, { currentPassword: password, password: 'Another1password' });
    expect(reply).toMatchObject({ status: 200, body: {} });
    expect(await outcome(identityRoutes.validateToken, token)).toBe(200);
    expect(await outcome(identityRoutes.validateToken, other)).toBe('E40102');
    expect((await login('admin@example.com', password)).status).toBe(401);
    await admin('admin@example.com', 'Another1password');
    const [changed] = await harness.events('password.changed');
    expect(changed).toMatchObject({ data: { accountKind: 'admin', accountId: 1 } });
    await change(token, { password });
  });

  it('in a session that another one ends meanwhile, then it is refused', async () => {
    const token = await admin();
    // What another session's change would have done, after this call was let pass.
    await harness.sql('UPDATE sessions SET revoked_at = now() WHERE id = $1', sessionOf(token));
    const reply = await change(token, { password: 'Another1password' });
    expect(reply).toMatchObject({ status: 401, body: { code: 'E40102' } });
    await admin();
  });

  it('in two sessions at once, then one change counts and the other session ends', async () => {
    const tokens = [await admin(), await admin()];
    const replies = await Promise.all(
      tokens.map((token, index) => change(token, { password: `Racing1password${index}` })),
    );
    const won = replies.findIndex(({ status }) => status === 200);
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies[1 - won]?.body.code).toBe('E40102');
    await change(tokens[won] ?? '', { password });
  });
});
