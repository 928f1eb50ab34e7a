import { fieldMessage, identityRoutes } from '@portal/contracts';
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
  it('then they are stored, published, and can sign in', async () => {
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
      twoFactorSetup: false,
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

  it('of a unit, then the log has the unit', async () => {
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
  it('then the token is refused, the event is published, and other sessions continue', async () => {
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

  it('with wrong current ones, then ten of them lock the account, and the right one then gets the same answer', async () => {
    const token = await admin();
    const guess = async (currentPassword: string, to = 'Another1password') => {
      const { body, status } = await change(token, { currentPassword, password: to });
      return status === 200 ? status : `${status} ${body.code} ${body.errors[0]?.field}`;
    };
    const wrong = '400 E40002 current_password';
    const guesses = await Promise.all(Array.from({ length: 9 }, async (_, i) => guess(`wrong ${i}`)));
    expect(new Set(guesses)).toEqual(new Set([wrong]));
    // Those of sign-ins count with them.
    expect((await login('admin@example.com', 'wrong')).status).toBe(401);
    expect(await guess(password)).toBe(wrong);
    expect(await guess(password, password)).toBe(wrong);
    expect((await login('admin@example.com', password)).status).toBe(401);
    harness.clock.advance(15 * 60_000);
    expect(await guess('wrong')).toBe(wrong);
    expect(await guess(password, password)).toBe('400 E40002 password');
    // The right one ends the row of wrong ones.
    expect(await harness.sql('SELECT wrong_passwords FROM admins WHERE id = 1')).toEqual([
      { wrong_passwords: 0 },
    ]);
  });

  it('to the same or a weak one, then E40002 on password', async () => {
    const token = await admin();
    for (const weak of [password, 'short1', 'onlyletters', '12345678', 'with space1']) {
      const reply = await change(token, { password: weak });
      expect(reply).toMatchObject({ status: 400, body: { code: 'E40002', errors: [{ field: 'password' }] } });
    }
  });

  it('to one of the most used or their own name, then E40002 on password says so', async () => {
    const token = await admin();
    await harness.sql(`UPDATE admins SET name = 'Ad Min 2026' WHERE id = 1`);
    for (const guessable of ['Password123', 'ADMIN2026']) {
      const { body } = await change(token, { password: guessable });
      expect([body.code, body.errors]).toEqual([
        'E40002',
        [{ field: 'password', message: fieldMessage('guessablePassword', 'en') }],
      ]);
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

describe('When an administrator gets a mail', () => {
  const mails = async () => (await harness.mails()).map(({ content }) => content);
  const since = async (work: () => Promise<unknown>) => {
    const before = (await mails()).length;
    await work();
    return (await mails()).slice(before);
  };
  const chrome = 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36';
  const from = async (agent: string, address: string, language = 'en') =>
    harness.call(identityRoutes.adminLogin, {
      body: { email: 'admin@example.com', password },
      headers: { 'x-agent': agent, 'x-forwarded-for': address, 'accept-language': language },
    });

  it('of a changed password, then in their language, without a link', async () => {
    const token = await admin();
    const change = async (to: string, language: string) =>
      harness.call(identityRoutes.changeAdminPassword, {
        body: { password: to },
        headers: { ...bearer(token), 'accept-language': language },
      });
    expect(await since(async () => change('Another1password', 'ja'))).toEqual([
      { template: 'passwordChanged', to: 'Admin@Example.com', name: expect.any(String), language: 'ja' },
    ]);
    expect(await since(async () => change('Another1password', 'en'))).toEqual([]);
    expect(await since(async () => change(password, 'en'))).toMatchObject([{ language: 'en' }]);
  });

  it('of a sign-in from a new device, then once, and not of the very first', async () => {
    await harness.sql('DELETE FROM known_devices');
    expect(await since(async () => from(chrome, '203.0.113.7'))).toEqual([]);
    // A newer browser, and another address nearby.
    const newer = chrome.replace('140', '141');
    expect(await since(async () => from(newer, '203.0.113.99'))).toEqual([]);
    expect(await since(async () => from(newer, '198.51.100.1', 'ja'))).toEqual([
      {
        template: 'newDevice',
        to: 'Admin@Example.com',
        name: expect.any(String),
        language: 'ja',
        at: harness.clock.now().toISOString(),
        browser: 'Chrome',
        system: 'Windows',
        address: '198.51.100.1',
      },
    ]);
    expect(await since(async () => from(newer, '198.51.100.2'))).toEqual([]);
    expect(await since(async () => from('curl/8', '203.0.113.7'))).toMatchObject([
      { browser: null, system: null },
    ]);
    // One that was not seen for 90 days is new again; each sign-in counts.
    harness.clock.advance(60 * 24 * 3_600_000);
    expect(await since(async () => from(chrome, '203.0.113.7'))).toEqual([]);
    harness.clock.advance(60 * 24 * 3_600_000);
    expect(await since(async () => from(chrome, '203.0.113.7'))).toEqual([]);
    expect(await since(async () => from(chrome, '198.51.100.1'))).toMatchObject([{ template: 'newDevice' }]);
    expect(JSON.stringify(await harness.sql('SELECT * FROM known_devices'))).not.toMatch(/Chrome|203/);
  });

  it('of many devices, then the last twenty are kept', async () => {
    for (let i = 0; i < 25; i++) {
      await from(chrome, `10.0.${i}.1`);
      harness.clock.advance(1_000);
    }
    expect(await harness.sql('SELECT count(*)::int FROM known_devices')).toEqual([{ count: 20 }]);
    expect(await since(async () => from(chrome, '10.0.5.1'))).toEqual([]);
    expect(await since(async () => from(chrome, '10.0.4.1'))).toMatchObject([{ template: 'newDevice' }]);
  });

  it('of a wrong password from a new device, then no mail is sent', async () => {
    const wrong = {
      body: { email: 'admin@example.com', password: 'wrong' },
      headers: { 'x-forwarded-for': '10.9.9.9' },
    };
    expect(await since(async () => harness.call(identityRoutes.adminLogin, wrong))).toEqual([]);
  });
});

it.each([
  [{ RATE_LIMIT: 'off', DEMO: '0' }, ['RATE_LIMIT: off is for DEMO=1 alone']],
  [{ RATE_LIMIT: 'off', DEMO: '1' }, []],
  [{ RATE_LIMIT: 'maybe' }, ['RATE_LIMIT: must be on or off']],
  [
    { ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: 'Password123' },
    ['ADMIN_PASSWORD: must be neither widely used nor the address'],
  ],
  [
    { ADMIN_EMAIL: 'admin2026@example.com', ADMIN_PASSWORD: 'Admin2026' },
    ['ADMIN_PASSWORD: must be neither widely used nor the address'],
  ],
])('The settings %j: %j', (settings, problems) => {
  const keys = { KEY_ENCRYPTION_KEY: Buffer.alloc(32).toString('base64') };
  expect(identityService.checkSettings({ ...keys, ...settings })).toEqual(problems);
});
