import {
  fileEvents,
  identityEvents,
  limits,
  type RouteRequest,
  userEvents,
  userRoleBits,
  userRoutes,
} from '@portal/contracts';
import { partnerActor } from '@portal/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { startUserHarness, type TestPartner, type UserHarness } from './user-harness.ts';

/** Changes of what is selected in a list: by ids, or by the list's filter with the number that it shows. */

const nobody = 2_000_000_000;
const hour = 3_600_000;

let harness: UserHarness;
let partner: TestPartner;
let sales: number;
let field: number;
/** Taro, Hanako and Jiro; only Jiro has a password. */
let taro: number;
let hanako: number;
let jiro: number;

beforeAll(async () => {
  harness = await startUserHarness();
});
afterAll(async () => harness.stop());

beforeEach(async () => {
  partner = await harness.partner();
  sales = await partner.group('Sales');
  field = await partner.group('Field');
  taro = await partner.user({ name: 'Taro', email: 'taro@example.com', groupIds: [sales] });
  hanako = await partner.user({ name: 'Hanako', email: 'hanako@example.com' });
  jiro = await partner.user({ name: 'Jiro' });
});

type Groups = RouteRequest<typeof userRoutes.changeUsersGroups>['body'];
type Selected = RouteRequest<typeof userRoutes.deleteUsers>['body'];

const params = () => ({ pid: partner.pid });
const change = async (body: Groups) =>
  harness.call(userRoutes.changeUsersGroups, { params: params(), body }, partner.actor);
const mail = async (body: Selected) =>
  harness.call(userRoutes.sendSetupMails, { params: params(), body }, partner.actor);
const remove = async (body: Selected) =>
  harness.refused(userRoutes.deleteUsers, { params: params(), body }, partner.actor);
const removeGroups = async (body: RouteRequest<typeof userRoutes.deleteGroups>['body']) =>
  harness.refused(userRoutes.deleteGroups, { params: params(), body }, partner.actor);

async function raw(method: 'DELETE' | 'POST', path: string, body: object, actor = partner.actor) {
  const url = `/v1/partner/partners/${partner.pid}/${path}`;
  const reply = await harness.raw({ method, url, payload: JSON.stringify(body), actor });
  return [reply.status, reply.body.code, reply.body.errors?.map(({ field: name }) => name)];
}

async function listed(
  query: Partial<RouteRequest<typeof userRoutes.listUsers>['query']> = {},
): Promise<number[]> {
  const request = { params: params(), query: { order: 'asc', ...query } as const };
  return (await harness.call(userRoutes.listUsers, request, partner.actor)).body.users.map(({ id }) => id);
}
const row = async (id: number) =>
  (await harness.call(userRoutes.getUser, { params: { ...params(), id } }, partner.actor)).body;
const groupsOf = async (id: number) => (await row(id)).groups.map((group) => group.id);

describe('A selection', () => {
  const calls = [
    ['DELETE', 'users', {}],
    ['DELETE', 'groups', {}],
    ['POST', 'users/setup_mails', {}],
    ['POST', 'users/groups', { add: [1] }],
  ] as const;

  describe.each(calls)('of %s %s', (method, path, more) => {
    it.each<[string, object, number, string, string[]]>([
      ['neither ids nor a filter', {}, 400, 'E40003', ['ids']],
      ['no ids', { ids: [] }, 400, 'E40003', ['ids']],
      ['both', { ids: [1], filter: {}, expected_count: 1 }, 400, 'E40002', ['filter']],
      ['a filter without its number', { filter: {} }, 400, 'E40003', ['expected_count']],
      ['a number below 0', { filter: {}, expected_count: -1 }, 400, 'E40002', ['expected_count']],
      [
        'more than is done at once',
        { filter: {}, expected_count: 200_001 },
        400,
        'E40002',
        ['expected_count'],
      ],
      ['an unknown filter', { filter: { colour: 'red' }, expected_count: 0 }, 400, 'E40002', ['filter']],
      [
        'a filter by its name in the code',
        { filter: { loginId: 'taro' }, expected_count: 1 },
        400,
        'E40002',
        ['filter'],
      ],
      ['paging', { filter: { page: 1 }, expected_count: 0 }, 400, 'E40002', ['filter']],
      ['a filter that is wrong', { filter: { q: 1 }, expected_count: 0 }, 400, 'E40002', ['filter.q']],
      ['a filter that is no object', { filter: 'a', expected_count: 0 }, 400, 'E40002', ['filter']],
      ['another number', { filter: { q: 'nobody' }, expected_count: 1 }, 400, 'E40034', ['expected_count']],
      [
        'too many ids',
        { ids: Array.from({ length: limits.maxIdsPerDelete + 1 }, (_, id) => id) },
        400,
        'E40002',
        ['ids'],
      ],
      ['an id of nobody', { ids: [nobody] }, 404, path === 'groups' ? 'E40404' : 'E40403', []],
    ])('with %s is refused', async (_, body, status, code, fields) => {
      const known = 'add' in more ? { add: [sales] } : {};
      expect(await raw(method, path, { ...body, ...known })).toEqual([status, code, fields]);
      expect(await listed()).toEqual([taro, hanako, jiro]);
    });

    it('is for admins alone', async () => {
      for (const role of [1, 16, 17]) {
        const reader = partnerActor({ partnerId: partner.pid, role });
        expect(await raw(method, path, { ids: [taro], ...more }, reader)).toEqual([403, 'E40301', []]);
      }
    });
  });
});

describe('When the groups of many are changed', () => {
  it('then they join and leave them in one change, of which one event tells', async () => {
    const before = (await harness.events(userEvents.usersUpdated.type)).length;
    const { body } = await change({ ids: [taro, hanako, jiro, jiro], add: [field, field], remove: [sales] });
    expect(body).toEqual({ count: 3 });
    for (const id of [taro, hanako, jiro]) expect(await groupsOf(id)).toEqual([field]);
    const events = (await harness.events(userEvents.usersUpdated.type)).slice(before);
    expect(events.map(({ data }) => userEvents.usersUpdated.data.parse(data).people)).toMatchObject([
      [taro, hanako, jiro].map((userId) => ({ userId, revision: 2, groupIds: [field], endsSessions: false })),
    ]);
  });

  it('then those are counted for whom nothing changes, but not told of', async () => {
    const before = (await harness.events()).length;
    const { body } = await change({ filter: { q: 'taro' }, expectedCount: 1, add: [sales], remove: [field] });
    expect(body).toEqual({ count: 1 });
    const told = (await harness.events()).slice(before).map(({ type }) => type);
    expect(told.filter((type) => type.startsWith('user'))).toEqual([]);
  });

  it('then those of a filter are changed, also when the change takes them out of it', async () => {
    await change({ filter: {}, expectedCount: 3, add: [sales] });
    const { body } = await change({ filter: { group: sales }, expectedCount: 3, remove: [sales] });
    expect(body).toEqual({ count: 3 });
    expect(await listed({ groupUnset: true })).toEqual([taro, hanako, jiro]);
  });

  it('then more than fit into an event are told of by several, each once', async () => {
    const more = limits.peopleOfEvent + 600;
    await harness.sql(
      `INSERT INTO accounts (partner_id, name, name_key, login_user_id, login_user_id_key, role, is_user,
         max_device_count_limited_flag, max_device_count, created_at, updated_at)
       SELECT $1, 'Many', 'many', 'many-' || i, 'many-' || i, 0, true, false, 0, now(), now()
       FROM generate_series(1, $2::integer) i`,
      partner.pid,
      more,
    );
    const before = (await harness.events(userEvents.usersUpdated.type)).length;
    const { body } = await change({ filter: { name: 'many' }, expectedCount: more, add: [field] });
    expect(body).toEqual({ count: more });
    const events = (await harness.events(userEvents.usersUpdated.type)).slice(before);
    const people = events.map(({ data }) => userEvents.usersUpdated.data.parse(data).people);
    expect(new Set(people.flat().map(({ userId }) => userId)).size).toBe(more);
    expect(people.map(({ length }) => length)).toEqual([500, 500, 100]);
    expect((await remove({ filter: { name: 'many' }, expectedCount: more })).status).toBe(200);
    expect(await listed()).toEqual([taro, hanako, jiro]);
  });

  it.each<[string, () => object, number, string, string[]]>([
    ['neither add nor remove', () => ({}), 400, 'E40003', ['add']],
    ['empty lists', () => ({ add: [], remove: [] }), 400, 'E40003', ['add']],
    ['a group in both', () => ({ add: [field, sales], remove: [sales] }), 400, 'E40002', ['remove']],
    ['an unknown group to join', () => ({ add: [field, nobody] }), 404, 'E40404', ['add']],
    ['everyone to join', () => ({ add: [0] }), 404, 'E40404', ['add']],
    ['an unknown group to leave', () => ({ add: [field], remove: [nobody] }), 404, 'E40404', ['remove']],
    ['everyone to leave', () => ({ remove: [0] }), 404, 'E40404', ['remove']],
  ])('then %s is refused, and nothing is done', async (_, body, status, code, fields) => {
    const answer = await raw('POST', 'users/groups', { ids: [hanako], ...body() });
    expect(answer).toEqual([status, code, fields]);
    expect(await groupsOf(hanako)).toEqual([]);
  });

  it('then with one unknown person nobody is changed', async () => {
    expect(await raw('POST', 'users/groups', { ids: [hanako, nobody], add: [field] })).toEqual([
      404,
      'E40403',
      [],
    ]);
    expect(await groupsOf(hanako)).toEqual([]);
  });
});

test('The operation log names those whom a filter selected', async () => {
  await change({ filter: { passwordState: 'none' }, expectedCount: 2, add: [field] });
  await harness.settled();
  const entries = (await harness.events('operation.logged')).map(({ data }) => Object(data));
  expect(entries.findLast(({ operation }) => operation === 'changeUsersGroups')).toMatchObject({
    targetKind: 'user',
    targetIds: [taro, hanako],
  });
});

describe('When users are deleted by a filter', () => {
  it('then those whom it shows are gone, and told of', async () => {
    const { status } = await remove({ filter: { passwordState: 'none' }, expectedCount: 2 });
    expect(status).toBe(200);
    expect(await listed()).toEqual([jiro]);
    expect((await harness.events(userEvents.usersDeleted.type)).at(-1)).toMatchObject({
      data: { people: [{ userId: taro }, { userId: hanako }] },
    });
  });

  it('then one who has come meanwhile stops it', async () => {
    const newcomer = await partner.user({ name: 'Saburo' });
    const { body, status } = await remove({ filter: {}, expectedCount: 3 });
    expect([status, body.code]).toEqual([400, 'E40034']);
    expect(await listed()).toEqual([taro, hanako, jiro, newcomer]);
  });

  it('then never the one who asks, nor the last admin', async () => {
    const self = partnerActor({ partnerId: partner.pid, accountId: jiro });
    const everybody = { filter: {}, expected_count: 3 };
    expect(await raw('DELETE', 'users', everybody, self)).toEqual([400, 'E40031', ['filter']]);
    await harness.sql('UPDATE accounts SET role = $2 WHERE id = $1', taro, userRoleBits.admin);
    expect(await raw('DELETE', 'users', everybody)).toEqual([400, 'E40031', ['filter']]);
    expect(await listed()).toHaveLength(3);
  });
});

describe('When groups are deleted together', () => {
  it('then empty ones go, by ids or a filter, and each is told of', async () => {
    const more = [await partner.group('Old 1'), await partner.group('Old 2')];
    expect((await removeGroups({ filter: { q: 'old' }, expectedCount: 2 })).status).toBe(200);
    expect((await removeGroups({ ids: [field] })).status).toBe(200);
    const deleted = (await harness.events(userEvents.groupDeleted.type)).map(({ subject }) =>
      Number(subject),
    );
    expect(deleted.slice(-3)).toEqual([...more, field]);
    const { body } = await harness.call(userRoutes.listGroups, { params: params() }, partner.actor);
    expect(body.groups.map(({ id }) => id)).toEqual([sales]);
  });

  it.each<[string, string, () => Promise<unknown>]>([
    ['users', 'E40027', async () => change({ ids: [jiro], add: [field] })],
    [
      'files',
      'E40028',
      async () =>
        harness.deliver(fileEvents.fileAssigned, {
          subject: 7,
          partnerId: partner.pid,
          data: { ...fileEvents.fileAssigned.example, fileId: 7, groupIds: [field] },
        }),
    ],
  ])('then none goes while one of them has %s', async (_, code, fill) => {
    const empty = await partner.group('Empty');
    await fill();
    const { body, status } = await removeGroups({ ids: [empty, field] });
    expect([status, body.code]).toEqual([400, code]);
    const groups = await harness.call(userRoutes.listGroups, { params: params() }, partner.actor);
    expect(groups.body).toMatchObject({ totalCount: 3 });
  });
});

describe('When set-up mails are sent again', () => {
  const requested = async () =>
    (await harness.events(userEvents.setupMailsRequested.type)).filter(
      ({ partnerid }) => partnerid === partner.pid,
    );

  it('then to those with an address and no password; the others are skipped', async () => {
    const { body } = await mail({ ids: [taro, hanako, jiro] });
    expect(body).toEqual({ count: 2, skipped: 1 });
    expect((await requested()).map(({ data }) => data)).toEqual([
      {
        partnerId: partner.pid,
        people: [
          { userId: taro, name: 'Taro', email: 'taro@example.com', generation: 0 },
          { userId: hanako, name: 'Hanako', email: 'hanako@example.com', generation: 0 },
        ],
      },
    ]);
    expect((await row(taro)).setupMailSentAt).toBe('2026-11-21T09:00:00Z');
    expect((await row(jiro)).setupMailSentAt).toBeNull();
  });

  it('then three within an hour, by this call and of their own accord together', async () => {
    await harness.deliver(identityEvents.setupMailsSent, {
      subject: partner.pid,
      partnerId: partner.pid,
      data: { partnerId: partner.pid, at: '2026-11-21T09:01:00Z', userIds: [taro, jiro], asked: true },
    });
    expect((await row(taro)).setupMailSentAt).toBe('2026-11-21T09:01:00Z');
    const filter = { filter: { q: 'taro' }, expectedCount: 1 };
    expect((await mail(filter)).body).toEqual({ count: 1, skipped: 0 });
    expect((await mail(filter)).body).toEqual({ count: 1, skipped: 0 });
    expect((await mail(filter)).body).toEqual({ count: 0, skipped: 1 });
    expect(await requested()).toHaveLength(2);
    harness.clock.advance(hour);
    expect((await mail(filter)).body).toEqual({ count: 1, skipped: 0 });
    expect((await row(taro)).setupMailSentAt).toBe('2026-11-21T10:00:00Z');
    harness.clock.advance(-hour);
  });

  it('then the first mail, which nobody asked for, takes none of the three', async () => {
    await harness.deliver(identityEvents.setupMailsSent, {
      subject: partner.pid,
      partnerId: partner.pid,
      data: { partnerId: partner.pid, at: '2026-11-21T09:00:00Z', userIds: [taro], asked: false },
    });
    for (const count of [1, 1, 1, 0]) expect((await mail({ ids: [taro] })).body.count).toBe(count);
  });
});

test('Rows tell who has a password, and a filter finds them', async () => {
  // Of a new user the mail that goes with their making.
  expect([(await row(taro)).setupMailSentAt, (await row(jiro)).setupMailSentAt]).toEqual([
    '2026-11-21T09:00:00Z',
    null,
  ]);
  expect([(await row(taro)).passwordSet, (await row(jiro)).passwordSet]).toEqual([false, true]);
  expect(await listed({ passwordState: 'none' })).toEqual([taro, hanako]);
  expect(await listed({ passwordState: 'set' })).toEqual([jiro]);
  await harness.sql(`UPDATE accounts SET password_hash = 'a hash' WHERE id = $1`, taro);
  expect(await listed({ passwordState: 'none' })).toEqual([hanako]);
  const url = `/v1/partner/partners/${partner.pid}/users?password_state=some`;
  const wrong = await harness.raw({ method: 'GET', url, actor: partner.actor });
  expect([wrong.status, wrong.body.code, wrong.body.errors[0]?.field]).toEqual([
    400,
    'E40002',
    'password_state',
  ]);
});

test('The search box takes 255 characters', async () => {
  for (const list of ['users', 'groups', 'admins']) {
    const ask = async (length: number) => {
      const url = `/v1/partner/partners/${partner.pid}/${list}?q=${'%25'.repeat(length)}`;
      const { body, status } = await harness.raw({ method: 'GET', url, actor: partner.actor });
      return [status, body.errors?.[0]?.field];
    };
    expect(await ask(255)).toEqual([200, undefined]);
    expect(await ask(256)).toEqual([400, 'q']);
  }
});

test('The overview counts users, those without a password, and shows the last five who signed in', async () => {
  const ids: number[] = [];
  for (let i = 0; i < 5; i++) ids.push(await partner.user({ name: `Signed in ${i}` }));
  for (const [minute, id] of [jiro, ...ids].entries()) {
    await harness.sql(
      'UPDATE accounts SET last_login_at = $2 WHERE id = $1',
      id,
      `2026-11-21T08:0${minute}:00Z`,
    );
  }
  const overview = async (actor = partner.actor, tz = 'Europe/Paris') =>
    harness.call(userRoutes.usersOverview, { params: params(), query: { tz } }, actor);
  const { body } = await overview();
  expect(body).toMatchObject({ total: 8, withoutPassword: 2 });
  expect(body.lastSignIns).toEqual(
    ids.map((id, i) => ({ id, name: `Signed in ${i}`, at: `2026-11-21T08:0${i + 1}:00Z` })).reverse(),
  );
  for (const role of [1, 16]) {
    expect((await overview(partnerActor({ partnerId: partner.pid, role }))).status).toBe(200);
  }
  for (const tz of ['Mars/Olympus', '+09:00']) {
    expect(await overview(partner.actor, tz)).toMatchObject({ status: 400, body: { code: 'E40002' } });
  }
});

test('An audience counts each person once, with their devices', async () => {
  const audience = async (groupIds: number[], role: number = userRoleBits.admin) => {
    const request = { params: params(), body: { groupIds } };
    return harness.call(userRoutes.countAudience, request, partnerActor({ partnerId: partner.pid, role }));
  };
  await change({ ids: [taro, hanako], add: [sales, field] });
  await harness.sql(
    `INSERT INTO devices (partner_id, uuid, account_id, name, os_type, os_version, player_version, created_at)
     SELECT $1, $2 || '-' || uuid, account, '', 'ios', '19', '5', now()
     FROM (VALUES ('a', $3::integer), ('b', $3), ('c', $4)) device (uuid, account)`,
    partner.pid,
    `audience-${partner.pid}`,
    taro,
    jiro,
  );
  expect((await audience([sales, field, sales])).body).toEqual({ users: 2, devices: 2 });
  expect((await audience([0])).body).toEqual({ users: 3, devices: 3 });
  expect((await audience([0, sales], 1)).body).toEqual({ users: 3, devices: 3 });
  expect((await audience([], 16)).body).toEqual({ users: 0, devices: 0 });
  expect(await raw('POST', 'audience', { group_ids: [sales, nobody] })).toEqual([
    404,
    'E40404',
    ['group_ids'],
  ]);
  expect(await raw('POST', 'audience', { group_ids: [0, nobody] })).toEqual([404, 'E40404', ['group_ids']]);
  expect(await raw('POST', 'audience', {})).toEqual([400, 'E40003', ['group_ids']]);
});

test('A group tells how many users and files it has', async () => {
  const count = async () => {
    const { body } = await harness.call(
      userRoutes.getGroup,
      { params: { ...params(), id: sales } },
      partner.actor,
    );
    return [body.userCount, body.fileCount];
  };
  const assign = async (fileId: number, groupIds: number[]) =>
    harness.deliver(fileEvents.fileAssigned, {
      subject: fileId,
      partnerId: partner.pid,
      data: { ...fileEvents.fileAssigned.example, fileId, groupIds },
    });
  expect(await count()).toEqual([1, 0]);
  await assign(1, [sales, field]);
  await assign(2, [sales]);
  expect(await count()).toEqual([1, 2]);
  await assign(2, []);
  expect(await count()).toEqual([1, 1]);
});
