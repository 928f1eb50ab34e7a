import { tenantEvents, userEvents, userRoutes } from '@portal/contracts';
import { demoUsersSeal, verifyLogin } from '@portal/contracts/internal';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startUserHarness, type TestPartner, type UserHarness } from './user-harness.ts';

/** What the user service makes for a new partner that is to be tried. */

let harness: UserHarness;
beforeAll(async () => {
  harness = await startUserHarness();
});
afterAll(async () => harness.stop());

const wanted = [
  { loginUserId: 'demo1', password: 'kT7mWq2xHs9bZd4r' },
  { loginUserId: 'demo2', password: 'pN3vRf8yLc6gXa5j' },
  { loginUserId: 'demo3', password: 'wB4hQz7tKe2sMu9n' },
];

async function request(pid: number, times = 1) {
  const sealed = harness.sealsOf('tenant').seal(JSON.stringify(wanted), demoUsersSeal(pid), 'user');
  const data = { partnerId: pid, sealed };
  await harness.deliver(tenantEvents.demoUsersRequested, { subject: pid, partnerId: pid, data, times });
}
const groupsOf = async (pid: number) =>
  harness.sql<{ id: number; name: string }>('SELECT id, name FROM groups WHERE partner_id = $1', pid);
const usersOf = async (pid: number) =>
  harness.sql<{ id: number; login: string }>(
    'SELECT id, login_user_id AS login FROM accounts WHERE partner_id = $1 AND is_user ORDER BY id',
    pid,
  );
const loginsOf = async (pid: number) => (await usersOf(pid)).map(({ login }) => login);
const membersOf = async ({ actor, pid }: TestPartner, groupId: number) => {
  const query = { groupId, orderKey: 'id', order: 'asc' } as const;
  const { body } = await harness.call(userRoutes.listUsers, { params: { pid }, query }, actor);
  return 'totalCount' in body ? body.users.map(({ loginUserId }) => loginUserId) : [];
};
const verify = async (pid: number, login: { loginUserId: string; password: string }) =>
  (await harness.callAs('identity', verifyLogin, { body: { partnerId: pid, ...login } })).status;
const toldOf = async (type: string, pid: number) =>
  (await harness.events(type)).filter(({ partnerid }) => partnerid === pid);

describe('When users to try a new partner with are requested', () => {
  test('then they are made once, in a group, and sign in with the passwords', async () => {
    const partner = await harness.partner();
    const { pid } = partner;
    await request(pid, 2);
    const groups = await groupsOf(pid);
    expect(groups.map(({ name }) => name)).toEqual(['Demo']);
    expect(await loginsOf(pid)).toEqual(['demo1', 'demo2', 'demo3']);
    expect(await membersOf(partner, groups[0]?.id ?? 0)).toEqual(['demo1', 'demo2', 'demo3']);
    for (const login of wanted) expect(await verify(pid, login)).toBe(200);
    expect(await verify(pid, { loginUserId: 'demo1', password: wanted[1]?.password ?? '' })).toBe(401);

    expect(await toldOf(userEvents.groupCreated.type, pid)).toHaveLength(1);
    const told = (await toldOf(userEvents.userCreated.type, pid)).map(({ data }) => data);
    expect(told).toHaveLength(3);
    expect(told[0]).toMatchObject({ name: 'demo1', loginUserId: 'demo1', groupIds: [groups[0]?.id] });
    expect(JSON.stringify(told)).not.toContain(wanted[0]?.password);
  });

  test('a second time, then nothing more is made, and nothing changes', async () => {
    const { pid } = await harness.partner();
    await request(pid);
    const before = [await groupsOf(pid), await usersOf(pid)];
    await request(pid);
    expect([await groupsOf(pid), await usersOf(pid)]).toEqual(before);
    expect(await toldOf(userEvents.userCreated.type, pid)).toHaveLength(3);
  });

  test('of a partner that was deleted meanwhile, then nothing is made', async () => {
    const { pid } = await harness.partner();
    await harness.deliver(tenantEvents.partnerDeleted, {
      subject: pid,
      partnerId: pid,
      data: { partnerId: pid },
    });
    await request(pid);
    expect([await groupsOf(pid), await usersOf(pid)]).toEqual([[], []]);
  });

  test('and somebody has a name of theirs already, then that stays and the others are made', async () => {
    const { group, pid, user } = await harness.partner();
    await group('DEMO');
    const own = await user({ loginUserId: 'Demo2' });
    await request(pid);
    expect((await groupsOf(pid)).map(({ name }) => name)).toEqual(['DEMO']);
    expect(await usersOf(pid)).toContainEqual({ id: own, login: 'Demo2' });
    expect((await loginsOf(pid)).sort()).toEqual(['Demo2', 'demo1', 'demo3']);
  });

  test('and the licences for users are fewer by now, then no more are made than there are', async () => {
    const { pid } = await harness.partner({ licenseCount: 2 });
    await request(pid);
    expect(await loginsOf(pid)).toEqual(['demo1', 'demo2']);
    const devices = await harness.partner({ licenseType: 'device', licenseCount: 1 });
    await request(devices.pid);
    expect(await loginsOf(devices.pid)).toEqual(['demo1', 'demo2', 'demo3']);
  });
});
