import { buffer } from 'node:stream/consumers';
import {
  batchEvents,
  cp932Length,
  pushEvents,
  pushRoutes as routes,
  tenantEvents,
  userEvents,
} from '@portal/contracts';
import { adminActor, partnerActor, playerActor } from '@portal/testing';
import { serviceAccountKey } from '@portal/testing/service-account';
import { parse } from 'csv-parse/sync';
import iconv from 'iconv-lite';
import { afterAll, beforeAll, describe, expect, it, test, vi } from 'vitest';
import { type PushHarness, startPushHarness, type TestPartner, trying } from './push-harness.ts';

let harness: PushHarness;

beforeAll(async () => {
  harness = await startPushHarness();
});
afterAll(async () => harness.stop());

/** The operator's certification comes with the first test that needs it. */
let operators: Promise<unknown> | undefined;
const withOperators = async () => {
  operators ??= harness.call(
    routes.createOperatorCertification,
    { body: { apiKey: serviceAccountKey() } },
    adminActor(),
  );
  await operators;
};

const attempt = trying(() => harness);
const tomorrow = '2026-11-22T09:00:00Z';

const create = async ({ pid, sender }: TestPartner, body: Record<string, unknown> = {}) =>
  attempt(routes.createNotification, { params: { pid }, body: { message: 'News', ...body } }, sender);
const update = async ({ pid, sender }: TestPartner, id: number, body: Record<string, unknown>) =>
  attempt(routes.updateNotification, { params: { pid, id }, body }, sender);
const remove = async ({ pid, sender }: TestPartner, id: number) =>
  attempt(routes.deleteNotification, { params: { pid, id } }, sender);
const detail = async ({ pid, sender }: TestPartner, id: number) => {
  const reply = await harness.call(routes.getNotification, { params: { pid, id } }, sender);
  expect(reply.status).toBe(200);
  return reply.body;
};
/** A notification that waits until tomorrow. */
const waiting = async ({ pid, sender }: TestPartner, fields: Record<string, unknown> = {}) => {
  await withOperators();
  const body = { message: 'News', deliverDatetime: tomorrow, ...fields };
  const made = await harness.call(routes.createNotification, { params: { pid }, body }, sender);
  expect(made.status).toBe(201);
  return made.body.id;
};

let ids = 1000;
const person = async ({ pid }: TestPartner, state: object = {}) => {
  const userId = ++ids;
  const data = {
    ...userEvents.userCreated.example,
    userId,
    loginUserId: `user-${userId}`,
    groupIds: [],
    ...state,
  };
  await harness.deliver(userEvents.userCreated, { subject: userId, partnerId: pid, data });
  return userId;
};
const group = async ({ pid }: TestPartner, name = 'Sales') => {
  const groupId = ++ids;
  const data = { ...userEvents.groupCreated.example, groupId, name };
  await harness.deliver(userEvents.groupCreated, { subject: groupId, partnerId: pid, data });
  return groupId;
};
const told = async (pid: number, type: string) =>
  (await harness.events(type)).filter(({ partnerid }) => partnerid === pid).map(({ data }) => data);

const bad = (field: string) => [400, 'E40002', field];

describe('When there is nothing to send with', () => {
  test('then a notification by the certificate of the operator is E40030', async () => {
    const own = await harness.partner();
    expect(await create(own)).toEqual([400, 'E40030']);
    expect(await create(own, { certificationId: 0 })).toEqual([400, 'E40030']);
    // One of its own is enough where it is named.
    const certificationId = await own.certification();
    expect((await create(own, { certificationId, deliverDatetime: tomorrow }))[0]).toBe(201);
  });
});

describe('When a notification is written', () => {
  test('then it tells what it is, waits for its time, and others learn of it', async () => {
    const own = await harness.partner();
    const [groupId, certificationId] = [await group(own), await own.certification()];
    const json = '{"page":"catalogue"}';
    const id = await waiting(own, { title: 'News', message: 'It is\nthere', certificationId, groupId, json });
    expect(await detail(own, id)).toEqual({
      id,
      title: 'News',
      message: 'It is\nthere',
      status: 'waiting',
      certificationId,
      groupId,
      groups: [{ id: groupId, name: 'Sales' }],
      users: [],
      userCount: 0,
      json,
      fileId: null,
      deliverDatetime: tomorrow,
      startedAt: null,
      finishedAt: null,
      targetCount: 0,
      successCount: 0,
      failureCount: 0,
      failureReasons: [],
      createdAt: '2026-11-21T09:00:00Z',
      updatedAt: '2026-11-21T09:00:00Z',
    });
    const operations = (await harness.events('operation.logged')).map(({ data }) => Object(data));
    expect(
      operations.find((one) => one.operation === 'createNotification' && one.targetIds[0] === id),
    ).toMatchObject({
      targetKind: 'notification',
      targetName: 'News',
      result: '201',
    });
    expect(await told(own.pid, 'notification.scheduled')).toEqual([
      {
        notificationId: id,
        revision: 1,
        title: 'News',
        message: 'It is\nthere',
        certificationId,
        target: 'groups',
        groupIds: [groupId],
        userIds: [],
        dueAt: tomorrow,
        fileId: null,
      },
    ]);
  });

  test('without a time, then it is sent at once: to nobody, where nobody has a device', async () => {
    await withOperators();
    const own = await harness.partner();
    const { body, status } = await harness.call(
      routes.createNotification,
      { params: { pid: own.pid }, body: { message: 'Now', title: '', json: '', deliverDatetime: '' } },
      own.sender,
    );
    expect(status).toBe(201);
    const done = async () => {
      const row = await detail(own, body.id);
      expect(row.status).toBe('success');
      return row;
    };
    expect(await vi.waitFor(done, 10_000)).toMatchObject({
      title: null,
      json: null,
      certificationId: null,
      groupId: null,
      users: [],
      deliverDatetime: null,
      startedAt: expect.any(String),
      finishedAt: expect.any(String),
      targetCount: 0,
    });
    expect(await told(own.pid, 'notification.delivered')).toMatchObject([{ notificationId: body.id }]);
  });

  test('for users, then each once, by the names with which they sign in', async () => {
    const own = await harness.partner();
    const [a, b] = [await person(own), await person(own, { email: 'b@example.com', loginUserId: null })];
    const id = await waiting(own, { userIds: [b, a, b], groupId: 0 });
    expect(await detail(own, id)).toMatchObject({
      groupId: null,
      userCount: 2,
      users: [
        { id: a, loginId: `user-${a}` },
        { id: b, loginId: 'b@example.com' },
      ],
    });
    const list = await harness.call(routes.listNotifications, { params: { pid: own.pid } }, own.sender);
    expect(list.body.pushNotifications).toMatchObject([{ id, users: [{ id: a }, { id: b }] }]);
  });

  test('for many users, then the list names the first 20, and the detail all', async () => {
    const own = await harness.partner();
    const userIds = [];
    for (let n = 0; n < 22; n += 1) userIds.push(await person(own));
    const id = await waiting(own, { userIds });
    const list = await harness.call(routes.listNotifications, { params: { pid: own.pid } }, own.sender);
    expect(list.body.pushNotifications[0]?.users).toHaveLength(20);
    expect(list.body.pushNotifications[0]?.userCount).toBe(22);
    expect((await detail(own, id)).users).toHaveLength(22);
  });
});

describe('When a field of a notification is wrong', () => {
  let own: TestPartner;
  beforeAll(async () => {
    await withOperators();
    own = await harness.partner();
  });
  const later = async (body: Record<string, unknown>) => create(own, { deliverDatetime: tomorrow, ...body });

  test.each([
    ['a title of 30 full-width characters and one byte', { title: `${'あ'.repeat(30)}a` }],
    ['a title of 61 half-width characters', { title: 'ｱ'.repeat(61) }],
    ['a message of 117 full-width characters and one byte', { message: `${'漢'.repeat(117)}a` }],
    ['a message of 117 characters that CP932 does not have', { message: `${'😀'.repeat(117)}a` }],
    ['a message of 235 half-width characters', { message: 'a'.repeat(235) }],
  ])('%s is just right', async (_, body) => {
    expect((await later(body))[0]).toBe(201);
  });

  test.each([
    ['a title of 31 full-width characters', { title: 'あ'.repeat(31) }, 'title'],
    ['a title of 62 bytes', { title: `${'あ'.repeat(30)}ab` }, 'title'],
    ['a title of two lines', { title: 'a\nb' }, 'title'],
    ['a message of 118 full-width characters', { message: '漢'.repeat(118) }, 'message'],
    ['a message of 236 bytes', { message: `${'漢'.repeat(117)}ab` }, 'message'],
    ['a message of 118 characters that CP932 does not have', { message: '😀'.repeat(118) }, 'message'],
    ['a message with a control character', { message: 'a\u0007' }, 'message'],
    ['JSON that is none', { json: '{' }, 'json'],
    ['a time now', { deliverDatetime: '2026-11-21T09:00:00Z' }, 'deliver_datetime'],
    ['a time that has passed', { deliverDatetime: '2026-11-20T09:00:00Z' }, 'deliver_datetime'],
    ['a time that is none', { deliverDatetime: 'tomorrow' }, 'deliver_datetime'],
    ['a certificate that is no number', { certificationId: 'x' }, 'certification_id'],
    ['more than 1000 users', { userIds: Array.from({ length: 1001 }, (__, n) => n + 1) }, 'user_ids'],
    ['a group and users', { groupId: 1, userIds: [1] }, 'user_ids'],
  ])('%s is E40002', async (_, body, field) => {
    expect(await later(body)).toEqual(bad(field));
  });

  test.each([{ message: '' }, { message: '  \n' }, { message: undefined }, { message: null }])(
    'without a message %j it is E40003',
    async (body) => {
      expect(await later(body)).toEqual([400, 'E40003', 'message']);
    },
  );

  test('JSON of 2,000 bytes as it is escaped is taken, one of a byte more is E40002 on json', async () => {
    // Of its four quotation marks each is two bytes in the payload.
    const jsonOf = (bytes: number) => `{"a":"${'x'.repeat(bytes - 12)}"}`;
    expect(JSON.stringify(jsonOf(2000)).length - 2).toBe(2000);
    expect((await later({ json: jsonOf(2000) }))[0]).toBe(201);
    expect(await later({ json: jsonOf(2001) })).toEqual(bad('json'));
    // Of full-width characters each is three bytes.
    const japanese = (count: number) => `{"a":"${'あ'.repeat(count)}"}`;
    expect((await later({ json: japanese(662) }))[0]).toBe(201);
    expect(await later({ json: japanese(663) })).toEqual(bad('json'));
  });

  test('all that is wrong is told together', async () => {
    const body = { json: `"${'x'.repeat(2001)}"`, deliverDatetime: '2026-11-20T09:00:00Z' };
    expect(await later(body)).toEqual([400, 'E40002', 'json', 'deliver_datetime']);
    expect(await later({ title: 'あ'.repeat(31), message: '' })).toEqual(
      expect.arrayContaining(['title', 'message']),
    );
  });

  test('a time of ten seconds from now is enough', async () => {
    expect((await later({ deliverDatetime: '2026-11-21T09:00:10Z' }))[0]).toBe(201);
  });

  test('a group that the tenant does not have is E40404, users E40403, of another tenant too', async () => {
    const stranger = await harness.partner();
    const [theirGroup, theirUser, user] = [await group(stranger), await person(stranger), await person(own)];
    for (const groupId of [theirGroup, 999_999])
      expect(await later({ groupId })).toEqual([404, 'E40404', 'group_id']);
    for (const userIds of [[theirUser], [user, theirUser], [999_999]])
      expect(await later({ userIds })).toEqual([404, 'E40403', 'user_ids']);
    const notUser = await person(own, { isUser: false });
    expect(await later({ userIds: [notUser] })).toEqual([404, 'E40403', 'user_ids']);
  });

  test('a certificate that the tenant does not have is E40401 on certification_id: another’s, and that of the operator', async () => {
    const stranger = await harness.partner();
    const theirs = await stranger.certification();
    const { body } = await harness.call(routes.getOperatorCertification, {}, adminActor());
    for (const certificationId of [theirs, body.id, 999_999])
      expect(await later({ certificationId })).toEqual([404, 'E40401', 'certification_id']);
  });

  test('one of its own is E40304 once the contract has none', async () => {
    const shrunk = await harness.partner();
    const certificationId = await shrunk.certification();
    const other = await shrunk.certification({ name: 'Other' });
    const id = await waiting(shrunk, { certificationId });
    await harness.deliver(tenantEvents.partnerUpdated, {
      subject: shrunk.pid,
      partnerId: shrunk.pid,
      data: tenantEvents.partnerUpdated.data.parse({
        ...tenantEvents.partnerCreated.example,
        partnerId: shrunk.pid,
        revision: 9,
        contractRank: 'standard',
      }),
    });
    expect(await create(shrunk, { certificationId })).toEqual([403, 'E40304']);
    // What waits with one keeps it, and is changed; another it cannot have.
    expect((await update(shrunk, id, { title: 'New', certificationId }))[0]).toBe(200);
    expect(await update(shrunk, id, { certificationId: other })).toEqual([403, 'E40304']);
    expect((await update(shrunk, id, { certificationId: 0 }))[0]).toBe(200);
    expect(await update(shrunk, id, { certificationId })).toEqual([403, 'E40304']);
    expect((await create(shrunk, { deliverDatetime: tomorrow }))[0]).toBe(201);
  });

  it('counts as CP932 does', async () => {
    for (let code = 0x20; code < 0x10000; code += 1) {
      if (code >= 0x7f && code < 0xa0) continue;
      const character = String.fromCharCode(code);
      if (!character.isWellFormed()) continue;
      const bytes = iconv.encode(character, 'cp932');
      const isKnown = iconv.decode(bytes, 'cp932') === character;
      if (isKnown) expect([character, cp932Length(character)]).toEqual([character, bytes.length]);
      else expect([character, cp932Length(character)]).toEqual([character, 2]);
    }
  });
});

describe('When a certificate is deleted as a notification is written with it', () => {
  test('then one of the two is refused', async () => {
    const own = await harness.partner();
    for (let round = 0; round < 10; round += 1) {
      const certificationId = await own.certification({ name: `Round ${round}` });
      const params = { pid: own.pid, id: certificationId };
      const [written, deleted] = await Promise.all([
        create(own, { certificationId, deliverDatetime: tomorrow }),
        attempt(routes.deleteCertification, { params }, own.admin),
      ]);
      expect([
        [
          [201, undefined],
          [400, 'E40031'],
        ],
        [
          [404, 'E40401', 'certification_id'],
          [200, undefined],
        ],
      ]).toContainEqual([written, deleted]);
    }
  });
});

describe('When a notification that waits is changed', () => {
  test('then what is absent stays, and others learn of it', async () => {
    const own = await harness.partner();
    const groupId = await group(own);
    const id = await waiting(own, { title: 'News', groupId, json: '{}' });
    expect(await update(own, id, { message: 'Other' })).toEqual([200, undefined]);
    expect(await detail(own, id)).toMatchObject({
      title: 'News',
      message: 'Other',
      groupId,
      json: '{}',
      deliverDatetime: tomorrow,
    });
    expect(await told(own.pid, 'notification.updated')).toMatchObject([
      { notificationId: id, revision: 2, message: 'Other', dueAt: tomorrow },
    ]);
    expect((await update(own, id, { title: '', json: null }))[0]).toBe(200);
    expect(await detail(own, id)).toMatchObject({ title: null, json: null, message: 'Other' });
  });

  test('then users take the place of a group and the other way round; nobody named is all', async () => {
    const own = await harness.partner();
    const [groupId, user] = [await group(own), await person(own)];
    const id = await waiting(own, { groupId });
    const target = async () => {
      const row = await detail(own, id);
      return [row.groupId, row.users.map((one) => one.id)];
    };
    await update(own, id, { userIds: [user] });
    expect(await target()).toEqual([null, [user]]);
    await update(own, id, { groupId });
    expect(await target()).toEqual([groupId, []]);
    await update(own, id, { groupId: 0, userIds: [] });
    expect(await target()).toEqual([null, []]);
    expect(await update(own, id, { groupId, userIds: [user] })).toEqual(bad('user_ids'));
    expect(await update(own, id, { groupId: 999_999 })).toEqual([404, 'E40404', 'group_id']);
    expect(await update(own, id, { userIds: [999_999] })).toEqual([404, 'E40403', 'user_ids']);
  });

  test('then its fields are held to the same rules', async () => {
    const own = await harness.partner();
    const id = await waiting(own);
    expect(await update(own, id, { title: 'あ'.repeat(31) })).toEqual(bad('title'));
    expect(await update(own, id, { message: '' })).toEqual([400, 'E40003', 'message']);
    expect(await update(own, id, { json: `"${'x'.repeat(2001)}"` })).toEqual(bad('json'));
    expect(await update(own, id, { deliverDatetime: '2026-11-21T09:00:00Z' })).toEqual(
      bad('deliver_datetime'),
    );
    expect(await update(own, id, { certificationId: 999_999 })).toEqual([404, 'E40401', 'certification_id']);
    const certificationId = await own.certification();
    expect((await update(own, id, { certificationId }))[0]).toBe(200);
    // It is held by the notification.
    const held = { params: { pid: own.pid, id: certificationId } };
    expect(await attempt(routes.deleteCertification, held, own.admin)).toEqual([400, 'E40031']);
    expect((await update(own, id, { certificationId: 0 }))[0]).toBe(200);
    expect((await attempt(routes.deleteCertification, held, own.admin))[0]).toBe(200);
  });

  test('to no time, then it is sent at once', async () => {
    const own = await harness.partner();
    const id = await waiting(own);
    expect((await update(own, id, { deliverDatetime: '' }))[0]).toBe(200);
    const status = async () => expect((await detail(own, id)).status).toBe('success');
    await vi.waitFor(status, 10_000);
  });

  test('and deleted, then it is gone, is not sent, and others learn of it', async () => {
    const own = await harness.partner();
    const id = await waiting(own);
    expect(await remove(own, id)).toEqual([200, undefined]);
    expect(await remove(own, id)).toEqual([404, 'E40401']);
    expect(await update(own, id, {})).toEqual([404, 'E40401']);
    expect(await harness.sql('SELECT FROM notifications WHERE id = $1', id)).toEqual([]);
    expect(await harness.sql('SELECT FROM messaging.task WHERE id = $1', String(id))).toEqual([]);
    expect(await told(own.pid, 'notification.deleted')).toEqual([{ notificationId: id }]);
  });

  test.each(['delivering', 'success', 'failure'])('but is %s already, then it is E40034', async (status) => {
    const own = await harness.partner();
    const id = await waiting(own);
    await harness.sql('UPDATE notifications SET status = $1 WHERE id = $2', status, id);
    expect(await update(own, id, { message: 'Late' })).toEqual([400, 'E40034']);
    expect(await remove(own, id)).toEqual([400, 'E40034']);
    expect(await detail(own, id)).toMatchObject({ status, message: 'News' });
  });
});

describe('When notifications are listed', () => {
  const titles = async ({ pid, sender }: TestPartner, query: object) => {
    const { body, status } = await harness.call(routes.listNotifications, { params: { pid }, query }, sender);
    expect(status).toBe(200);
    return body.pushNotifications.map(({ title }) => title);
  };
  let own: TestPartner;
  beforeAll(async () => {
    own = await harness.partner();
    await waiting(own, {
      title: 'Bus 100%',
      message: 'Line 7 is LATE',
      deliverDatetime: '2026-11-25T00:00:00Z',
    });
    harness.clock.advance(60_000);
    const cab = await waiting(own, { title: 'Cab', deliverDatetime: '2026-11-24T00:00:00Z' });
    harness.clock.advance(60_000);
    await waiting(own, { title: 'apple', deliverDatetime: '2026-11-26T00:00:00Z' });
    await harness.sql(`UPDATE notifications SET status = 'failure' WHERE id = $1`, cab);
  });

  test.each([
    [{}, ['apple', 'Cab', 'Bus 100%']],
    [{ order: 'asc' }, ['Bus 100%', 'Cab', 'apple']],
    [{ orderKey: 'title', order: 'asc' }, ['apple', 'Bus 100%', 'Cab']],
    [{ orderKey: 'deliverDatetime' }, ['apple', 'Bus 100%', 'Cab']],
    [{ orderKey: 'createdAt', order: 'asc' }, ['Bus 100%', 'Cab', 'apple']],
    [{ orderKey: 'status', order: 'asc' }, ['Cab', 'Bus 100%', 'apple']],
    [{ orderKey: 'title', order: 'desc' }, ['Cab', 'Bus 100%', 'apple']],
    [{ perPage: 2, page: 2 }, ['Bus 100%']],
    [{ title: 'A', order: 'asc' }, ['Cab', 'apple']],
    [{ title: '0%' }, ['Bus 100%']],
    // What begins with it comes first.
    [{ q: 'A', order: 'asc' }, ['apple', 'Bus 100%', 'Cab']],
    [{ q: '0%' }, ['Bus 100%']],
    [{ q: 'is late' }, ['Bus 100%']],
    [{ q: 'a', status: 'failure' }, ['Cab']],
    [{ status: 'failure' }, ['Cab']],
    [{ status: 'waiting,success' }, ['apple', 'Bus 100%']],
    [{ deliverDatetimeStart: '2026-11-25T00:00:00Z' }, ['apple', 'Bus 100%']],
    [{ deliverDatetimeEnd: '2026-11-25T00:00:00Z' }, ['Cab', 'Bus 100%']],
    [{ createdAtStart: '2026-11-21T09:01:00Z', createdAtEnd: '2026-11-21T09:01:30Z' }, ['Cab']],
  ])('%j', async (query, expected) => {
    expect(await titles(own, query)).toEqual(expected);
  });

  test.each(['asc', 'desc'] as const)('by title %s, then those without one come last', async (order) => {
    const other = await harness.partner();
    await waiting(other);
    await waiting(other, { title: 'Only' });
    await waiting(other, { title: '' });
    const found = await titles(other, { orderKey: 'title', order });
    expect([found[0], found.length]).toEqual(['Only', 3]);
  });

  test('by an id in the search box, then that one comes, and no other tenant finds it', async () => {
    const id = await waiting(own, { title: 'By its id' });
    expect(await titles(own, { q: String(id) })).toContain('By its id');
    expect(await titles(await harness.partner(), { q: String(id) })).toEqual([]);
    await remove(own, id);
  });

  test.each([
    [{ orderKey: 'message' }, 'order_key'],
    [{ status: 'done' }, 'status'],
    [{ perPage: 101 }, 'per_page'],
    [{ createdAtStart: 'x' }, 'created_at_start'],
  ])('by %j, then it is E40002', async (query, field) => {
    const reply = await harness.raw({
      method: 'GET',
      url: `/v1/partner/partners/${own.pid}/push_notifications?${Object.entries(query)
        .map(([key, value]) => `${key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}=${value}`)
        .join('&')}`,
      actor: own.sender,
    });
    expect([reply.status, reply.body.code, reply.body.errors[0]?.field]).toEqual([400, 'E40002', field]);
  });

  test('in a file, then with its columns and the filters of the list', async () => {
    const id = await waiting(own, {
      title: '=Sum',
      message: 'a,"b"\nc',
      deliverDatetime: '2026-11-27T00:00:00Z',
    });
    await harness.deliver(batchEvents.csvRequested, {
      subject: 77,
      partnerId: own.pid,
      data: {
        ...batchEvents.csvRequested.example,
        batchId: 77,
        kind: 'pushNotifications',
        filter: { title: 'sum' },
      },
    });
    const [completed] = await vi.waitFor(async () => {
      await harness.runJobs();
      const events = (await harness.events('csv.completed')).filter(({ subject }) => subject === '77');
      expect(events).toHaveLength(1);
      return events;
    }, 15_000);
    const { objectKey } = batchEvents.csvCompleted.data.parse(completed?.data);
    const object = await harness.storage.get(objectKey);
    if (!object || object === 'not-modified') throw new Error('No file');
    const rows = parse(await buffer(object.body), { bom: true, columns: true });
    expect(rows).toEqual([
      {
        id: String(id),
        title: "'=Sum",
        message: 'a,"b"\nc',
        status: 'waiting',
        deliver_datetime: '2026-11-27 09:00:00',
        target_count: '0',
        success_count: '0',
        failure_count: '0',
        created_at: expect.stringMatching(/^2026-11-21 18:/),
      },
    ]);
  });
});

describe('Who may', () => {
  test('admins and who sends pushes; developers, users, players and administrators not', async () => {
    const own = await harness.partner();
    const id = await waiting(own);
    const params = { pid: own.pid, id };
    expect((await attempt(routes.getNotification, { params }, own.admin))[0]).toBe(200);
    for (const actor of [
      partnerActor({ partnerId: own.pid, role: 16 }),
      partnerActor({ partnerId: own.pid, role: 0 }),
      playerActor({ partnerId: own.pid, accountId: 3 }),
    ]) {
      const forbidden = [403, 'E40301'];
      expect(await attempt(routes.listNotifications, { params }, actor)).toEqual(forbidden);
      expect(await attempt(routes.getNotification, { params }, actor)).toEqual(forbidden);
      const body = { message: 'x' };
      expect(await attempt(routes.createNotification, { params, body }, actor)).toEqual(forbidden);
      expect(await attempt(routes.updateNotification, { params, body }, actor)).toEqual(forbidden);
      expect(await attempt(routes.deleteNotification, { params }, actor)).toEqual(forbidden);
    }
    expect(await attempt(routes.listNotifications, { params }, adminActor())).toEqual([401, 'E40102']);
  });

  test('a contract without the push API: E40304', async () => {
    const own = await harness.partner({ contractRank: 'entry' });
    const params = { pid: own.pid, id: 1 };
    for (const route of [routes.listNotifications, routes.getNotification, routes.deleteNotification])
      expect(await attempt(route, { params }, own.admin)).toEqual([403, 'E40304']);
    expect(await create(own)).toEqual([403, 'E40304']);
    expect(await update(own, 1, {})).toEqual([403, 'E40304']);
  });

  test('ids of another tenant are answered as ones that do not exist', async () => {
    const [own, stranger] = [await harness.partner(), await harness.partner()];
    const id = await waiting(stranger);
    for (const unknown of [id, 999_999]) {
      const params = { pid: own.pid, id: unknown };
      expect(await attempt(routes.getNotification, { params }, own.sender)).toEqual([404, 'E40401']);
      expect(await update(own, unknown, { message: 'x' })).toEqual([404, 'E40401']);
      expect(await remove(own, unknown)).toEqual([404, 'E40401']);
    }
    expect(await detail(stranger, id)).toMatchObject({ status: 'waiting', message: 'News' });
  });
});

test('When an upgrade asks for it, then certificates and notifications that wait are told once more, and once', async () => {
  const own = await harness.partner();
  const certificationId = await own.certification();
  const id = await waiting(own, { certificationId });
  const sent = await waiting(own);
  await harness.sql(`UPDATE notifications SET status = 'success' WHERE id = $1`, sent);
  const first = await told(own.pid, pushEvents.notificationScheduled.type);
  const registered = await told(own.pid, pushEvents.certificationCreated.type);
  const dueAt = new Date(harness.clock.now().getTime() + 15 * 60_000);
  await harness.sql(
    `INSERT INTO retellings (thing, due_at) VALUES ('certifications', $1), ('notifications', $1)`,
    dueAt,
  );
  const again = async () => {
    await harness.runJobs();
    await harness.settled();
    return [
      await told(own.pid, pushEvents.notificationUpdated.type),
      await told(own.pid, pushEvents.certificationUpdated.type),
    ];
  };
  expect(await again()).toEqual([[], []]);
  harness.clock.set(dueAt);
  const retold = [first.filter((one) => Object(one).notificationId === id), registered];
  expect(retold.map(({ length }) => length)).toEqual([1, 1]);
  expect(await again()).toEqual(retold);
  expect(await again()).toEqual(retold);
  expect(await harness.sql('SELECT 1 FROM retellings')).toEqual([]);
});
