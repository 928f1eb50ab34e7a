import { type EventData, identityEvents, identityRoutes, userEvents } from '@portal/contracts';
import { enterScope } from '@portal/database';
import { AppError } from '@portal/kernel';
import { type ServiceHarness, startServiceHarness } from '@portal/testing';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { identityService } from '../src/service.ts';
import { bearer, platform, sessionOf, signIns } from './calls.ts';
import { password, peers } from './peers.ts';

let harness: ServiceHarness;
let onVerified: ((accountId: number) => Promise<void>) | undefined;
let onChanged: (() => Promise<void>) | undefined;
let registration = 1;
let generation = 0;
const { outcome, player, portal } = signIns(() => harness);

beforeAll(async () => {
  harness = await startServiceHarness(identityService, {
    peers: peers({
      onVerified: async (accountId) => onVerified?.(accountId),
      onChanged: async () => onChanged?.(),
      registration: () => registration,
      generation: () => generation,
    }),
  });
});
afterEach(() => {
  onVerified = undefined;
  onChanged = undefined;
  registration = 1;
  generation = 0;
});
afterAll(async () => harness.stop());

type Login = Parameters<typeof login>[0];
const login = async (
  body: {
    partnerCode?: string;
    email?: string;
    loginUserId?: string;
    password?: string;
    platform?: { uuid: string };
  },
  headers: Record<string, string> = {},
) =>
  harness.refused(identityRoutes.partnerLogin, { body: { partnerCode: '1000', password, ...body }, headers });

describe('When a company admin signs in', () => {
  it('then the answer tells the partner, the person and a portal token', async () => {
    const { body, status } = await harness.call(identityRoutes.partnerLogin, {
      body: { partnerCode: '1000', email: 'partner@example.com', password },
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      accessToken: expect.any(String),
      tokenType: 'Bearer',
      expiresIn: 3600,
      twoFactorSetup: false,
      partner: {
        id: 1,
        name: 'Demo Corporation',
        partnerCode: '1000',
        licenseExpiredOnUnixtime: Date.parse('2028-11-21T09:00:00Z') / 1000,
        contractRank: 'enterprise',
        licenseType: 'user',
        json: '{"a":1}',
      },
      user: {
        id: 12,
        name: 'Company admin',
        email: 'partner@example.com',
        loginUserId: null,
        role: 268_435_456,
        groups: [],
      },
    });
    const sessionId = sessionOf(body.accessToken);
    const started = (await harness.events('session.started')).find(({ subject }) => subject === sessionId);
    expect(started).toMatchObject({
      partnerid: 1,
      data: { client: 'portal', accountId: 12, platformUuid: null },
    });
    expect(await outcome(identityRoutes.validateToken, body.accessToken)).toBe(200);
  });
});

describe('When a player signs in', () => {
  it('then the token is a player token of the device, with the groups of the user', async () => {
    const { body } = await harness.call(identityRoutes.partnerLogin, {
      body: { partnerCode: '1000', loginUserId: 'taro', password, platform },
    });
    expect(body.user.groups).toEqual([{ id: 3, name: 'Sales' }]);
    expect(
      await harness.sql(
        'SELECT client, platform_uuid, partner_id FROM sessions WHERE id = $1',
        sessionOf(body.accessToken),
      ),
    ).toEqual([{ client: 'player', platform_uuid: 'device-1', partner_id: 1 }]);
    const reply = await harness.call(identityRoutes.validateToken, { headers: bearer(body.accessToken) });
    expect(reply.body).toEqual({ valid: true, kind: 'user', role: 0, expiresIn: 3600 });
    expect(await outcome(identityRoutes.partnerLogout, body.accessToken)).toBe('E40301');
  });

  it('without a well-formed agent, then E40005', async () => {
    for (const agent of ['', 'no version', 'a/b/c']) {
      const reply = await login({ loginUserId: 'taro', platform }, { 'x-agent': agent });
      expect(reply).toMatchObject({ status: 400, body: { code: 'E40005' } });
    }
  });
});

describe('When a sign-in is refused, then it is with', () => {
  const refusals: [string, Login, number, string, string[]][] = [
    ['neither identifier', {}, 400, 'E40006', ['email', 'login_user_id']],
    ['two empty identifiers', { email: '', loginUserId: '' }, 400, 'E40006', ['email', 'login_user_id']],
    ['an unknown user, beside an empty address', { email: '', loginUserId: 'nobody' }, 401, 'E40101', []],
    ['both identifiers', { email: 'a@example.com', loginUserId: 'a' }, 400, 'E40002', ['login_user_id']],
    ['a login id with a forbidden letter', { loginUserId: 'a@b' }, 400, 'E40002', ['login_user_id']],
    ['no password', { loginUserId: 'taro', password: '' }, 400, 'E40003', ['password']],
    ['no partner code', { loginUserId: 'taro', partnerCode: '' }, 400, 'E40003', ['partner_code']],
    ['an unknown partner code', { loginUserId: 'taro', partnerCode: '9' }, 404, 'E40402', []],
    ['an unknown user', { loginUserId: 'nobody' }, 401, 'E40101', []],
    ['a wrong password', { loginUserId: 'taro', password: 'wrong' }, 401, 'E40101', []],
    [
      'a wrong password, the licence over',
      { partnerCode: '4000', loginUserId: 'taro', password: 'x' },
      401,
      'E40101',
      [],
    ],
    ['the licence over', { partnerCode: '4000', loginUserId: 'taro', platform }, 403, 'E40302', []],
    ['a plain user in the portal', { loginUserId: 'taro' }, 403, 'E40301', []],
    ['who is no user in the player', { email: 'partner@example.com', platform }, 403, 'E40301', []],
    ['too many devices', { loginUserId: 'full', platform }, 403, 'E40306', []],
    ['no licence left', { loginUserId: 'full', platform: { uuid: 'licence' } }, 403, 'E40307', []],
  ];
  it.each(refusals)('%s', async (_, body, status, code, fields) => {
    const before = await harness.sql('SELECT count(*) FROM sessions');
    const reply = await login(body);
    expect(reply).toMatchObject({ status, body: { code } });
    expect(reply.body.errors.map(({ field }) => field)).toEqual(fields);
    expect(await harness.sql('SELECT count(*) FROM sessions')).toEqual(before);
  });

  it('the licence over from the second on at which it is', async () => {
    const before = await harness.call(identityRoutes.partnerLogin, {
      body: { password, partnerCode: '5000', loginUserId: 'taro', platform },
    });
    expect(before.status).toBe(200);
    const token = before.body.accessToken;
    expect(await outcome(identityRoutes.refreshToken, token)).toBe(200);
    harness.clock.advance(1000);
    // Who is in stays, for when the contract goes on, and can do nothing else.
    expect(await outcome(identityRoutes.refreshToken, token)).toBe(200);
    expect(await outcome(identityRoutes.validateToken, token)).toBe(200);
    expect(await outcome(identityRoutes.userStatement, token)).toBe('E40302');
    expect((await login({ partnerCode: '5000', loginUserId: 'taro', platform })).body.code).toBe('E40302');
  });
});

describe('When a sign-in is refused, then the operation log tells', () => {
  const [taro, full] = [
    { accountKind: 'account', accountId: 11, role: 0 },
    { accountKind: 'account', accountId: 14, role: 0 },
  ];
  const nobody = { accountKind: null, accountId: null, role: null };
  const entries: [string, Login, string, number | null, object][] = [
    [
      'its account, where the password is wrong',
      { loginUserId: 'taro', password: 'wrong' },
      'E40101',
      1,
      taro,
    ],
    [
      'its account, by the address too',
      { email: 'Partner@Example.com', password: 'wrong' },
      'E40101',
      1,
      { accountKind: 'account', accountId: 12, role: 268_435_456 },
    ],
    [
      'its tenant alone, with what was typed, where nobody has the login',
      { loginUserId: 'nobody' },
      'E40101',
      1,
      { ...nobody, login: 'nobody' },
    ],
    ['its account, where it may not enter', { loginUserId: 'taro' }, 'E40301', 1, taro],
    [
      'its account, where the licence is over',
      { partnerCode: '4000', loginUserId: 'taro' },
      'E40302',
      4,
      { ...taro, accountId: 41 },
    ],
    ['its account, with too many devices', { loginUserId: 'full', platform }, 'E40306', 1, full],
    [
      'its account, with no licence left',
      { loginUserId: 'full', platform: { uuid: 'licence' } },
      'E40307',
      1,
      full,
    ],
    [
      'what was typed alone, where no tenant has the code',
      { loginUserId: 'taro', partnerCode: '9' },
      'E40402',
      null,
      { ...nobody, login: 'taro' },
    ],
  ];
  it.each(entries)('%s', async (_, body, result, partnerid, who) => {
    await login(body);
    const entry = (await harness.events('operation.logged')).at(-1);
    expect(entry).toMatchObject({ partnerid, data: { ...who, operation: 'partnerLogin', result } });
    const { login: _typed, ...rest } = entry?.data as { login?: string };
    expect(JSON.stringify(rest)).not.toMatch(/taro|nobody|full|partner@|wrong/i);
  });
});

describe('When a person of a tenant signs out', () => {
  it('then the token is refused, and the event is published', async () => {
    const [fromPortal, fromPlayer] = [await portal(), await player()];
    expect(await outcome(identityRoutes.partnerLogout, fromPortal)).toBe(200);
    const anonymous = { ...bearer(fromPlayer), 'x-agent': '' };
    expect(await harness.refused(identityRoutes.userLogout, { headers: anonymous })).toMatchObject({
      status: 400,
      body: { code: 'E40005' },
    });
    expect(await outcome(identityRoutes.userLogout, fromPlayer)).toBe(200);
    for (const [token, device] of [
      [fromPortal, undefined],
      // Of a player also on which device, so that push notifications end there.
      [fromPlayer, { uuid: platform.uuid, registration: 1 }],
    ] as const) {
      expect(await outcome(identityRoutes.refreshToken, token)).toBe('E40102');
      const revoked = (await harness.events('session.revoked')).filter(
        ({ subject }) => subject === sessionOf(token),
      );
      expect(revoked).toMatchObject([{ partnerid: 1, data: { accountKind: 'account' } }]);
      expect(identityEvents.sessionRevoked.data.parse(revoked[0]?.data).device).toEqual(device);
    }
  });

  it("by an administrator's call, then E40102", async () => {
    expect(await outcome(identityRoutes.adminLogout, await portal())).toBe('E40102');
  });
});

describe('When a person of a tenant changes the password', () => {
  it('then the others of their sessions end, not this one, nor those of others', async () => {
    const [token, other, somebody] = [await portal(), await portal(), await player()];
    const body = { currentPassword: password, password: 'Another1password' };
    expect(await outcome(identityRoutes.changePartnerPassword, token, { body })).toBe(200);
    expect(await outcome(identityRoutes.validateToken, token)).toBe(200);
    expect(await outcome(identityRoutes.validateToken, other)).toBe('E40102');
    expect(await outcome(identityRoutes.validateToken, somebody)).toBe(200);
  });

  it('which the user service refuses, then its refusal is passed on and nothing ends', async () => {
    const [token, other] = [await portal(), await portal()];
    const change = async (body: { currentPassword?: string; password: string }) =>
      harness.refused(identityRoutes.changePartnerPassword, { body, headers: bearer(token) });
    expect(await change({ currentPassword: 'wrong', password: 'Another1password' })).toMatchObject({
      status: 400,
      body: { code: 'E40002', errors: [{ field: 'current_password' }] },
    });
    expect(await change({ password })).toMatchObject({
      body: { code: 'E40002', errors: [{ field: 'password' }] },
    });
    expect(await outcome(identityRoutes.validateToken, other)).toBe(200);
  });

  it('while they get another one by a link, then E40102, since that ended the session', async () => {
    const token = await portal();
    onChanged = async () => {
      throw new AppError('E40004');
    };
    const body = { currentPassword: password, password: 'Another1password' };
    expect(await outcome(identityRoutes.changePartnerPassword, token, { body })).toBe('E40102');
  });
});

const signedOut = async (which: Omit<EventData<typeof userEvents.userSignedOut>, 'userId'>, userId = 11) =>
  harness.deliver(userEvents.userSignedOut, { subject: userId, partnerId: 1, data: { userId, ...which } });

describe('When the user service tells of an account', () => {
  const changed = {
    userId: 11,
    name: 'Taro Yamada',
    email: null,
    loginUserId: 'taro',
    role: 0,
    isUser: true,
    groupIds: [],
  };

  it('that it is deleted or may do something else, then its sessions end', async () => {
    const deleted = await player();
    await signedOut({});
    expect(await outcome(identityRoutes.refreshToken, deleted)).toBe('E40102');
    const updated = await player();
    await signedOut({ generation: 1 });
    expect(await outcome(identityRoutes.refreshToken, updated)).toBe('E40102');
    await harness.events();
    expect(await outcome(identityRoutes.validateToken, updated)).toBe('E40102');
  });

  it('that it got another password in one of its sessions, then that one alone goes on', async () => {
    const [kept, other] = [await player(), await player()];
    await signedOut({ generation: 1, keptSessionId: sessionOf(kept) });
    await harness.events();
    expect(await outcome(identityRoutes.validateToken, other)).toBe('E40102');
    expect(await outcome(identityRoutes.validateToken, kept)).toBe(200);
    expect(await outcome(identityRoutes.refreshToken, kept)).toBe(200);
  });

  it('that many have to sign in again, then each of their sessions ends', async () => {
    const [taro, dev, admin] = [await player(), await player('dev'), await portal()];
    await Promise.all([signedOut({}), signedOut({}, 13), signedOut({}, 14)]);
    expect(await outcome(identityRoutes.refreshToken, taro)).toBe('E40102');
    expect(await outcome(identityRoutes.refreshToken, dev)).toBe('E40102');
    expect(await outcome(identityRoutes.refreshToken, admin)).toBe(200);
  });

  it('that an import deleted them or changed their passwords, then their sessions end', async () => {
    const [taro, dev, kept] = [await player(), await player('dev'), await player()];
    const people = [{ userId: 11, generation: 1, keptSessionId: sessionOf(kept) }, { userId: 13 }];
    const event = { subject: 7, partnerId: 1, data: { importId: 7, people } };
    await harness.deliver(userEvents.usersSignedOut, event);
    expect(await outcome(identityRoutes.refreshToken, taro)).toBe('E40102');
    expect(await outcome(identityRoutes.refreshToken, dev)).toBe('E40102');
    expect(await outcome(identityRoutes.refreshToken, kept)).toBe(200);
  });

  it('later than they signed in with their new password, then that sign-in goes on', async () => {
    const before = await player();
    generation = 2;
    const anew = await player();
    await signedOut({ generation: 2 });
    expect(await outcome(identityRoutes.refreshToken, before)).toBe('E40102');
    expect(await outcome(identityRoutes.refreshToken, anew)).toBe(200);
  });

  it('that it has another name alone, then its sessions go on', async () => {
    const token = await player();
    const data = { ...changed, endsSessions: false };
    await harness.deliver(userEvents.userUpdated, { subject: 11, partnerId: 1, data });
    expect(await outcome(identityRoutes.validateToken, token)).toBe(200);
    expect(await harness.sql('SELECT name FROM sessions WHERE id = $1', sessionOf(token))).toEqual([
      { name: 'Taro Yamada' },
    ]);
  });

  it('that it is deleted while it signs in, then the sign-in comes to nothing', async () => {
    onVerified = async () => signedOut({});
    expect((await login({ loginUserId: 'taro', platform })).body.code).toBe('E40101');
    onVerified = undefined;
    await player();
  });
});

describe('When the user service tells that a device was removed', () => {
  const removed = async ({ registration }: { registration: number }) =>
    signedOut({ device: { uuid: platform.uuid, registration } });

  it('then its user is signed out on it, and stays signed in on others, as others do on theirs', async () => {
    const gone = await player();
    const others = [
      await player('taro', '1000', { ...platform, uuid: 'device-2' }),
      await player('dev'),
      await player('taro', '3000'),
      await portal(),
    ];
    await removed({ registration: 1 });
    expect(await outcome(identityRoutes.refreshToken, gone)).toBe('E40102');
    const told = (await harness.events('session.revoked')).filter(
      ({ subject }) => subject === sessionOf(gone),
    );
    const device = { uuid: platform.uuid, registration: 1 };
    expect(told).toMatchObject([{ partnerid: 1, data: { accountKind: 'account', accountId: 11, device } }]);
    expect(await outcome(identityRoutes.validateToken, gone)).toBe('E40102');
    for (const token of others) expect(await outcome(identityRoutes.refreshToken, token)).toBe(200);
  });

  it('later than it signed in anew, then that sign-in goes on, and ends with its own registration', async () => {
    const before = await player();
    registration = 2;
    const anew = await player();
    await removed({ registration: 1 });
    expect(await outcome(identityRoutes.refreshToken, before)).toBe('E40102');
    expect(await outcome(identityRoutes.refreshToken, anew)).toBe(200);
    await removed({ registration: 2 });
    expect(await outcome(identityRoutes.refreshToken, anew)).toBe('E40102');
  });

  it('while it signs in, then the sign-in begins anew and is of its next registration', async () => {
    onVerified = async () => {
      onVerified = undefined;
      registration = 2;
      await removed({ registration: 1 });
    };
    const token = await player();
    expect(await harness.sql('SELECT registration FROM sessions WHERE id = $1', sessionOf(token))).toEqual([
      { registration: 2 },
    ]);
    expect(await outcome(identityRoutes.refreshToken, token)).toBe(200);
  });
});

describe('When a password is to be validated', () => {
  it('then the answer says whether it is acceptable, for its own tenant only', async () => {
    const token = await portal();
    const validate = async (pid: number, candidate: string) =>
      harness.call(identityRoutes.validatePassword, {
        params: { pid },
        body: { password: candidate },
        headers: bearer(token),
      });
    expect((await validate(1, 'abcdefg9z')).body).toEqual({ valid: true });
    // Too weak, one of the most used, and the caller's own address.
    for (const refused of ['abcdefgh', '', 'PassWord123', 'Abcdefg1', 'PARTNER@example.com']) {
      expect((await validate(1, refused)).body).toEqual({ valid: false });
    }
    expect((await validate(3, 'abcdefg9z')).status).toBe(404);
  });
});

describe('When sessions are read in the scope of another tenant', () => {
  it('then row-level security alone hides them', async () => {
    await player();
    const client = new pg.Client({ connectionString: harness.databaseUrl });
    await client.connect();
    try {
      const count = async () => (await client.query('SELECT 1 FROM sessions')).rows.length;
      expect(await count()).toBe(0);
      await enterScope(client, harness.databaseUrl, { kind: 'partner', partnerId: 1 });
      expect(await count()).toBeGreaterThan(0);
      await enterScope(client, harness.databaseUrl, { kind: 'partner', partnerId: 2 });
      expect(await count()).toBe(0);
    } finally {
      await client.end();
    }
  });
});

describe('When a company has signed up and is not activated', () => {
  it.each([
    ['a company admin', { email: 'visitor@example.com' }],
    ['a player', { loginUserId: 'taro', platform }],
  ])('then %s is told that the sign-in is wrong, whatever they know', async (_, who) => {
    const headers = { 'x-agent': 'Player/1.0' };
    const right = await login({ partnerCode: '6000', ...who }, headers);
    const wrong = await login({ partnerCode: '6000', ...who, password: 'wrong' }, headers);
    const told = [right, wrong].map(({ body, status }) => [status, body.code]);
    expect(told).toEqual([
      [401, 'E40101'],
      [401, 'E40101'],
    ]);
  });
});
