import { companyAdminRoutes, userRoutes } from '@portal/contracts';
import {
  changeProvisionedGroup,
  changeProvisionedUser,
  createProvisionedUser,
  deleteProvisionedUser,
  recordSsoLogin,
  settleLogin,
  verifyLogin,
} from '@portal/contracts/internal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { password, startUserHarness, type TestPartner, type UserHarness } from './user-harness.ts';

/** More than the service has connections, of either kind. */
const many = 12;

let harness: UserHarness;
beforeAll(async () => {
  harness = await startUserHarness();
});
afterAll(async () => harness.stop());

interface Member {
  readonly id: number;
  readonly loginUserId: string;
}

async function usersOf({ user }: TestPartner, count: number): Promise<Member[]> {
  const users: Member[] = [];
  for (let index = 0; index < count; index += 1) {
    const loginUserId = `member-${index}`;
    users.push({ id: await user({ name: loginUserId, loginUserId }), loginUserId });
  }
  return users;
}

const signIn = async ({ pid }: TestPartner, { loginUserId }: Member, given = password) =>
  (
    await harness.callAs('identity', verifyLogin, {
      body: { partnerId: pid, loginUserId, password: given, licensed: true, settles: true },
    })
  ).status;
const signInBySso = async ({ pid }: TestPartner, { id }: Member) =>
  (
    await harness.callAs('identity', recordSsoLogin, {
      body: { partnerId: pid, accountId: id, licensed: true },
    })
  ).status;
const settle = async ({ pid }: TestPartner, { id }: Member) =>
  (
    await harness.callAs('identity', settleLogin, {
      body: { partnerId: pid, accountId: id, right: true, signsIn: true },
    })
  ).status;
const rename = async ({ pid }: TestPartner, { id }: Member, name: string) =>
  (await harness.callAs('sso', changeProvisionedUser, { body: { partnerId: pid, id, name } })).status;

/** What another tenant does all day. A call that finds no connection is refused after five seconds. */
async function othersDoTheirs(other: TestPartner, member: Member): Promise<void> {
  const { actor, pid } = other;
  expect((await harness.call(userRoutes.listUsers, { params: { pid }, query: {} }, actor)).status).toBe(200);
  expect(await rename(other, member, 'Another name')).toBe(200);
  expect(await signIn(other, member)).toBe(200);
  expect(await settle(other, member)).toBe(200);
}

describe('While a large change holds a tenant', () => {
  it('then more changes of it than there are connections wait, and other tenants notice nothing', async () => {
    const [own, other] = [await harness.partner(), await harness.partner()];
    const { actor, pid } = own;
    const group = await own.group('Sales');
    const [deleted, ...users] = (await usersOf(own, many + 1)) as [Member, ...Member[]];
    const [othersMember] = (await usersOf(other, 1)) as [Member];
    const [first, second] = users as [Member, Member];
    const params = { pid };
    await harness.whileHeld(pid, async (release) => {
      const waiting = [
        ...users.map(async (user) => rename(own, user, `Renamed ${user.id}`)),
        harness
          .callAs('sso', createProvisionedUser, {
            body: { partnerId: pid, login: 'new', name: 'New', externalId: null, active: true },
          })
          .then(({ status }) => status),
        harness
          .callAs('sso', changeProvisionedGroup, {
            body: { partnerId: pid, id: group, add: [first.id], withMembers: false },
          })
          .then(({ status }) => status),
        harness
          .callAs('sso', deleteProvisionedUser, { body: { partnerId: pid, id: deleted.id } })
          .then(({ status }) => status),
        harness
          .call(userRoutes.addGroupUsers, { params: { pid, id: group }, body: { ids: [second.id] } }, actor)
          .then(({ status }) => status),
        harness
          .call(userRoutes.changeUsersGroups, { params, body: { ids: [first.id], add: [group] } }, actor)
          .then(({ status }) => status),
        harness
          .call(
            companyAdminRoutes.createCompanyAdmin,
            { params, body: { name: 'Admin', email: 'admin@example.com', createUserFlag: true } },
            actor,
          )
          .then(({ status }) => status),
      ];
      await othersDoTheirs(other, othersMember);
      const [row] = await harness.sql('SELECT name FROM accounts WHERE id = $1', second.id);
      expect(row).toEqual({ name: second.loginUserId });
      await release();
      const statuses = await Promise.all(waiting);
      expect(statuses.slice(0, many)).toEqual(users.map(() => 200));
      expect(statuses.slice(many).every((status) => status === 200 || status === 201)).toBe(true);
    });
    expect(await harness.sql('SELECT 1 FROM accounts WHERE id = $1', deleted.id)).toEqual([]);
  });

  it('then each change that waited is logged as of who made it', async () => {
    const own = await harness.partner();
    const users = await usersOf(own, 3);
    const actors = users.map((_, index) => ({ ...own.actor, id: 2_000_000 + index }));
    await harness.whileHeld(own.pid, async (release) => {
      const waiting = users.map(async ({ id }, index) =>
        harness.call(
          userRoutes.updateUser,
          { params: { pid: own.pid, id }, body: { name: `Name ${index}` } },
          actors[index],
        ),
      );
      await release();
      await Promise.all(waiting);
    });
    const logged = (await harness.events())
      .filter(({ partnerid, type }) => partnerid === own.pid && type === 'operation.logged')
      .map(({ data }) => data as { accountId: number; operation: string; targetIds: number[] })
      .filter(({ operation }) => operation === userRoutes.updateUser.id)
      .map(({ accountId, targetIds }) => [accountId, targetIds]);
    expect(logged).toHaveLength(users.length);
    expect(logged).toEqual(expect.arrayContaining(users.map(({ id }, index) => [2_000_000 + index, [id]])));
  });
});

describe('While a large change holds the accounts of a tenant', () => {
  it('then more sign-ins of it than there are connections wait, and other tenants notice nothing', async () => {
    const [own, other] = [await harness.partner(), await harness.partner()];
    const users = await usersOf(own, many);
    const [othersMember] = (await usersOf(other, 1)) as [Member];
    await harness.whileHeld(
      own.pid,
      async (release) => {
        const waiting = users.flatMap((user) => [
          signIn(own, user),
          signInBySso(own, user),
          settle(own, user),
        ]);
        // Each of them has found its account held.
        await othersDoTheirs(other, othersMember);
        await othersDoTheirs(other, othersMember);
        expect(
          await harness.sql(
            'SELECT 1 FROM accounts WHERE partner_id = $1 AND last_login_at IS NOT NULL',
            own.pid,
          ),
        ).toEqual([]);
        await release();
        expect(await Promise.all(waiting)).toEqual(waiting.map(() => 200));
      },
      ['accounts'],
    );
  });

  it('then wrong passwords wait as well, and are counted', async () => {
    const [own, other] = [await harness.partner(), await harness.partner()];
    const users = await usersOf(own, many);
    const [othersMember] = (await usersOf(other, 1)) as [Member];
    await harness.whileHeld(
      own.pid,
      async (release) => {
        const waiting = users.map(async (user) => signIn(own, user, 'Another-word-9'));
        await othersDoTheirs(other, othersMember);
        await release();
        expect(await Promise.all(waiting)).toEqual(waiting.map(() => 401));
      },
      ['accounts'],
    );
    const counted = await harness.sql('SELECT wrong_passwords FROM accounts WHERE partner_id = $1', own.pid);
    expect(counted).toEqual(users.map(() => ({ wrong_passwords: 1 })));
  });
});
