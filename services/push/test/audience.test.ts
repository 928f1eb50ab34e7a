import { type EventData, pushRoutes, type RouteRequest, tenantEvents, userEvents } from '@portal/contracts';
import { findPushSending } from '@portal/contracts/internal';
import { adminActor, partnerActor } from '@portal/testing';
import { serviceAccountKey } from '@portal/testing/service-account';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AudienceHarness, startAudienceHarness } from './audience-harness.ts';
import { type TestPartner, trying } from './push-harness.ts';

/** Whom a push names, and how many people and devices that are. */

let harness: AudienceHarness;
let ids = 10_000;
beforeAll(async () => {
  harness = await startAudienceHarness();
});
afterAll(async () => harness?.stop());

const { countPushAudience } = pushRoutes;
type Audience = RouteRequest<typeof countPushAudience>['body'];
const attempt = trying(() => harness);
const asking = async ({ admin, pid }: TestPartner, body: Audience) =>
  attempt(countPushAudience, { params: { pid }, body }, admin);
const counted = async ({ pid, sender }: TestPartner, body: Audience) =>
  (await harness.call(countPushAudience, { params: { pid }, body }, sender)).body;
const count = async (of: TestPartner, body: Audience) => {
  const { sends: _, ...counts } = await counted(of, body);
  return counts;
};

const personState = (userId: number, groupIds: number[] = []): EventData<typeof userEvents.userCreated> => ({
  userId,
  revision: 1,
  name: 'New',
  email: 'new@example.com',
  loginUserId: null,
  role: 0,
  isUser: true,
  groupIds,
});

/** A tenant with a group of two users, of whom one has two devices, and a third user with one device. */
async function tenant() {
  const partner = await harness.partner();
  const { pid: partnerId } = partner;
  const [groupId, taro, jiro, hanako] = [++ids, ++ids, ++ids, ++ids];
  await harness.group(partnerId, groupId);
  await harness.person(partnerId, taro, { groupIds: [groupId] });
  await harness.person(partnerId, jiro, { groupIds: [groupId] });
  await harness.person(partnerId, hanako);
  await harness.tell({ partnerId, userId: taro, uuid: 'a' }, `${taro} a`);
  await harness.tell({ partnerId, userId: taro, uuid: 'b', service: 'apns' }, `${taro} b`);
  await harness.tell({ partnerId, userId: hanako, uuid: 'c' }, `${hanako} c`);
  return { ...partner, groupId, taro, jiro, hanako };
}

describe('When somebody asks whom a push reaches', () => {
  it('then everyone, a group and users are counted, with those who have a device and their devices', async () => {
    const of = await tenant();
    expect(await count(of, {})).toEqual({ users: 3, people: 2, devices: 3 });
    expect(await count(of, { groupId: 0, userIds: [] })).toEqual({ users: 3, people: 2, devices: 3 });
    expect(await count(of, { groupId: null, userIds: null })).toEqual({ users: 3, people: 2, devices: 3 });
    expect(await count(of, { groupId: of.groupId })).toEqual({ users: 2, people: 1, devices: 2 });
    expect(await count(of, { userIds: [of.taro, of.jiro, of.taro] })).toEqual({
      users: 2,
      people: 1,
      devices: 2,
    });
    expect(await count(of, { userIds: [of.jiro] })).toEqual({ users: 1, people: 0, devices: 0 });
  });

  it('then a company admin who is no user counts nowhere, and is none to be named', async () => {
    const of = await tenant();
    await harness.person(of.pid, of.hanako, { isUser: false });
    expect(await count(of, {})).toEqual({ users: 2, people: 1, devices: 2 });
    expect(await asking(of, { userIds: [of.hanako] })).toEqual([404, 'E40403', 'user_ids']);
  });

  it('then a group and users together, unknown ones, and too many are refused', async () => {
    const [of, other] = [await tenant(), await tenant()];
    expect(await asking(of, { groupId: of.groupId, userIds: [of.taro] })).toEqual([
      400,
      'E40002',
      'user_ids',
    ]);
    expect(await asking(of, { groupId: 999_999 })).toEqual([404, 'E40404', 'group_id']);
    expect(await asking(of, { groupId: other.groupId })).toEqual([404, 'E40404', 'group_id']);
    expect(await asking(of, { userIds: [of.taro, 999_999] })).toEqual([404, 'E40403', 'user_ids']);
    expect(await asking(of, { userIds: [other.taro] })).toEqual([404, 'E40403', 'user_ids']);
    const many = Array.from({ length: 1001 }, (_, at) => at + 1);
    expect(await asking(of, { userIds: many })).toEqual([400, 'E40002', 'user_ids']);
  });

  it('then who may send pushes may, and nobody else', async () => {
    const { pid } = await tenant();
    for (const [role, expected] of [
      [16, [403, 'E40301']],
      [1, [200, undefined]],
    ] as const) {
      const actor = partnerActor({ partnerId: pid, accountId: 5, role });
      expect(await attempt(countPushAudience, { params: { pid }, body: {} }, actor)).toEqual(expected);
    }
    const entry = await harness.partner({ contractRank: 'entry' });
    expect(await asking(entry, {})).toEqual([403, 'E40304']);
  });

  it('then it is told whether there is a certificate to send with, to the file service as well', async () => {
    const [own, other, standard] = [
      await harness.partner(),
      await harness.partner(),
      await harness.partner({ contractRank: 'standard' }),
    ];
    const sends = async (of: TestPartner) => {
      const asked = await harness.callAs('file', findPushSending, { body: { partnerId: of.pid } });
      expect((await counted(of, {})).sends).toBe(asked.body.sends);
      return asked.body.sends;
    };
    expect([await sends(own), await sends(other)]).toEqual([false, false]);
    await own.certification();
    expect([await sends(own), await sends(other)]).toEqual([true, false]);
    // One that the contract does not have any more is none to send with.
    const { partnerUpdated } = tenantEvents;
    const lowered = partnerUpdated.data.parse({
      ...partnerUpdated.example,
      partnerId: own.pid,
      contractRank: 'standard',
      revision: 9,
    });
    await harness.deliver(partnerUpdated, { subject: own.pid, partnerId: own.pid, data: lowered });
    expect(await sends(own)).toBe(false);
    const body = { apiKey: serviceAccountKey() };
    const made = await harness.call(pushRoutes.createOperatorCertification, { body }, adminActor());
    expect(made.status).toBe(201);
    expect([await sends(own), await sends(other), await sends(standard)]).toEqual([true, true, true]);
  });

  it('then a group and a user of whom no event has arrived yet are known, and kept', async () => {
    const of = await harness.partner();
    const [groupId, userId] = [++ids, ++ids];
    expect(await asking(of, { groupId })).toEqual([404, 'E40404', 'group_id']);
    harness.unheard.partnerId = of.pid;
    harness.unheard.groups.push({ groupId, revision: 1, name: 'New', note: '', role: 0 });
    harness.unheard.users.push(personState(userId, [groupId]));
    await harness.tell({ partnerId: of.pid, userId, uuid: 'a' }, `${userId} a`);
    expect(await count(of, { groupId })).toEqual({ users: 0, people: 0, devices: 0 });
    expect(await count(of, { userIds: [userId] })).toEqual({ users: 1, people: 1, devices: 1 });
    expect(await count(of, { groupId })).toEqual({ users: 1, people: 1, devices: 1 });
    // What the user service says now is not asked for again.
    harness.unheard.partnerId = 0;
    expect(await count(of, { groupId })).toEqual({ users: 1, people: 1, devices: 1 });
  });
});

it('When people from before are told once more, then they are known as well', async () => {
  const of = await harness.partner();
  const { pid: partnerId } = of;
  const [groupId, first, second] = [++ids, ++ids, ++ids];
  await harness.group(partnerId, groupId);
  await harness.person(partnerId, second, { groupIds: [groupId] });
  // Of the second something newer is known.
  const people = [personState(first, [groupId]), personState(second)];
  await harness.deliver(userEvents.usersTold, { subject: partnerId, partnerId, data: { partnerId, people } });
  expect(await count(of, { groupId })).toMatchObject({ users: 2 });
});
