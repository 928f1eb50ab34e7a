import {
  fieldMessages,
  fileEvents,
  identityEvents,
  type RouteReply,
  type RouteRequest,
  tenantRoutes,
  userEvents,
} from '@portal/contracts';
import type { ServiceContext } from '@portal/service-kit';
import { type Actor, adminActor, type ServiceHarness, startServiceHarness } from '@portal/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Config } from '../src/config.ts';
import type { TenantDb } from '../src/data/db.ts';
import { partsOf } from '../src/service.ts';
import { expectRefusal } from './expect-refusal.ts';
import { signUpCompany } from './sign-up-requests.ts';
import { takingContext } from './taking-context.ts';

let harness: ServiceHarness;
let context: ServiceContext<TenantDb, Config>;
let unitId: number;
let otherUnit: number;
const platform = adminActor();
const ofUnit = () => adminActor({ role: 31, unitId, adminId: 2 });
const ofOther = () => adminActor({ role: 63, unitId: otherUnit, adminId: 3 });

beforeAll(async () => {
  harness = await startServiceHarness(
    takingContext((taken) => {
      context = taken;
    }, partsOf),
  );
  unitId = await unit('North', 100_000);
  otherUnit = await unit('South', 1_000);
  for (const [adminId, email, unitOf] of [
    [1, 'admin@example.com', null],
    [2, 'unit@example.com', unitId],
  ] as const) {
    const data = { adminId, name: 'Admin', email, role: 63, unitId: unitOf };
    await harness.deliver(identityEvents.adminCreated, { subject: adminId, partnerId: null, data });
  }
});
afterAll(async () => harness.stop());

type Body = RouteRequest<typeof tenantRoutes.createPartner>['body'];

let codes = 0;
const code = () => `code-${++codes}`;

async function unit(name: string, allocatedLicense: number): Promise<number> {
  return (await harness.call(tenantRoutes.createUnit, { body: { name, allocatedLicense } }, platform)).body
    .id;
}
const create = async (body: Partial<Body> = {}, actor: Actor = platform) =>
  harness.call(
    tenantRoutes.createPartner,
    { body: { name: 'A company', partnerCode: code(), unitId, contractRank: 'standard', ...body } },
    actor,
  );
async function partner(body: Partial<Body> = {}): Promise<number> {
  const reply = await create(body);
  expect(reply.status).toBe(201);
  return reply.body.id;
}
const refusedCreate = async (body: object, actor: Actor = platform) =>
  harness.refused(
    tenantRoutes.createPartner,
    { body: { name: 'Never', partnerCode: code(), unitId, contractRank: 'standard', ...body } },
    actor,
  );
const update = async (pid: number, body: Partial<Body>, actor: Actor = platform) => {
  const { partnerCode, ...changes } = body;
  return harness.call(
    tenantRoutes.updatePartner,
    { params: { pid }, body: { ...changes, ...(partnerCode ? { partnerCode } : {}) } },
    actor,
  );
};
const refusedUpdate = async (pid: number, body: object, actor: Actor = platform) =>
  harness.refused(tenantRoutes.updatePartner, { params: { pid }, body }, actor);
const detail = async (
  pid: number,
  actor: Actor = platform,
): Promise<RouteReply<typeof tenantRoutes.getPartner>> =>
  (await harness.call(tenantRoutes.getPartner, { params: { pid } }, actor)).body;
const eventsOf = async (type: string, pid: number) =>
  (await harness.events(type)).filter(({ subject }) => subject === String(pid));

const user = async (partnerId: number, userId: number, isUser = true) =>
  harness.deliver(userEvents.userCreated, {
    subject: userId,
    partnerId,
    data: { ...userEvents.userCreated.example, userId, isUser, groupIds: [] },
  });
const inactive = (userId: number) => ({
  ...userEvents.userCreated.example,
  userId,
  isUser: true,
  active: false as const,
  groupIds: [],
});
const device = async (partnerId: number, uuid: string) =>
  harness.deliver(userEvents.deviceRegistered, {
    subject: uuid,
    partnerId,
    data: { ...userEvents.deviceRegistered.example, uuid },
  });
const file = async (partnerId: number, fileId: number) =>
  harness.deliver(fileEvents.fileUploaded, {
    subject: fileId,
    partnerId,
    data: { ...fileEvents.fileUploaded.example, fileId, version: 1, fileName: `tour-${fileId}.uap` },
  });

describe('When a partner is created', () => {
  test('with a name, a rank and a unit alone, then all else follows from the plan, and its code is a free number', async () => {
    const { body, status } = await create({ partnerCode: undefined });
    expect(status).toBe(201);
    expect(body).toEqual({ id: expect.any(Number), partnerCode: expect.stringMatching(/^[1-9]\d{7}$/) });
    expect(await detail(body.id)).toEqual({
      id: body.id,
      name: 'A company',
      partnerCode: body.partnerCode,
      unitId,
      unitName: 'North',
      contractRank: 'standard',
      licenseType: 'user',
      licenseCount: 200,
      licenseExpiredOn: null,
      userDeviceLimit: 0,
      uapFileLimit: 1,
      filePublicFlag: true,
      operationLogDownloadFlag: false,
      email: null,
      partnerItem: '',
      json: '',
      comment: '',
      managers: '',
      lang: 'ja',
      timeZone: 'Asia/Tokyo',
      signUp: null,
      hasData: false,
      bounceCount: 0,
      mailCount: 0,
      createdAt: '2026-11-21T09:00:00Z',
      updatedAt: '2026-11-21T09:00:00Z',
    });
  });

  test('with every field, then it has them, and they are told to the other services', async () => {
    const body = {
      name: '株式会社テスト',
      partnerCode: 'Every_Field-1',
      contractRank: 'enterprise',
      licenseType: 'device',
      licenseCount: 7,
      licenseExpiredOn: '2027-03-31T15:00:00Z',
      userDeviceLimit: 3,
      uapFileLimit: 0,
      filePublicFlag: false,
      operationLogDownloadFlag: true,
      email: 'contact@example.com',
      partnerItem: 'A-1',
      json: '{"a":1}',
      comment: 'Two\nlines',
      managers: 'one@example.com,two@example.com',
      lang: 'en',
      timeZone: 'Europe/Berlin',
    } as const;
    const id = await partner(body);
    expect(await detail(id)).toMatchObject(body);
    const [event] = await eventsOf('partner.created', id);
    expect(event).toMatchObject({
      partnerid: id,
      data: {
        partnerId: id,
        revision: 1,
        unitId,
        partnerCode: 'Every_Field-1',
        licenseExpiredOn: '2027-03-31T15:00:00Z',
        filePublicFlag: false,
        timeZone: 'Europe/Berlin',
        lang: 'en',
      },
    });
    expect(JSON.stringify(event)).not.toContain('example.com');
  });

  test('of a trial without an end, then it ends after the term of the plan', async () => {
    const id = await partner({ contractRank: 'trial' });
    expect(await detail(id)).toMatchObject({ licenseCount: 5, licenseExpiredOn: '2026-12-21T09:00:00Z' });
  });

  test.each([
    ['no name', { name: undefined }, 'E40003', 'name'],
    ['an empty name', { name: '' }, 'E40003', 'name'],
    ['a long name', { name: 'x'.repeat(256) }, 'E40002', 'name'],
    ['no rank', { contractRank: undefined }, 'E40003', 'contractRank'],
    ['an unknown rank', { contractRank: 'gold' }, 'E40002', 'contractRank'],
    ['the free rank', { contractRank: 'free' }, 'E40015', 'contractRank'],
    ['no unit', { unitId: undefined }, 'E40003', 'unitId'],
    ['an empty unit', { unitId: null }, 'E40003', 'unitId'],
    ['an unknown unit', { unitId: 999_999 }, 'E40401', 'unitId'],
    ['a code with a space', { partnerCode: 'a b' }, 'E40002', 'partnerCode'],
    ['a long code', { partnerCode: 'x'.repeat(33) }, 'E40002', 'partnerCode'],
    [
      'a licence type that the plan lacks',
      { contractRank: 'entry', licenseType: 'device' },
      'E40002',
      'licenseType',
    ],
    ['an unknown licence type', { licenseType: 'site' }, 'E40002', 'licenseType'],
    ['no licence', { licenseCount: 0 }, 'E40002', 'licenseCount'],
    ['too many licences', { licenseCount: 1_000_001 }, 'E40002', 'licenseCount'],
    ['more licences than a trial has', { contractRank: 'trial', licenseCount: 6 }, 'E40016', 'licenseCount'],
    ['more licences than the unit has left', { licenseCount: 500_000 }, 'E40016', 'licenseCount'],
    ['a date that is none', { licenseExpiredOn: '2027-02-30T00:00:00Z' }, 'E40002', 'licenseExpiredOn'],
    [
      'a trial without an end',
      { contractRank: 'trial', licenseExpiredOn: null },
      'E40002',
      'licenseExpiredOn',
    ],
    ['too many devices of a user', { userDeviceLimit: 1_001 }, 'E40002', 'userDeviceLimit'],
    ['a negative limit of files', { uapFileLimit: -1 }, 'E40002', 'uapFileLimit'],
    ['an address that is none', { email: 'nobody' }, 'E40002', 'email'],
    ['managers without addresses', { managers: 'Taro, Hanako' }, 'E40002', 'managers'],
    ['eleven managers', { managers: Array(11).fill('a@example.com').join() }, 'E40002', 'managers'],
    ['a long list of managers', { managers: `${'a'.repeat(990)}@example.com` }, 'E40002', 'managers'],
    ['a long reference', { partnerItem: 'x'.repeat(256) }, 'E40002', 'partnerItem'],
    ['a long comment', { comment: 'x'.repeat(2_001) }, 'E40002', 'comment'],
    ['JSON that is none', { json: '{' }, 'E40002', 'json'],
    ['an unknown language', { lang: 'fr' }, 'E40002', 'lang'],
    ['an unknown time zone', { timeZone: 'Asia/Nowhere' }, 'E40002', 'timeZone'],
    ['an offset for a time zone', { timeZone: '+09:00' }, 'E40002', 'timeZone'],
  ])('with %s, then %3$s is told', async (_, body, errorCode, field) => {
    const before = await harness.sql('SELECT count(*) FROM partners');
    expectRefusal(await refusedCreate(body), errorCode, field);
    expect(await harness.sql('SELECT count(*) FROM partners')).toEqual(before);
  });

  test('with a code that is taken in other case, then E40014 on partner_code', async () => {
    await partner({ partnerCode: 'Taken-1' });
    expectRefusal(await refusedCreate({ partnerCode: 'tAKEN-1' }), 'E40014', 'partnerCode');
  });

  test('by an administrator of a unit, then it is in that unit, whatever the body says', async () => {
    const { body, status } = await create({ unitId: otherUnit }, ofUnit());
    expect(status).toBe(201);
    expect((await detail(body.id)).unitId).toBe(unitId);
    const empty = await create({ unitId: null }, ofUnit());
    expect((await detail(empty.body.id)).unitId).toBe(unitId);
    const params = { pid: body.id };
    const request = { params, body: { name: 'Renamed', unitId: null } };
    expect((await harness.call(tenantRoutes.updatePartner, request, ofUnit())).status).toBe(200);
    expect(await detail(body.id)).toMatchObject({ name: 'Renamed', unitId });
    const bare = { name: 'Bare', contractRank: 'standard' as const };
    const reply = await harness.call(tenantRoutes.createPartner, { body: bare }, ofUnit());
    expect(reply.status).toBe(201);
  });

  test('without the right to it, then E40301', async () => {
    expectRefusal(await refusedCreate({}, adminActor({ role: 15 })), 'E40301');
  });

  test('a second time with the same key, then there is one', async () => {
    const headers = { 'idempotency-key': 'same' };
    const body = { name: 'Once', unitId, contractRank: 'standard' as const };
    const make = async () => harness.call(tenantRoutes.createPartner, { body, headers }, platform);
    expect((await make()).body).toEqual((await make()).body);
  });
});

describe('When a partner is changed', () => {
  test('then what is absent stays, null clears, and the new state is told', async () => {
    const id = await partner({
      email: 'old@example.com',
      comment: 'Old',
      licenseExpiredOn: '2027-01-01T00:00:00Z',
    });
    harness.clock.advance(1_000);
    const reply = await update(id, {
      name: 'New name',
      email: null,
      licenseExpiredOn: null,
      timeZone: 'UTC',
    });
    expect(reply).toMatchObject({ status: 200, body: {} });
    expect(await detail(id)).toMatchObject({
      name: 'New name',
      email: null,
      comment: 'Old',
      licenseCount: 200,
      licenseExpiredOn: null,
      timeZone: 'UTC',
    });
    const [event] = await eventsOf('partner.updated', id);
    expect(event).toMatchObject({
      partnerid: id,
      data: { revision: 2, name: 'New name', licenseExpiredOn: null, timeZone: 'UTC', filePublicFlag: true },
    });
  });

  test('to another code, then it answers to that one; to one that is taken, then E40014', async () => {
    const id = await partner({ partnerCode: 'was-this' });
    expect((await update(id, { partnerCode: 'is-that' })).status).toBe(200);
    expect((await detail(id)).partnerCode).toBe('is-that');
    await partner({ partnerCode: 'was-this' });
    expectRefusal(await refusedUpdate(id, { partnerCode: 'WAS-THIS' }), 'E40014', 'partnerCode');
    expectRefusal(await refusedUpdate(id, { partnerCode: '' }), 'E40003', 'partnerCode');
  });

  test('to free, then E40020', async () => {
    expectRefusal(await refusedUpdate(await partner(), { contractRank: 'free' }), 'E40020', 'contractRank');
  });

  test('to more licences than the unit has left, then E40016; to as many, then it has them', async () => {
    const small = await unit('Small', 30);
    const id = await partner({ unitId: small, licenseCount: 10 });
    await partner({ unitId: small, licenseCount: 15 });
    expectRefusal(await refusedUpdate(id, { licenseCount: 16 }), 'E40016', 'licenseCount');
    expect((await update(id, { licenseCount: 15 })).status).toBe(200);
  });

  test('to a trial with more licences than it has, then E40016', async () => {
    expectRefusal(await refusedUpdate(await partner(), { contractRank: 'trial' }), 'E40016', 'licenseCount');
  });

  test('to a plan that lacks the licence type, then E40002 on it', async () => {
    const id = await partner({ licenseType: 'device' });
    expectRefusal(await refusedUpdate(id, { contractRank: 'entry' }), 'E40002', 'licenseType');
    expect((await update(id, { contractRank: 'entry', licenseType: 'user' })).status).toBe(200);
  });

  test('to fewer licences than are in use, then E40023, by users or by devices', async () => {
    const id = await partner({ licenseCount: 10 });
    for (const userId of [101, 102, 103]) await user(id, userId);
    await user(id, 104, false);
    for (const uuid of ['a', 'b', 'c', 'd']) await device(id, `${id}-${uuid}`);
    expectRefusal(await refusedUpdate(id, { licenseCount: 2 }), 'E40023', 'licenseCount');
    expect((await update(id, { licenseCount: 3 })).status).toBe(200);
    expectRefusal(await refusedUpdate(id, { licenseType: 'device' }), 'E40023', 'licenseType');
    expectRefusal(
      await refusedUpdate(id, { licenseType: 'device', licenseCount: 3 }),
      'E40023',
      'licenseType',
    );
    expect((await update(id, { licenseType: 'device', licenseCount: 4 })).status).toBe(200);
    expectRefusal(await refusedUpdate(id, { licenseCount: 3 }, ofUnit()), 'E40023', 'licenseCount');
  });

  test('to fewer .uap files than there are, then E40017; to no limit, then it has none', async () => {
    const id = await partner({ uapFileLimit: 5 });
    for (const fileId of [201, 202, 203]) await file(id, fileId);
    // A file that waits for its first bytes has its place in the limit as well, unless it is no `.uap`.
    for (const [fileId, fileName] of [
      [204, 'first.UAP'],
      [205, 'first.ufpz'],
    ] as const) {
      await harness.deliver(fileEvents.uploadStarted, {
        subject: fileId,
        partnerId: id,
        data: { ...fileEvents.uploadStarted.example, fileId, fileName },
      });
    }
    expectRefusal(await refusedUpdate(id, { uapFileLimit: 3 }), 'E40017', 'uapFileLimit');
    expectRefusal(await refusedUpdate(id, { uapFileLimit: 3 }, ofUnit()), 'E40017', 'uapFileLimit');
    expect((await update(id, { uapFileLimit: 4 })).status).toBe(200);
    await harness.deliver(fileEvents.fileDeleted, { subject: 204, partnerId: id, data: { fileId: 204 } });
    expect((await update(id, { uapFileLimit: 3 })).status).toBe(200);
    expect((await update(id, { uapFileLimit: 0 })).status).toBe(200);
  });

  test('to another unit, then its licences move along; to a full one, then E40016 on unit_id', async () => {
    const full = await unit('Full', 5);
    const id = await partner({ licenseCount: 6 });
    expectRefusal(await refusedUpdate(id, { unitId: full }), 'E40016', 'unitId');
    expectRefusal(await refusedUpdate(id, { unitId: 999_999 }), 'E40401', 'unitId');
    expectRefusal(await refusedUpdate(id, { unitId: null }), 'E40003', 'unitId');
    expect((await update(id, { unitId: full, licenseCount: 5 })).status).toBe(200);
    expect(await detail(id)).toMatchObject({ unitId: full, unitName: 'Full' });
    expect((await eventsOf('partner.updated', id)).at(-1)?.data).toMatchObject({ unitId: full });
    const { body } = await harness.call(tenantRoutes.getUnit, { params: { id: full } }, platform);
    expect(body.consumedLicense).toBe(5);
  });

  test('by an administrator of its unit, then it stays there, whatever the body says', async () => {
    const id = await partner();
    expect((await update(id, { unitId: otherUnit, name: 'Theirs' }, ofUnit())).status).toBe(200);
    expect(await detail(id)).toMatchObject({ unitId, name: 'Theirs' });
  });

  test('by an administrator of another unit, then E40305; one that does not exist, then E40402', async () => {
    const id = await partner();
    expectRefusal(await refusedUpdate(id, { name: 'Theirs' }, ofOther()), 'E40305');
    expectRefusal(await refusedUpdate(999_999, { name: 'None' }), 'E40402');
    expectRefusal(await refusedUpdate(999_999, { name: 'None' }, ofOther()), 'E40402');
    expectRefusal(await refusedUpdate(id, { name: 'None' }, adminActor({ role: 15 })), 'E40301');
  });

  test.each([
    ['an empty name', { name: '' }, 'E40003', 'name'],
    ['a name that is null', { name: null }, 'E40003', 'name'],
    ['no licence', { licenseCount: 0 }, 'E40002', 'licenseCount'],
    ['managers without addresses', { managers: 'Taro' }, 'E40002', 'managers'],
    ['JSON that is none', { json: 'x' }, 'E40002', 'json'],
    ['too many devices of a user', { userDeviceLimit: 1_001 }, 'E40002', 'userDeviceLimit'],
  ])('to %s, then %3$s is told and nothing changes', async (_, body, errorCode, field) => {
    const id = await partner();
    expectRefusal(await refusedUpdate(id, body), errorCode, field);
    expect(await eventsOf('partner.updated', id)).toEqual([]);
  });
});

describe('When a partner is free', () => {
  let free: number;
  beforeAll(async () => {
    free = (await signUpCompany(context, 'free', { outsourcingId: unitId })).id;
  });

  test('then its rank, its licence type and number stay, and it may say them again', async () => {
    expectRefusal(await refusedUpdate(free, { licenseType: 'device' }), 'E40021', 'licenseType');
    expectRefusal(await refusedUpdate(free, { licenseCount: 2 }), 'E40022', 'licenseCount');
    const same = { contractRank: 'free', licenseType: 'user', licenseCount: 1, name: 'Still free' } as const;
    expect((await update(free, same)).status).toBe(200);
  });

  test('then it may become any other rank, with the rules of that', async () => {
    expectRefusal(
      await refusedUpdate(free, { contractRank: 'entry', licenseType: 'device' }),
      'E40002',
      'licenseType',
    );
    const paid = { contractRank: 'enterprise', licenseType: 'device', licenseCount: 50 } as const;
    expect((await update(free, paid)).status).toBe(200);
    expect(await detail(free)).toMatchObject(paid);
    expectRefusal(await refusedUpdate(free, { contractRank: 'free' }), 'E40020', 'contractRank');
  });
});

describe('When a partner is deleted', () => {
  const remove = async (pid: number, actor: Actor = platform) =>
    harness.call(tenantRoutes.deletePartner, { params: { pid } }, actor);
  const refusedRemove = async (pid: number, actor: Actor = platform) =>
    harness.refused(tenantRoutes.deletePartner, { params: { pid } }, actor);
  const holdsData = async (pid: number, actor?: Actor) => (await detail(pid, actor)).hasData;

  test('then it is gone, its code and its licences are free, and that is told', async () => {
    const home = await unit('Emptied', 10);
    const id = await partner({ unitId: home, partnerCode: 'reused', licenseCount: 10 });
    expect(await remove(id)).toMatchObject({ status: 200, body: {} });
    expectRefusal(
      await harness.refused(tenantRoutes.getPartner, { params: { pid: id } }, platform),
      'E40402',
    );
    expect((await eventsOf('partner.deleted', id)).map(({ data, partnerid }) => [partnerid, data])).toEqual([
      [id, { partnerId: id }],
    ]);
    await partner({ unitId: home, partnerCode: 'REUSED', licenseCount: 10 });
    expectRefusal(await refusedRemove(id), 'E40402');
  });

  test.each([
    ['a user', async (id: number) => user(id, 301)],
    [
      'an inactive user',
      async (id: number) =>
        harness.deliver(userEvents.userCreated, { subject: 306, partnerId: id, data: inactive(306) }),
    ],
    [
      'a user who was made inactive',
      async (id: number) => {
        await user(id, 307);
        const data = { ...inactive(307), endsSessions: true };
        await harness.deliver(userEvents.userUpdated, { subject: 307, partnerId: id, data });
      },
    ],
    [
      'an inactive user from before an upgrade, who is told once more',
      async (id: number) =>
        harness.deliver(userEvents.usersTold, {
          subject: id,
          partnerId: id,
          data: { partnerId: id, people: [inactive(308)] },
        }),
    ],
    [
      'a group',
      async (id: number) =>
        harness.deliver(userEvents.groupCreated, {
          subject: 302,
          partnerId: id,
          data: { ...userEvents.groupCreated.example, groupId: 302 },
        }),
    ],
    [
      'a group from before an upgrade, which is told once more',
      async (id: number) =>
        harness.deliver(userEvents.groupUpdated, {
          subject: 305,
          partnerId: id,
          data: { ...userEvents.groupUpdated.example, groupId: 305, revision: 4 },
        }),
    ],
    ['a file', async (id: number) => file(id, 303)],
    [
      'a file that is being uploaded',
      async (id: number) =>
        harness.deliver(fileEvents.uploadStarted, {
          subject: 304,
          partnerId: id,
          data: { ...fileEvents.uploadStarted.example, fileId: 304 },
        }),
    ],
  ])('with %s while the licence lasts, then E40032; once it is over, then it goes', async (_, have) => {
    const id = await partner({ licenseExpiredOn: '2027-01-01T00:00:00Z' });
    expect(await holdsData(id)).toBe(false);
    expect(await holdsData(id, ofUnit())).toBe(false);
    await have(id);
    expect(await holdsData(id)).toBe(true);
    expect(await holdsData(id, ofUnit())).toBe(true);
    for (const refused of [await refusedRemove(id), await refusedRemove(id, ofUnit())]) {
      expectRefusal(refused, 'E40032');
      expect(refused.body.message).toBe(fieldMessages.companyHoldsData.en);
    }
    expect((await update(id, { licenseExpiredOn: '2026-11-20T00:00:00Z' })).status).toBe(200);
    expect((await remove(id, ofUnit())).status).toBe(200);
    expect((await eventsOf('partner.deleted', id)).length).toBe(1);
  });

  test('with what it had gone by then, or with a company admin who is no user, then it goes', async () => {
    const id = await partner();
    await user(id, 311, false);
    await user(id, 312);
    await harness.deliver(userEvents.userDeleted, { subject: 312, partnerId: id, data: { userId: 312 } });
    await harness.deliver(userEvents.userCreated, { subject: 315, partnerId: id, data: inactive(315) });
    await harness.deliver(userEvents.userDeleted, { subject: 315, partnerId: id, data: { userId: 315 } });
    await harness.deliver(userEvents.groupCreated, {
      subject: 313,
      partnerId: id,
      data: { ...userEvents.groupCreated.example, groupId: 313 },
    });
    await harness.deliver(userEvents.groupDeleted, { subject: 313, partnerId: id, data: { groupId: 313 } });
    await file(id, 314);
    await harness.deliver(fileEvents.fileDeleted, { subject: 314, partnerId: id, data: { fileId: 314 } });
    expect((await remove(id)).status).toBe(200);
  });

  test('by an administrator of another unit, then E40305; without the right, then E40301', async () => {
    const id = await partner();
    expectRefusal(await refusedRemove(id, ofOther()), 'E40305');
    expectRefusal(await refusedRemove(id, adminActor({ role: 15 })), 'E40301');
    expect((await detail(id)).id).toBe(id);
  });
});
