import { createPasswordQueue } from '@portal/accounts';
import {
  companyAdminRoutes,
  fieldMessage,
  type RouteReply,
  type RouteRequest,
  userRoleBits,
  userRoutes,
} from '@portal/contracts';
import { changeAccountPassword, findAccount, verifyLogin } from '@portal/contracts/internal';
import { enterScope, withClient } from '@portal/database';
import { partnerActor } from '@portal/testing';
import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { csv, importsOf } from './import-harness.ts';
import { password, startUserHarness, type TestPartner, type UserHarness } from './user-harness.ts';

let harness: UserHarness;

beforeAll(async () => {
  harness = await startUserHarness();
});
afterAll(async () => harness.stop());

/** Holds an account, as a change of it does, until `work` is done. */
async function whileAccountIsHeld<T>(
  partnerId: number,
  id: number,
  work: (another: Client, isWaitedFor: () => Promise<void>) => Promise<T>,
): Promise<T> {
  return withClient(harness.databaseUrl, async (another) => {
    await enterScope(another, harness.databaseUrl, { kind: 'partner', partnerId });
    await another.query('BEGIN');
    await another.query('SELECT 1 FROM accounts WHERE id = $1 FOR UPDATE', [id]);
    const waiting = async () =>
      another.query('SELECT 1 FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))');
    const done = await work(another, async () => {
      // It waits again and again, each time for a moment.
      await expect
        .poll(async () => (await waiting()).rowCount, { interval: 10, timeout: 20_000 })
        .toBeGreaterThan(0);
    });
    await another.query('COMMIT');
    return done;
  });
}

/** The answer to a change of a password, while that of the account is changed otherwise. */
async function whileChangedOtherwise<T>(partnerId: number, id: number, change: () => Promise<T>): Promise<T> {
  const { late } = await whileAccountIsHeld(partnerId, id, async (another, isWaitedFor) => {
    const late = change();
    await isWaitedFor();
    await another.query(
      `UPDATE accounts SET password_hash = 'another', generation = generation + 1 WHERE id = $1`,
      [id],
    );
    // In an object, so that nobody waits for it before the account is free.
    return { late };
  });
  return late;
}

/** An answer, or what a refusal says. */
interface Answer {
  status: number;
  body: Partial<RouteReply<typeof verifyLogin>> & { code?: string; errors?: unknown };
}

const verify = async (
  pid: number,
  login: { email?: string; loginUserId?: string; password?: string; licensed?: boolean },
): Promise<Answer> =>
  harness.callAs('identity', verifyLogin, { body: { partnerId: pid, password, ...login } });

const change = async (
  pid: number,
  id: number,
  body: Omit<RouteRequest<typeof changeAccountPassword>['body'], 'partnerId'>,
): Promise<Answer> =>
  harness.callAs('identity', changeAccountPassword, {
    params: { id },
    body: { partnerId: pid, ...body },
  });

const account = async (id: number) => (await harness.sql('SELECT * FROM accounts WHERE id = $1', id))[0];

describe('When somebody signs in', () => {
  it('then the account is told, by its id or its address, ignoring case', async () => {
    const { pid, user, group } = await harness.partner();
    const sales = await group('Sales');
    const byId = await user({ name: 'Taro', loginUserId: 'taro', groupIds: [sales], role: 1 });
    const byEmail = await user({ email: 'Hanako@example.com' });
    await change(pid, byEmail, { password });
    const { status, body } = await verify(pid, { loginUserId: 'TARO' });
    expect([status, body]).toEqual([
      200,
      {
        id: byId,
        name: 'Taro',
        email: null,
        loginUserId: 'taro',
        role: 1,
        isUser: true,
        groups: [{ id: sales, name: 'Sales' }],
        generation: 0,
      },
    ]);
    expect((await account(byId))?.last_login_at).toEqual(harness.clock.now());
    expect((await verify(pid, { email: 'hanako@EXAMPLE.com' })).body).toMatchObject({ id: byEmail });
  });

  it('then only who is let in has signed in', async () => {
    const { pid, user } = await harness.partner();
    const [plain, pusher] = [
      await user({ loginUserId: 'plain' }),
      await user({ loginUserId: 'pusher', role: 1 }),
    ];
    const lastLogin = async (id: number) => (await account(id))?.last_login_at ?? null;
    expect((await verify(pid, { loginUserId: 'plain' })).status).toBe(200);
    expect((await verify(pid, { loginUserId: 'pusher', licensed: false })).status).toBe(200);
    expect([await lastLogin(plain), await lastLogin(pusher)]).toEqual([null, null]);
    expect((await verify(pid, { loginUserId: 'pusher' })).status).toBe(200);
    expect((await harness.signInWith({ uuid: 'plain-1' }, { accountId: plain, partnerId: pid })).status).toBe(
      200,
    );
    const now = harness.clock.now();
    expect([await lastLogin(plain), await lastLogin(pusher)]).toEqual([now, now]);
  });

  it('then who is refused for their device has not signed in', async () => {
    const { pid, user } = await harness.partner({ licenseType: 'device', licenseCount: 1 });
    const id = await user({ loginUserId: 'taro', maxDeviceCountLimitedFlag: true, maxDeviceCount: 1 });
    const other = await user({ loginUserId: 'jiro' });
    const signIn = async (accountId: number, uuid: string) => {
      const { code, status } = await harness.signInWith({ uuid }, { accountId, partnerId: pid });
      return [status, code, (await account(accountId))?.last_login_at ?? null];
    };
    const first = harness.clock.now();
    expect(await signIn(id, 'own')).toEqual([200, undefined, first]);
    harness.clock.advance(60_000);
    expect(await signIn(id, 'second')).toEqual([403, 'E40306', first]);
    expect(await signIn(other, 'third')).toEqual([403, 'E40307', null]);
    expect(await signIn(id, 'own')).toEqual([200, undefined, harness.clock.now()]);
    expect(await signIn(other, 'own')).toEqual([200, undefined, harness.clock.now()]);
  });

  it('then whatever is wrong, E40101 does not tell', async () => {
    const { pid, user } = await harness.partner();
    const other = await harness.partner();
    await user({ loginUserId: 'taro' });
    await user({ email: 'new@example.com' });
    for (const [partner, login] of [
      [pid, { loginUserId: 'taro', password: 'Wrong-123' }],
      [pid, { loginUserId: 'nobody' }],
      [pid, { email: 'taro' }],
      [pid, { email: 'new@example.com' }],
      [pid, {}],
      [other.pid, { loginUserId: 'taro' }],
      [999, { loginUserId: 'taro' }],
    ] as const) {
      const { status, body } = await verify(partner, login);
      expect([status, body.code, body.errors]).toEqual([401, 'E40101', []]);
    }
  });

  it('then ten wrong passwords in a row lock the account for 15 minutes', async () => {
    const { pid, user } = await harness.partner();
    const id = await user({ loginUserId: 'taro' });
    const wrong = async (times: number) => {
      for (let i = 0; i < times; i++) await verify(pid, { loginUserId: 'taro', password: 'Wrong-123' });
    };
    const right = async () => (await verify(pid, { loginUserId: 'taro' })).status;
    await wrong(9);
    expect(await right()).toBe(200);
    expect(await account(id)).toMatchObject({ wrong_passwords: 0 });
    await wrong(9);
    expect(await account(id)).toMatchObject({ wrong_passwords: 9, locked_until: null });
    await wrong(1);
    expect(await right()).toBe(401);
    harness.clock.advance(15 * 60_000 - 1);
    expect(await right()).toBe(401);
    harness.clock.advance(1);
    expect(await right()).toBe(200);
    expect(await account(id)).toMatchObject({ wrong_passwords: 0, locked_until: null });
  });

  it('then wrong passwords at the same moment are all counted', async () => {
    const { pid, user } = await harness.partner();
    await user({ loginUserId: 'taro' });
    await Promise.all(
      Array.from({ length: 10 }, async () => verify(pid, { loginUserId: 'taro', password: 'Wrong-123' })),
    );
    expect((await verify(pid, { loginUserId: 'taro' })).status).toBe(401);
  });

  it('then only the identity service may ask', async () => {
    const { status } = await harness.callAs('tenant', verifyLogin, {
      body: { partnerId: 1, loginUserId: 'taro', password },
    });
    expect(status).toBe(403);
  });
});

const edit = async ({ actor, pid }: TestPartner, id: number, body: object) =>
  harness.call(userRoutes.updateUser, { params: { pid, id }, body }, actor);
/** How they get `Another-1` otherwise than in a session. */
const ways: [string, (partner: TestPartner, id: number) => Promise<unknown>][] = [
  ['on the page of the user', (partner, id) => edit(partner, id, { password: 'Another-1' })],
  [
    'on the page of the company admin',
    ({ actor, pid }, adminId) =>
      harness.call(
        companyAdminRoutes.updateCompanyAdmin,
        { params: { pid, adminId }, body: { password: 'Another-1' } },
        actor,
      ),
  ],
  ['by an import', (partner) => importsOf(harness, partner).run(csv('Taro,,taro,Another-1,,,0'))],
];

describe('When somebody is locked out and is given another password', () => {
  it.each(ways)('%s, then the lock is lifted', async (_, give) => {
    const partner = await harness.partner();
    const { pid, user } = partner;
    const id = await user({ loginUserId: 'taro', role: 268_435_456 });
    for (let i = 0; i < 10; i++) await verify(pid, { loginUserId: 'taro', password: 'Wrong-123' });
    // Nothing else lifts it.
    await edit(partner, id, { name: 'Taro' });
    await importsOf(harness, partner).run(csv('Anew,,taro,,,,0'));
    expect((await verify(pid, { loginUserId: 'taro' })).status).toBe(401);
    await give(partner, id);
    expect((await verify(pid, { loginUserId: 'taro', password: 'Another-1' })).status).toBe(200);
  });
});

describe('When the identity service looks for an account', () => {
  const find = async (body: RouteRequest<typeof findAccount>['body']) =>
    harness.callAs('identity', findAccount, { body });

  it('then it is found by its address or login in any case, and by its id', async () => {
    const { pid, user } = await harness.partner();
    const id = await user({ name: 'Hanako', email: 'Hanako@example.com' });
    const hanako = {
      id,
      name: 'Hanako',
      email: 'Hanako@example.com',
      role: 0,
      generation: 0,
      hasPassword: false,
      isUser: true,
    };
    expect((await find({ partnerId: pid, email: 'hanako@EXAMPLE.com' })).body).toEqual(hanako);
    expect((await find({ partnerId: pid, accountId: id })).body).toEqual(hanako);
    const taro = await user({ name: 'Taro', loginUserId: 'taro' });
    const body = {
      id: taro,
      name: 'Taro',
      email: null,
      role: 0,
      isUser: true,
      generation: 0,
      hasPassword: true,
    };
    expect((await find({ partnerId: pid, accountId: taro })).body).toEqual(body);
    expect((await find({ partnerId: pid, loginUserId: 'TARO' })).body).toEqual(body);
  });

  it("then another tenant's is not", async () => {
    const { user } = await harness.partner();
    const id = await user({ email: 'hanako@example.com' });
    const { pid } = await harness.partner();
    const codeOf = async (reply: ReturnType<typeof find>) => Object(await reply).body.code;
    expect(await codeOf(find({ partnerId: pid, email: 'hanako@example.com' }))).toBe('E40403');
    expect(await codeOf(find({ partnerId: pid, accountId: id }))).toBe('E40403');
  });
});

describe('When a password is changed', () => {
  it('by a link that went to an address that is not theirs any more, then it is refused', async () => {
    const { pid, user } = await harness.partner();
    const id = await user({ email: 'Hanako@example.com' });
    const byLink = async (address: string) => {
      const { body, status } = await change(pid, id, { password: 'Another-1', address });
      return [status, Object(body).code];
    };
    expect(await byLink('before@example.com')).toEqual([404, 'E40403']);
    expect(await byLink('hanako@example.com')).toEqual([200, undefined]);
  });

  it('then the new one alone is right', async () => {
    const { pid, user, actor } = await harness.partner();
    const id = await user({ loginUserId: 'taro' });
    const reply = await change(pid, id, { currentPassword: password, password: 'Another-1' });
    expect([reply.status, reply.body]).toEqual([200, { role: 0, generation: 1 }]);
    expect((await verify(pid, { loginUserId: 'taro' })).status).toBe(401);
    const anew = await verify(pid, { loginUserId: 'taro', password: 'Another-1' });
    expect([anew.status, anew.body]).toMatchObject([200, { generation: 1 }]);
    const detail = await harness.call(userRoutes.getUser, { params: { pid, id } }, actor);
    expect(JSON.stringify(detail.body)).not.toContain('argon2');
  });

  it.each([
    ['in a session', { currentPassword: password }],
    ['by a link', { address: 'hanako@example.com' }],
  ])('%s while it is changed otherwise, then it is refused, and the other one stands', async (_, how) => {
    const { pid, user } = await harness.partner();
    const id = await user({ email: 'hanako@example.com' });
    await harness.sql(
      'UPDATE accounts SET password_hash = $2 WHERE id = $1',
      id,
      await createPasswordQueue().inBackground.hash(password),
    );
    const { body, status } = await whileChangedOtherwise(pid, id, async () =>
      change(pid, id, { ...how, password: 'Another-1' }),
    );
    expect([status, body.code]).toEqual([400, 'E40004']);
    expect(await account(id)).toMatchObject({ password_hash: 'another', generation: 1 });
  });

  it.each([
    [
      'as a user',
      async (pid: number, id: number) =>
        harness.refused(
          userRoutes.updateUser,
          { params: { pid, id }, body: { password: 'Another-1' } },
          partnerActor({ partnerId: pid, accountId: id }),
        ),
    ],
    [
      'as an admin',
      async (pid: number, adminId: number) =>
        harness.refused(
          companyAdminRoutes.updateCompanyAdmin,
          { params: { pid, adminId }, body: { password: 'Another-1' } },
          partnerActor({ partnerId: pid, accountId: adminId }),
        ),
    ],
  ] as const)(
    'by themselves, %s, while it is changed otherwise, then it is refused, and the other one stands',
    async (_, changeOwn) => {
      const { pid, user } = await harness.partner();
      const id = await user({ loginUserId: 'taro', role: userRoleBits.admin });
      const { body, status } = await whileChangedOtherwise(pid, id, async () => changeOwn(pid, id));
      expect([status, body.code]).toEqual([401, 'E40102']);
      expect(await account(id)).toMatchObject({ password_hash: 'another', generation: 1 });
    },
  );

  it.each([
    ...ways,
    ['by a link', async ({ pid }: TestPartner, id: number) => change(pid, id, { password: 'Another-1' })],
  ] as const)(
    '%s, then links from before are over, and later ones are not, nor for another role',
    async (_, by) => {
      const partner = await harness.partner();
      const { pid, user } = partner;
      const id = await user({ loginUserId: 'taro', role: userRoleBits.admin });
      const byLink = async (generation: number, to: string) => {
        const { body, status } = await change(pid, id, { password: to, generation });
        return body.code ?? status;
      };
      await by(partner, id);
      expect(await account(id)).toMatchObject({ generation: 1, password_generation: 1 });
      expect(await byLink(0, 'Third-11')).toBe('E40004');
      await edit(partner, id, { role: userRoleBits.admin | 1 });
      expect(await account(id)).toMatchObject({ generation: 2, password_generation: 1 });
      expect(await byLink(1, 'Third-11')).toBe(200);
      expect(await byLink(2, 'Fourth-1')).toBe('E40004');
      expect(await byLink(3, 'Fourth-1')).toBe(200);
    },
  );

  it('with wrong current ones, then ten lock the account as wrong sign-ins do', async () => {
    const { pid, user } = await harness.partner();
    const id = await user({ loginUserId: 'taro' });
    const guess = async (currentPassword: string, to = 'Another-1') => {
      const { body, status } = await change(pid, id, { currentPassword, password: to });
      return [status, body.code, Object(body).errors?.[0]?.field];
    };
    const wrong = [400, 'E40002', 'current_password'];
    for (let i = 0; i < 9; i++) expect(await guess(`Wrong-12${i}`)).toEqual(wrong);
    expect((await verify(pid, { loginUserId: 'taro', password: 'Wrong-123' })).status).toBe(401);
    expect((await verify(pid, { loginUserId: 'taro' })).status).toBe(401);
    // Now the right password gets the same answer as a wrong one.
    expect(await guess(password)).toEqual(wrong);
    expect(await guess(password, password)).toEqual(wrong);
    harness.clock.advance(15 * 60_000);
    expect(await guess(password)).toEqual([200, undefined, undefined]);
    expect(await account(id)).toMatchObject({ wrong_passwords: 0, locked_until: null });
  });

  it('sixty times at once with wrong current ones, then a few are compared, the others are refused, and somebody else signs in', async () => {
    const { pid, user } = await harness.partner();
    const id = await user({ loginUserId: 'taro' });
    await user({ loginUserId: 'jiro' });
    const guesses = Array.from({ length: 60 }, async (_, i) => {
      const body = { currentPassword: `Wrong-12${i}`, password: 'Another-1', clientAddress: '203.0.113.7' };
      return (await change(pid, id, body)).body.code;
    });
    expect((await verify(pid, { loginUserId: 'jiro' })).status).toBe(200);
    const codes = await Promise.all(guesses);
    const compared = codes.filter((code) => code === 'E40002').length;
    // Ten at once, and those that came when some of them had ended.
    expect(compared).toBeGreaterThanOrEqual(10);
    expect(compared).toBeLessThan(40);
    expect(codes.filter((code) => code === 'E50301')).toHaveLength(60 - compared);
    expect((await verify(pid, { loginUserId: 'taro' })).status).toBe(401);
  });

  it('to one of the most used or what they are called, then it is refused wherever it is chosen', async () => {
    const { actor, pid, user } = await harness.partner();
    const id = await user({ loginUserId: 'taro-2026', name: 'Taro One 1' });
    const admins = harness.call(
      companyAdminRoutes.createCompanyAdmin,
      { params: { pid }, body: { name: 'Admin', email: 'Admin2026@example.com', password } },
      actor,
    );
    const adminId = (await admins).body.id;
    const codes = async (to: string) => {
      const editing = (body: object) => ({ params: { pid, id }, body }) as const;
      const made = { name: 'Taro One 1', loginUserId: 'taro-2027', password: to };
      const replies = [
        await change(pid, id, { password: to }),
        await harness.call(userRoutes.updateUser, editing({ password: to }), actor),
        await harness.call(userRoutes.createUser, { params: { pid }, body: made }, actor),
      ];
      return replies.map(({ body }) => [Object(body).code, Object(body).errors?.[0]?.field]);
    };
    const refused = ['E40002', 'password'];
    expect(await codes('Password123')).toEqual([refused, refused, refused]);
    expect(await codes('tarooNe1')).toEqual([refused, refused, refused]);
    const ofAdmin = async (body: object) =>
      harness.refused(companyAdminRoutes.updateCompanyAdmin, { params: { pid, adminId }, body }, actor);
    for (const to of ['Password123', 'admin2026', 'ADMIN2026@example.com']) {
      expect((await ofAdmin({ password: to })).body).toMatchObject({
        code: 'E40002',
        errors: [{ field: 'password', message: fieldMessage('guessablePassword', 'en') }],
      });
    }
    expect((await ofAdmin({ email: 'root2026@example.com', password: 'root2026' })).body.code).toBe('E40002');
    const asAdmin = { name: 'New', email: 'new2026@example.com', password: 'New2026' };
    for (const body of [
      { ...asAdmin, password: 'new2026@EXAMPLE.com' },
      { ...asAdmin, password: 'Welcome1' },
    ]) {
      const reply = await harness.refused(
        companyAdminRoutes.createCompanyAdmin,
        { params: { pid }, body },
        actor,
      );
      expect(reply.body).toMatchObject({ code: 'E40002', errors: [{ field: 'password' }] });
    }
  });

  it('then a mail tells them at the address that they had, if they had a password and an address', async () => {
    const { actor, pid, user } = await harness.partner();
    const [byId, byEmail] = [
      await user({ loginUserId: 'taro' }),
      await user({ email: 'hanako@example.com' }),
    ];
    const mails = async () =>
      (await harness.mails()).flatMap(({ content, partnerId }) => (partnerId === pid ? [content] : []));
    // The first one is chosen, not changed.
    await change(pid, byEmail, { password });
    await change(pid, byId, { password: 'Another-1' });
    expect(await mails()).toEqual([]);
    await change(pid, byEmail, { password: 'Another-1' });
    const told = { template: 'passwordChanged', name: 'A user', to: 'hanako@example.com', language: null };
    expect(await mails()).toEqual([told]);
    const { body } = await harness.call(
      companyAdminRoutes.createCompanyAdmin,
      { params: { pid }, body: { name: 'Admin', email: 'before@example.com', password } },
      actor,
    );
    await harness.call(
      companyAdminRoutes.updateCompanyAdmin,
      {
        params: { pid, adminId: body.id },
        body: { name: 'Changed', email: 'after@example.com', password: 'Another-1' },
      },
      actor,
    );
    expect(await mails()).toEqual([told, { ...told, name: 'Admin', to: 'before@example.com' }]);
  });

  it('then that sessions end is told with it, but for the one in which it was changed', async () => {
    const { pid, user } = await harness.partner();
    const id = await user({ loginUserId: 'taro' });
    await change(pid, id, { password: 'Another-1', keptSessionId: 'kept' });
    await change(pid, id, { password: 'Another-2' });
    const told = (await harness.events('user.signed_out')).filter(({ partnerid }) => partnerid === pid);
    expect(told.map(({ data }) => data)).toEqual([
      { userId: id, generation: 1, passwordChanged: true, keptSessionId: 'kept' },
      { userId: id, generation: 2, passwordChanged: true },
    ]);
  });

  it('then a lock of wrong passwords is lifted', async () => {
    const { pid, user } = await harness.partner();
    const id = await user({ loginUserId: 'taro' });
    for (let wrong = 0; wrong < 10; wrong += 1) {
      await verify(pid, { loginUserId: 'taro', password: 'Wrong-123' });
    }
    expect((await verify(pid, { loginUserId: 'taro' })).status).toBe(401);
    expect((await change(pid, id, { password: 'Another-1' })).status).toBe(200);
    expect((await verify(pid, { loginUserId: 'taro', password: 'Another-1' })).status).toBe(200);
    expect(await account(id)).toMatchObject({ wrong_passwords: 0, locked_until: null });
  });

  it('then the current one must be right and the new one another', async () => {
    const { pid, user } = await harness.partner();
    const id = await user({ loginUserId: 'taro' });
    const { password_hash: before } = (await account(id)) ?? {};
    expect(await change(pid, id, { currentPassword: 'Wrong-123', password: 'Another-1' })).toMatchObject({
      status: 400,
      body: { code: 'E40002', errors: [{ field: 'current_password', key: 'wrongCurrentPassword' }] },
    });
    expect(await change(pid, id, { currentPassword: password, password })).toMatchObject({
      status: 400,
      body: { code: 'E40002', errors: [{ field: 'password', key: 'samePassword' }] },
    });
    expect((await account(id))?.password_hash).toBe(before);
  });

  it('then it is an account of this partner', async () => {
    const [own, other] = [await harness.partner(), await harness.partner()];
    const foreign = await other.user({});
    for (const id of [foreign, 999_999]) {
      expect(await change(own.pid, id, { password: 'Another-1' })).toMatchObject({
        status: 404,
        body: { code: 'E40403' },
      });
    }
  });
});

describe('Passwords', () => {
  it('take as long to refuse for an account that does not exist', async () => {
    const passwords = createPasswordQueue().inBackground;
    const stored = await passwords.hash(password);
    const refuse = async (hash: string | null) => {
      const start = performance.now();
      expect(await passwords.matches(hash, 'Wrong-123')).toBe(false);
      return performance.now() - start;
    };
    await refuse(null);
    const [known, unknown]: [number[], number[]] = [[], []];
    for (let i = 0; i < 15; i++) {
      known.push(await refuse(stored));
      unknown.push(await refuse(null));
    }
    // The shortest time of each: other load of the machine can only add to a time.
    const ratio = Math.min(...unknown) / Math.min(...known);
    expect(ratio).toBeGreaterThan(0.5);
    expect(ratio).toBeLessThan(2);
  });

  it('have a salt each', async () => {
    const passwords = createPasswordQueue().inBackground;
    expect(await passwords.hash(password)).not.toBe(await passwords.hash(password));
  });
});
