import { adminRoleBits, userRoutes } from '@portal/contracts';
import { type Actor, adminActor } from '@portal/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startUserHarness, type TestPartner, type UserHarness } from './user-harness.ts';

/** Administrators and the people of a tenant: they read its users and groups, and nothing else. */

const { groupAdministration, userAdministration } = adminRoleBits;
const unknownPartner = 900_000;

let harness: UserHarness;
let tenant: TestPartner;
let other: TestPartner;
let group: number;
let user: number;

beforeAll(async () => {
  harness = await startUserHarness();
  tenant = await harness.partner({ unitId: 7 });
  other = await harness.partner({ unitId: 8 });
  group = await tenant.group('Sales');
  user = await tenant.user({ name: 'Taro', groupIds: [group] });
});
afterAll(async () => harness.stop());

/** The four reads, each by the right that it needs. */
const reads = {
  users: (actor: Actor, pid = tenant.pid) =>
    harness.call(userRoutes.listUsers, { params: { pid }, query: {} }, actor),
  user: (actor: Actor, pid = tenant.pid) =>
    harness.call(userRoutes.getUser, { params: { pid, id: user } }, actor),
  groups: (actor: Actor, pid = tenant.pid) =>
    harness.call(userRoutes.listGroups, { params: { pid }, query: {} }, actor),
  group: (actor: Actor, pid = tenant.pid) =>
    harness.call(userRoutes.getGroup, { params: { pid, id: group } }, actor),
};
const named = [
  ['users', reads.users, userAdministration],
  ['user', reads.user, userAdministration],
  ['groups', reads.groups, groupAdministration],
  ['group', reads.group, groupAdministration],
] as const;

describe.each(named)('When an administrator reads the %s of a tenant', (_, read, bit) => {
  const refusal = async (actor: Actor, pid?: number) => {
    const { body, status } = await read(actor, pid);
    return [status, Object(body).code];
  };

  it('then it is what the people of the tenant read', async () => {
    const own = await read(tenant.actor);
    expect(JSON.stringify(own.body)).toContain('Sales');
    for (const actor of [adminActor({ role: bit }), adminActor({ role: 15, unitId: 7 })]) {
      const { body, status } = await read(actor);
      expect([status, body]).toEqual([200, own.body]);
    }
  });

  it('then it needs the right to them, and no other one', async () => {
    expect(await refusal(adminActor({ role: 127 & ~bit }))).toEqual([403, 'E40301']);
    expect(await refusal(adminActor({ role: 63 & ~bit, unitId: 7 }))).toEqual([403, 'E40301']);
  });

  it('then a tenant of another unit does not exist, nor does one that nobody knows', async () => {
    expect(await refusal(adminActor({ role: 63, unitId: 8 }))).toEqual([404, 'E40402']);
    for (const unitId of [null, 7]) {
      expect(await refusal(adminActor({ role: 63, unitId }), unknownPartner)).toEqual([404, 'E40402']);
    }
  });
});

describe('When an administrator names what is of another tenant', () => {
  it('then it is not among that of this one', async () => {
    const code = async (reply: Promise<{ status: number; body: object }>) => {
      const { body, status } = await reply;
      return [status, Object(body).code];
    };
    expect(await code(reads.user(adminActor(), other.pid))).toEqual([404, 'E40403']);
    expect(await code(reads.group(adminActor(), other.pid))).toEqual([404, 'E40404']);
    expect(await code(reads.users(adminActor(), other.pid))).toEqual([200, undefined]);
  });
});

describe('When an administrator tries to change the people of a tenant', () => {
  it('then the calls are not for them', async () => {
    const all = adminActor();
    const { pid } = tenant;
    const ofUser = { pid, id: user };
    const ofGroup = { pid, id: group };
    const replies = [
      await harness.refused(userRoutes.updateUser, { params: ofUser, body: { name: 'x' } }, all),
      await harness.refused(userRoutes.deleteUsers, { params: { pid }, body: { ids: [user] } }, all),
      await harness.refused(userRoutes.createGroup, { params: { pid }, body: { name: 'x', role: 0 } }, all),
      await harness.refused(userRoutes.updateGroup, { params: ofGroup, body: { name: 'x' } }, all),
      await harness.refused(userRoutes.deleteGroup, { params: ofGroup }, all),
      await harness.refused(userRoutes.exportGroups, { params: { pid }, query: {} }, all),
    ];
    expect(replies.map(({ body, status }) => [status, body.code])).toEqual(
      replies.map(() => [401, 'E40102']),
    );
    expect((await reads.user(tenant.actor)).body).toMatchObject({ name: 'Taro' });
  });
});
