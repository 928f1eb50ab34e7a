import {
  companyAdminRoutes,
  identityEvents,
  type RouteRequest,
  userRoleBits,
  userRoutes,
} from '@portal/contracts';
import {
  changeAccountPassword,
  checkAccountPassword,
  settleLogin,
  verifyLogin,
} from '@portal/contracts/internal';
import { type Actor, partnerActor } from '@portal/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { password, startUserHarness, type UserHarness } from './user-harness.ts';

let harness: UserHarness;

beforeAll(async () => {
  harness = await startUserHarness();
});
afterAll(async () => harness.stop());

const account = async (id: number) => {
  const [row] = await harness.sql<{
    wrong_passwords: number;
    locked_until: Date | null;
    last_login_at: Date | null;
    generation: number;
  }>('SELECT * FROM accounts WHERE id = $1', id);
  if (!row) throw new Error('No such account');
  return row;
};
/** The status of an answer, with the code and the fields of a refusal. */
const told = ({ body, status }: { status: number; body: object }) => {
  const { code, errors = [] } = body as { code?: string; errors?: readonly { field: string }[] };
  return status < 400 ? status : [code, ...errors.map(({ field }) => field)].join(' ');
};
const tell = async (partnerId: number | null, accountId: number, revision: number, enabled: boolean) =>
  harness.deliver(identityEvents.twoFactorChanged, {
    subject: accountId,
    partnerId,
    data: { accountKind: partnerId === null ? 'admin' : 'account', accountId, revision, enabled },
  });

/** A person who may enter the portal. */
async function person() {
  const { pid, user } = await harness.partner();
  const id = await user({ name: 'Taro', loginUserId: 'taro', role: 1 });
  const verify = async (presented = password, settles = false) =>
    harness.callAs('identity', verifyLogin, {
      body: { partnerId: pid, loginUserId: 'taro', password: presented, settles },
    });
  const settle = async (how: Partial<RouteRequest<typeof settleLogin>['body']> & { right: boolean }) =>
    harness.callAs('identity', settleLogin, {
      body: { partnerId: pid, accountId: id, signsIn: true, ...how },
    });
  return { pid, id, verify, settle };
}

describe('When a right password is but half of a sign-in', () => {
  it('then it changes nothing, until it is settled', async () => {
    const { id, settle, verify } = await person();
    for (let n = 0; n < 3; n += 1) expect(told(await verify('wrong'))).toBe('E40101');
    expect(await verify()).toMatchObject({ status: 200, body: { id, name: 'Taro', role: 1, groups: [] } });
    expect(await account(id)).toMatchObject({ wrong_passwords: 3, last_login_at: null });
    const { body, status } = await settle({ right: true, generation: (await account(id)).generation });
    expect([status, body]).toMatchObject([200, { id, name: 'Taro', groups: [] }]);
    expect(await account(id)).toMatchObject({ wrong_passwords: 0, last_login_at: harness.clock.now() });
  });

  it('then a code that signs nobody in is no last sign-in', async () => {
    const { id, settle, verify } = await person();
    await verify('wrong');
    expect(told(await settle({ right: true, signsIn: false }))).toBe(200);
    expect(await account(id)).toMatchObject({ wrong_passwords: 0, last_login_at: null });
  });

  it('then wrong codes lock the account with the tenth, with wrong passwords, of many at once too', async () => {
    const { id, settle, verify } = await person();
    await verify('wrong');
    const wrong = await Promise.all(Array.from({ length: 9 }, async () => settle({ right: false })));
    expect(wrong.map(told)).toEqual(Array(9).fill('E40101'));
    expect((await account(id)).locked_until).not.toBeNull();
    expect(told(await settle({ right: true }))).toBe('E40101');
    expect(told(await verify())).toBe('E40101');
    harness.clock.advance(15 * 60_000);
    expect(told(await verify())).toBe(200);
    expect(told(await settle({ right: true }))).toBe(200);
  });

  it('of another password or role by now, or of nobody, then E40004, and nothing is counted', async () => {
    const { id, settle } = await person();
    const { generation } = await account(id);
    for (const right of [true, false]) {
      expect(told(await settle({ right, generation: generation + 1 }))).toBe('E40004');
      expect(told(await settle({ right, accountId: 999_999 }))).toBe('E40004');
    }
    expect(await account(id)).toMatchObject({ wrong_passwords: 0, last_login_at: null });
  });
});

describe('When somebody who is signed in shows their password', () => {
  it('then a wrong one is E40002 on password, and counts', async () => {
    const { id, pid } = await person();
    const check = async (presented: string, of = id) =>
      harness.callAs('identity', checkAccountPassword, {
        params: { id: of },
        body: { partnerId: pid, password: presented },
      });
    expect(told(await check(password))).toBe(200);
    expect(told(await check(password, 999_999))).toBe('E40403');
    for (let n = 0; n < 10; n += 1) expect(told(await check('wrong'))).toBe('E40002 password');
    expect(told(await check(password))).toBe('E40002 password');
  });
});

describe('When somebody with two factors signs in to a player', () => {
  it('then the password alone takes no wrong codes back, and ten of them lock the account', async () => {
    const { id, pid, settle, verify } = await person();
    await tell(pid, id, 1, true);
    for (let n = 0; n < 9; n += 1) expect(told(await settle({ right: false }))).toBe('E40101');
    expect(told(await verify(password, true))).toBe(200);
    expect(await account(id)).toMatchObject({ wrong_passwords: 9 });
    await settle({ right: false });
    expect(told(await settle({ right: true }))).toBe('E40101');
    expect(told(await verify(password, true))).toBe('E40101');
    harness.clock.advance(15 * 60_000);
    expect(told(await verify(password, true))).toBe(200);
    await settle({ right: false });
    expect(told(await settle({ right: true }))).toBe(200);
    expect(await account(id)).toMatchObject({ wrong_passwords: 0, locked_until: null });
  });
});

describe('When somebody with two factors changes their password', () => {
  it.each([
    [
      'a user',
      async (pid: number, id: number, to: string, actor: Actor) =>
        harness.call(userRoutes.updateUser, { params: { pid, id }, body: { password: to } }, actor),
    ],
    [
      'a company admin',
      async (pid: number, id: number, to: string, actor: Actor) =>
        harness.call(
          companyAdminRoutes.updateCompanyAdmin,
          { params: { pid, adminId: id }, body: { password: to } },
          actor,
        ),
    ],
  ])('on the page of %s, then their own takes no wrong codes back, that of another does', async (_, edit) => {
    const { actor, pid, user } = await harness.partner();
    const id = await user({ loginUserId: 'taro', role: userRoleBits.admin });
    await tell(pid, id, 1, true);
    for (let n = 0; n < 5; n += 1) {
      await harness.callAs('identity', settleLogin, {
        body: { partnerId: pid, accountId: id, right: false, signsIn: true },
      });
    }
    const self = partnerActor({ partnerId: pid, accountId: id });
    expect(told(await edit(pid, id, 'Another1password', self))).toBe(200);
    expect(await account(id)).toMatchObject({ wrong_passwords: 5 });
    expect(told(await edit(pid, id, 'Third1password', actor))).toBe(200);
    expect(await account(id)).toMatchObject({ wrong_passwords: 0 });
  });

  it('then neither the present one nor the change takes wrong codes back', async () => {
    const { id, pid, settle } = await person();
    const change = async (to: string, twoFactor: boolean) =>
      harness.callAs('identity', changeAccountPassword, {
        params: { id },
        body: { partnerId: pid, currentPassword: password, password: to, twoFactor },
      });
    for (let n = 0; n < 5; n += 1) await settle({ right: false });
    expect(told(await change(password, true))).toBe('E40002 password');
    expect(await account(id)).toMatchObject({ wrong_passwords: 5 });
    expect(told(await change('Another1password', true))).toBe(200);
    expect(await account(id)).toMatchObject({ wrong_passwords: 5 });
  });
});

describe('When the two factors of somebody change', () => {
  it('then lists and details show it, and an earlier change that comes late changes nothing', async () => {
    const { actor, pid, user } = await harness.partner();
    const id = await user({ loginUserId: 'taro' });
    const shown = async () => {
      const { body } = await harness.call(userRoutes.getUser, { params: { pid, id } }, actor);
      return body.twoFactor;
    };
    expect(await shown()).toBe(false);
    await tell(pid, id, 1, true);
    expect(await shown()).toBe(true);
    await tell(pid, id, 3, true);
    await tell(pid, id, 2, false);
    expect(await shown()).toBe(true);
    await tell(pid, id, 4, false);
    expect(await shown()).toBe(false);
    // That of an administrator of the platform with the same id is none of theirs.
    await tell(null, id, 9, true);
    expect(await shown()).toBe(false);
  });

  it('then rows of company admins show it', async () => {
    const { actor, pid } = await harness.partner();
    const made = await harness.call(
      companyAdminRoutes.createCompanyAdmin,
      { params: { pid }, body: { name: 'Adam', email: 'adam@example.com', password } },
      actor,
    );
    await tell(pid, made.body.id, 1, true);
    const { body } = await harness.call(
      companyAdminRoutes.listCompanyAdmins,
      { params: { pid }, query: {} },
      actor,
    );
    expect(body.admins.map(({ id, twoFactor }) => [id, twoFactor])).toContainEqual([made.body.id, true]);
  });
});
