import { limits, userEvents, userRoutes } from '@portal/contracts';
import { findUser } from '@portal/contracts/internal';
import { partnerActor } from '@portal/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startUserHarness, type TestPartner, type UserHarness } from './user-harness.ts';

let harness: UserHarness;
let partner: TestPartner;
let group: number;
let other: number;
let users: number[];

beforeAll(async () => {
  harness = await startUserHarness();
});
afterAll(async () => harness.stop());

beforeEach(async () => {
  partner = await harness.partner();
  group = await partner.group('Sales');
  other = await partner.group('Other');
  users = [await partner.user({ groupIds: [other] }), await partner.user({}), await partner.user({})];
});

const add = async (ids: number[], { actor, pid } = partner, id = group) =>
  harness.refused(userRoutes.addGroupUsers, { params: { pid, id }, body: { ids } }, actor);
const remove = async (ids: number[], { actor, pid } = partner, id = group) =>
  harness.refused(userRoutes.removeGroupUsers, { params: { pid, id }, body: { ids } }, actor);
const members = async () => {
  const { actor, pid } = partner;
  const query = { group, order: 'asc' } as const;
  const { body } = await harness.call(userRoutes.listUsers, { params: { pid }, query }, actor);
  return body.users.map(({ id }) => id);
};
/** The batch events about people who were changed together, since `before`. */
const told = async (before: number) =>
  (await harness.events(userEvents.usersUpdated.type))
    .flatMap(({ data }) => userEvents.usersUpdated.data.parse(data).people)
    .slice(before);
const toldSoFar = async () => (await told(0)).length;

describe('When many users are put into a group', () => {
  it('then they are in it beside their other groups, and each of them is told of', async () => {
    const before = await toldSoFar();
    const { status, body } = await add([...users, users[0] ?? 0]);
    expect([status, body]).toEqual([200, {}]);
    expect(await members()).toEqual(users);
    expect(await told(before)).toMatchObject([
      { userId: users[0], revision: 2, groupIds: [group, other], endsSessions: false },
      { userId: users[1], revision: 2, groupIds: [group] },
      { userId: users[2], revision: 2, groupIds: [group] },
    ]);
  });

  it('then who is in it already stays, and only those who are new are told of', async () => {
    await add(users.slice(0, 1));
    expect((await harness.events('user.updated')).at(-1)).toMatchObject({
      subject: String(users[0]),
      data: { revision: 2 },
    });
    const before = await toldSoFar();
    expect((await add(users)).status).toBe(200);
    expect((await told(before)).map(({ userId }) => userId)).toEqual(users.slice(1));
    expect((await add(users)).status).toBe(200);
    expect(await toldSoFar()).toBe(before + 2);
  });

  it("then with one that does not exist, or is another tenant's, none is", async () => {
    const foreign = await harness.partner();
    const stranger = await foreign.user({});
    const before = await toldSoFar();
    for (const id of [2_000_000_000, stranger, 0]) {
      const { body, status } = await add([...users, id]);
      expect([status, body.code]).toEqual([404, 'E40403']);
    }
    expect(await members()).toEqual([]);
    expect(await toldSoFar()).toBe(before);
  });

  it("then another tenant's group does not exist", async () => {
    const foreign = await harness.partner();
    const theirs = await foreign.group('Theirs');
    for (const change of [add, remove]) {
      const { body, status } = await change(users, partner, theirs);
      expect([status, body.code]).toEqual([404, 'E40404']);
    }
  });

  it('then at the same moment as others it ends well', async () => {
    const replies = await Promise.all([add(users), add([...users].reverse()), remove(users), add(users)]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    await add(users);
    expect(await members()).toEqual(users);
  });
});

describe('When many users are taken out of a group', () => {
  it('then they keep their other groups; who was not in it is passed over', async () => {
    await add(users.slice(0, 2));
    const before = await toldSoFar();
    expect((await remove(users)).status).toBe(200);
    expect(await members()).toEqual([]);
    expect(await told(before)).toMatchObject([
      { userId: users[0], revision: 3, groupIds: [other] },
      { userId: users[1], revision: 3, groupIds: [] },
    ]);
  });

  it('then with one that does not exist all stay', async () => {
    await add(users);
    expect((await remove([...users, 2_000_000_000])).body.code).toBe('E40403');
    expect(await members()).toEqual(users);
  });
});

describe('When the request or the caller is wrong', () => {
  const tooMany = Array.from({ length: limits.maxIdsPerDelete + 1 }, (_, index) => index);

  it.each([
    ['no ids', {}, 'E40003', 'ids'],
    ['an empty list', { ids: [] }, 'E40003', 'ids'],
    ['text for a number', { ids: ['1'] }, 'E40002', 'ids.0'],
    ['a number for a list', { ids: 1 }, 'E40002', 'ids'],
    ['too many ids', { ids: tooMany }, 'E40002', 'ids'],
  ])('then %s is refused', async (_, payload, code, field) => {
    for (const method of ['POST', 'DELETE'] as const) {
      const { body, status } = await harness.raw({
        method,
        url: `/v1/partner/partners/${partner.pid}/groups/${group}/users`,
        payload: JSON.stringify(payload),
        actor: partner.actor,
      });
      expect([status, body.code, body.errors[0]?.field]).toEqual([400, code, field]);
    }
  });

  it('then only admins change groups', async () => {
    for (const role of [1, 16, 17]) {
      const reader = { ...partner, actor: partnerActor({ partnerId: partner.pid, role }) };
      expect((await add(users, reader)).body.code).toBe('E40301');
      expect((await remove(users, reader)).body.code).toBe('E40301');
    }
    expect(await members()).toEqual([]);
  });
});

describe('When the file service asks for a user', () => {
  it('then it learns whether this partner has them', async () => {
    const ask = async (id: number, partnerId = partner.pid) =>
      (await harness.callAs('file', findUser, { body: { partnerId, id } })).status;
    const foreign = await harness.partner();
    expect(await ask(users[0] ?? 0)).toBe(200);
    expect(await ask(2_000_000_000)).toBe(404);
    expect(await ask(users[0] ?? 0, foreign.pid)).toBe(404);
  });
});
