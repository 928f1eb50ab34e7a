import { companyAdminRoutes, type RouteRequest, tenantEvents, userRoutes } from '@portal/contracts';
import {
  changeProvisionedGroup,
  changeProvisionedUser,
  createProvisionedGroup,
  createProvisionedUser,
  deleteProvisionedGroup,
  deleteProvisionedUser,
  findRecipients,
  getProvisionedGroup,
  getProvisionedUser,
  listProvisionedGroups,
  listProvisionedUsers,
  settleLogin,
  verifyLogin,
} from '@portal/contracts/internal';
import { newId } from '@portal/kernel';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { password, startUserHarness, type TestPartner, type UserHarness } from './user-harness.ts';

/** What the provisioning clients of tenants do, by the sso service. */

const adminBit = 268_435_456;
let harness: UserHarness;
beforeAll(async () => {
  harness = await startUserHarness();
});
afterAll(async () => harness.stop());

const told = <T extends object>({ body, status }: { body: T; status: number }) => ({
  status,
  code: 'code' in body ? body.code : undefined,
  ...body,
});
type Body<C extends Parameters<typeof harness.callAs>[1]> = Omit<RouteRequest<C>['body'], 'partnerId'>;

const provision = async ({ pid }: TestPartner, user: Partial<Body<typeof createProvisionedUser>> = {}) =>
  told(
    await harness.callAs('sso', createProvisionedUser, {
      body: { partnerId: pid, login: 'taro', name: 'Taro', externalId: null, active: true, ...user },
    }),
  );
const change = async ({ pid }: TestPartner, body: Body<typeof changeProvisionedUser>) =>
  told(await harness.callAs('sso', changeProvisionedUser, { body: { partnerId: pid, ...body } }));
const find = async ({ pid }: TestPartner, id: number) =>
  told(await harness.callAs('sso', getProvisionedUser, { body: { partnerId: pid, id } }));
const remove = async ({ pid }: TestPartner, id: number, version?: string) =>
  told(await harness.callAs('sso', deleteProvisionedUser, { body: { partnerId: pid, id, version } }));
const verify = async ({ pid }: TestPartner, loginUserId: string, given = password) =>
  told(
    await harness.callAs('identity', verifyLogin, {
      body: { partnerId: pid, loginUserId, password: given },
    }),
  );
const detail = async ({ actor, pid }: TestPartner, id: number) =>
  (await harness.call(userRoutes.getUser, { params: { pid, id } }, actor)).body;
const eventsOf = async ({ pid }: TestPartner, types = /^(user|device)/) =>
  (await harness.events())
    .filter(({ partnerid, type }) => partnerid === pid && types.test(type))
    .map(({ data, type }) => [type, data] as const);
const device = async ({ pid }: TestPartner, accountId: number, uuid: string) =>
  expect(await harness.signInWith({ uuid }, { partnerId: pid, accountId })).toMatchObject({ status: 200 });

describe('When a user is provisioned', () => {
  it('then they are stored without a password, and no mail asks them to choose one', async () => {
    const own = await harness.partner();
    const user = await provision(own, { login: 'taro@example.com', externalId: 'ext-1' });
    expect(user).toEqual({
      status: 200,
      id: expect.any(Number),
      version: '1',
      name: 'Taro',
      login: 'taro@example.com',
      externalId: 'ext-1',
      active: true,
      createdAt: '2026-11-21T09:00:00Z',
      updatedAt: '2026-11-21T09:00:00Z',
    });
    expect(await detail(own, user.id)).toMatchObject({
      email: 'taro@example.com',
      passwordSet: false,
      active: true,
    });
    expect(await eventsOf(own)).toEqual([
      ['user.created', expect.objectContaining({ userId: user.id, hasPassword: false, setupMail: false })],
    ]);
    expect(await find(own, user.id)).toEqual(user);
  });

  it('then a login that is taken is refused, of whomever it is', async () => {
    const own = await harness.partner();
    await own.user({ loginUserId: 'taro', password });
    await harness.call(
      companyAdminRoutes.createCompanyAdmin,
      { params: { pid: own.pid }, body: { name: 'An admin', email: 'admin@example.com' } },
      own.actor,
    );
    expect(await provision(own, { login: 'TARO' })).toMatchObject({ status: 400, code: 'E40029' });
    expect(await provision(own, { login: 'admin@example.com' })).toMatchObject({ code: 'E40029' });
  });

  it('then without a licence they are refused, and an inactive one needs none', async () => {
    const own = await harness.partner({ licenseCount: 1 });
    expect(await provision(own, { login: 'idle', active: false })).toMatchObject({
      status: 200,
      active: false,
    });
    expect(await provision(own)).toMatchObject({ status: 200 });
    expect(await provision(own, { login: 'third' })).toMatchObject({ status: 400, code: 'E40008' });
  });

  it('then the last licences are taken once each, however many come at once', async () => {
    const own = await harness.partner({ licenseCount: 3 });
    const all = await Promise.all(
      Array.from({ length: 8 }, async (_, i) => provision(own, { login: `user-${i}` })),
    );
    expect(all.filter(({ status }) => status === 200)).toHaveLength(3);
  });
});

describe('When a user is made inactive', () => {
  it('then they keep name, groups and password, lose their devices, and have to sign in again everywhere', async () => {
    const own = await harness.partner();
    const sales = await own.group('Sales');
    const id = await own.user({ name: 'Taro', loginUserId: 'taro', password, groupIds: [sales] });
    await device(own, id, 'ipad');
    await device(own, id, 'phone');
    const before = (await eventsOf(own)).length;
    expect(await change(own, { id, active: false })).toMatchObject({
      status: 200,
      active: false,
      version: '2',
    });
    expect(await detail(own, id)).toMatchObject({
      name: 'Taro',
      active: false,
      passwordSet: true,
      groups: [{ id: sales }],
      platforms: [],
    });
    const events = (await eventsOf(own)).slice(before);
    const ofType = (wanted: string) => events.filter(([type]) => type === wanted).map(([, data]) => data);
    expect(ofType('user.updated')).toEqual([
      expect.objectContaining({ userId: id, active: false, endsSessions: true, groupIds: [sales] }),
    ]);
    expect(ofType('device.removed')).toHaveLength(2);
    expect(ofType('user.signed_out')).toContainEqual({ userId: id, generation: 1 });
  });

  it('then the right password is refused, and tells so to who knows it alone', async () => {
    const own = await harness.partner();
    const id = await own.user({ loginUserId: 'taro', password });
    await change(own, { id, active: false });
    expect(await verify(own, 'taro')).toMatchObject({ status: 403, code: 'E40301' });
    expect(await verify(own, 'taro', 'wrong')).toMatchObject({ status: 401, code: 'E40101' });
    expect(
      told(
        await harness.callAs('identity', settleLogin, {
          body: { partnerId: own.pid, accountId: id, right: true, signsIn: true },
        }),
      ),
    ).toMatchObject({ status: 403, code: 'E40301' });
    expect(await harness.signInWith({ uuid: 'ipad' }, { partnerId: own.pid, accountId: id })).toMatchObject({
      status: 403,
      code: 'E40301',
    });
  });

  it('then a sign-in that had begun with the former state is over', async () => {
    const own = await harness.partner();
    const id = await own.user({ loginUserId: 'taro', password });
    const { generation } = await verify(own, 'taro');
    await change(own, { id, active: false });
    await change(own, { id, active: true });
    expect(
      told(
        await harness.callAs('identity', settleLogin, {
          body: { partnerId: own.pid, accountId: id, right: true, signsIn: true, generation },
        }),
      ),
    ).toMatchObject({ code: 'E40004' });
  });

  it('then their licence is free at once, and active again they take one, or are refused', async () => {
    const own = await harness.partner({ licenseCount: 1 });
    const first = await provision(own, { login: 'first' });
    expect(await provision(own, { login: 'second' })).toMatchObject({ code: 'E40008' });
    await change(own, { id: first.id, active: false });
    const second = await provision(own, { login: 'second' });
    expect(second.status).toBe(200);
    expect(await change(own, { id: first.id, active: true })).toMatchObject({ status: 400, code: 'E40008' });
    expect(await find(own, first.id)).toMatchObject({ active: false });
    await remove(own, second.id);
    expect(await change(own, { id: first.id, active: true })).toMatchObject({ status: 200, active: true });
  });

  it('then of those who become active at once no more than there are licences do', async () => {
    const own = await harness.partner({ licenseCount: 2 });
    const idle = [];
    for (let i = 0; i < 6; i += 1) idle.push(await provision(own, { login: `idle-${i}`, active: false }));
    const all = await Promise.all(idle.map(async ({ id }) => change(own, { id, active: true })));
    expect(all.filter(({ status }) => status === 200)).toHaveLength(2);
  });

  it('then a contract may have as few licences as active users, and no more become active meanwhile', async () => {
    const own = await harness.partner({ licenseCount: 3 });
    const first = await provision(own, { login: 'first' });
    await provision(own, { login: 'second' });
    await change(own, { id: first.id, active: false });
    const holdId = newId();
    await harness.deliver(tenantEvents.licenceHoldAsked, {
      subject: own.pid,
      partnerId: own.pid,
      data: {
        partnerId: own.pid,
        holdId,
        licenseType: 'user',
        licenseCount: 1,
        until: '2026-11-21T09:00:10Z',
      },
    });
    expect((await eventsOf(own, /^licence_hold/)).at(-1)?.[1]).toMatchObject({ held: true, inUse: 1 });
    expect(await change(own, { id: first.id, active: true })).toMatchObject({ code: 'E40008' });
  });

  it('then licences that count devices are free as well', async () => {
    const own = await harness.partner({ licenseType: 'device', licenseCount: 1 });
    const [first, second] = [
      await own.user({ loginUserId: 'first', password }),
      await own.user({ loginUserId: 'second', password }),
    ];
    await device(own, first, 'ipad');
    const signIn = async () =>
      harness.signInWith({ uuid: 'phone' }, { partnerId: own.pid, accountId: second });
    expect(await signIn()).toMatchObject({ code: 'E40307' });
    await change(own, { id: first, active: false });
    expect(await signIn()).toMatchObject({ status: 200 });
  });

  it('then the last company admin stays active, and is not deleted', async () => {
    const own = await harness.partner();
    const [first, last] = [
      await own.user({ loginUserId: 'first', password, role: adminBit }),
      await own.user({ loginUserId: 'last', password, role: adminBit }),
    ];
    expect(await change(own, { id: first, active: false })).toMatchObject({ status: 200 });
    expect(await change(own, { id: last, active: false })).toMatchObject({ status: 400, code: 'E40031' });
    expect(await remove(own, last)).toMatchObject({ status: 400, code: 'E40031' });
    expect(await find(own, last)).toMatchObject({ active: true });
  });

  it('then whoever counts an audience, or is told of it, leaves them out', async () => {
    const own = await harness.partner();
    const sales = await own.group('Sales');
    const id = await own.user({ loginUserId: 'taro', password, groupIds: [sales] });
    await own.user({ loginUserId: 'hana', password, groupIds: [sales] });
    await change(own, { id, active: false });
    for (const groupIds of [[0], [sales]]) {
      const counted = await harness.call(
        userRoutes.countAudience,
        { params: { pid: own.pid }, body: { groupIds } },
        own.actor,
      );
      expect(counted.body).toEqual({ users: 1, devices: 0 });
    }
    const found = await harness.callAs('push', findRecipients, {
      body: { partnerId: own.pid, groupIds: [], userIds: [id] },
    });
    expect(found.body.users).toMatchObject([{ userId: id, active: false }]);
    const list = await harness.call(userRoutes.listUsers, { params: { pid: own.pid } }, own.actor);
    expect(list.body).toMatchObject({ totalCount: 2 });
  });

  it('then no mail asks them to choose a password', async () => {
    const own = await harness.partner();
    const { id } = await provision(own, { login: 'taro@example.com', active: false });
    const sent = await harness.call(
      userRoutes.sendSetupMails,
      { params: { pid: own.pid }, body: { ids: [id] } },
      own.actor,
    );
    expect(sent.body).toEqual({ count: 0, skipped: 1 });
  });
});

describe('When a provisioned user is changed', () => {
  it('then name, login and external id change, and what is absent stays', async () => {
    const own = await harness.partner();
    const { id } = await provision(own, { login: 'taro@example.com', externalId: 'ext-1' });
    expect(await change(own, { id, name: 'Taro Y.', login: 'y@example.com' })).toMatchObject({
      name: 'Taro Y.',
      login: 'y@example.com',
      externalId: 'ext-1',
      version: '2',
    });
    expect(await change(own, { id, externalId: null })).toMatchObject({ name: 'Taro Y.', externalId: null });
  });

  it.each([
    [{ login: 'an-id' }, 400, 'E40009'],
    [{ login: 'other@example.com' }, 400, 'E40029'],
    [{ version: '7' }, 400, 'E40034'],
    [{ login: 'two words' }, 400, 'E40002'],
    [{ name: '' }, 400, 'E40003'],
  ])('then %j is refused', async (changes, status, code) => {
    const own = await harness.partner();
    await provision(own, { login: 'other@example.com' });
    const { id } = await provision(own, { login: 'taro@example.com' });
    expect(await change(own, { id, ...changes })).toMatchObject({ status, code });
    expect(await find(own, id)).toMatchObject({ version: '1' });
  });

  it('then no user of another company is met, nor one who is not there', async () => {
    const [own, other] = [await harness.partner(), await harness.partner()];
    const { id } = await provision(other);
    for (const of of [id, 999_999]) {
      expect(await find(own, of)).toMatchObject({ status: 404, code: 'E40403' });
      expect(await change(own, { id: of, active: false })).toMatchObject({ status: 404, code: 'E40403' });
      expect(await remove(own, of)).toMatchObject({ status: 404, code: 'E40403' });
    }
    expect(await find(other, id)).toMatchObject({ active: true, version: '1' });
  });

  it('then one who is deleted is gone, but not with another version', async () => {
    const own = await harness.partner();
    const { id } = await provision(own);
    expect(await remove(own, id, '9')).toMatchObject({ status: 400, code: 'E40034' });
    expect(await remove(own, id, '1')).toMatchObject({ status: 200 });
    expect(await find(own, id)).toMatchObject({ status: 404 });
  });

  it('then one who changes while the deletion waits for the company stays', async () => {
    const own = await harness.partner();
    const { id } = await provision(own);
    await harness.whileHeld(own.pid, async (release) => {
      const removed = remove(own, id, '1');
      await expect
        .poll(async () => harness.sql('SELECT 1 FROM pg_locks WHERE NOT granted AND pid <> pg_backend_pid()'))
        .not.toEqual([]);
      await harness.sql('UPDATE accounts SET revision = 2 WHERE partner_id = $1 AND id = $2', own.pid, id);
      await release();
      expect(await removed).toMatchObject({ status: 400, code: 'E40034' });
    });
    expect(await find(own, id)).toMatchObject({ version: '2' });
  });
});

type Filter = NonNullable<Body<typeof listProvisionedUsers>['filter']>;
const list = async ({ pid }: TestPartner, asked: Partial<Body<typeof listProvisionedUsers>> = {}) =>
  told(
    await harness.callAs('sso', listProvisionedUsers, {
      body: { partnerId: pid, order: 'asc', orderBy: 'id', skip: 0, take: 100, ...asked },
    }),
  );

describe('When users are looked for', () => {
  const text = (field: 'login' | 'name' | 'externalId' | 'id', operator: 'eq', value: string) =>
    ({ test: 'text', field, operator, value }) as const;
  const people = [
    { login: 'anna@example.com', name: 'Anna', externalId: 'A-1' },
    { login: 'ben', name: 'Ben 100%', externalId: null },
    { login: 'Carla@Example.com', name: 'carla', externalId: 'a-1' },
    { login: 'dan_1', name: 'Dan', externalId: 'D', active: false },
  ];
  let own: TestPartner;
  beforeAll(async () => {
    own = await harness.partner();
    const other = await harness.partner();
    for (const one of people) await provision(own, one);
    for (const one of people) await provision(other, one);
  });

  const compared = (operator: string, field: string, value: string) =>
    ({ test: 'text', field, operator, value }) as Filter[number];
  it.each<[string, Filter, string[]]>([
    ['login eq', [compared('eq', 'login', 'CARLA@example.com')], ['Carla@Example.com']],
    ['login ne', [compared('ne', 'login', 'ben')], ['anna@example.com', 'Carla@Example.com', 'dan_1']],
    ['login co', [compared('co', 'login', 'EXAMPLE')], ['anna@example.com', 'Carla@Example.com']],
    ['login sw', [compared('sw', 'login', 'an')], ['anna@example.com']],
    ['login ew', [compared('ew', 'login', '_1')], ['dan_1']],
    ['login gt', [compared('gt', 'login', 'ben')], ['Carla@Example.com', 'dan_1']],
    ['login le', [compared('le', 'login', 'ben')], ['anna@example.com', 'ben']],
    ['name co, as it stands', [compared('co', 'name', '0%')], ['ben']],
    ['name sw', [compared('sw', 'name', 'CAR')], ['Carla@Example.com']],
    ['externalId eq, with its case', [compared('eq', 'externalId', 'a-1')], ['Carla@Example.com']],
    [
      'externalId ne, also of who has none',
      [compared('ne', 'externalId', 'a-1')],
      ['anna@example.com', 'ben', 'dan_1'],
    ],
    [
      'externalId pr',
      [{ test: 'present', field: 'externalId' }],
      ['anna@example.com', 'Carla@Example.com', 'dan_1'],
    ],
    ['not externalId co', [compared('co', 'externalId', '-1'), { test: 'not' }], ['ben', 'dan_1']],
    ['active', [{ test: 'active', value: false }], ['dan_1']],
    [
      'or within and',
      [
        compared('eq', 'login', 'ben'),
        compared('eq', 'name', 'anna'),
        { test: 'or' },
        { test: 'active', value: true },
        { test: 'and' },
      ],
      ['anna@example.com', 'ben'],
    ],
    ['a text that no user has', [compared('eq', 'login', 'a\u0000')], []],
    ['an id that is none', [compared('eq', 'id', 'x')], []],
    [
      'a second that is over',
      [{ test: 'time', field: 'createdAt', operator: 'gt', value: '2026-11-21T09:00:00Z' }],
      [],
    ],
    [
      'a second',
      [{ test: 'time', field: 'createdAt', operator: 'eq', value: '2026-11-21T18:00:00+09:00' }],
      people.map(({ login }) => login),
    ],
  ])('then %s finds just those', async (_, filter, logins) => {
    const found = await list(own, { filter });
    expect(found.users.map(({ login }) => login)).toEqual(logins);
    expect(found.totalCount).toBe(logins.length);
  });

  it('then the id finds one', async () => {
    const [first] = (await list(own)).users;
    expect((await list(own, { filter: [text('id', 'eq', String(first?.id))] })).users).toEqual([first]);
  });

  it.each([
    ['login', ['anna@example.com', 'ben', 'Carla@Example.com', 'dan_1']],
    ['name', ['anna@example.com', 'ben', 'Carla@Example.com', 'dan_1']],
    ['createdAt', ['anna@example.com', 'ben', 'Carla@Example.com', 'dan_1']],
    ['updatedAt', ['anna@example.com', 'ben', 'Carla@Example.com', 'dan_1']],
  ] as const)(
    'then they come by %s, in either order, from wherever the page begins',
    async (orderBy, logins) => {
      const up = await list(own, { orderBy, skip: 1, take: 2 });
      expect([up.totalCount, up.users.map(({ login }) => login)]).toEqual([4, logins.slice(1, 3)]);
      const down = await list(own, { orderBy, order: 'desc', skip: 1, take: 2 });
      expect(down.users.map(({ login }) => login)).toEqual(logins.toReversed().slice(1, 3));
      expect((await list(own, { orderBy, skip: 4 })).users).toEqual([]);
      expect(await list(own, { take: 0 })).toMatchObject({ totalCount: 4, users: [] });
    },
  );

  it('then what was found once is found anew after a change', async () => {
    const filter: Filter = [{ test: 'active', value: false }];
    expect((await list(own, { filter })).totalCount).toBe(1);
    const { id } = await provision(own, { login: 'eve', active: false });
    expect((await list(own, { filter })).totalCount).toBe(2);
    await remove(own, id);
    expect((await list(own, { filter })).totalCount).toBe(1);
  });

  it.each<[string, Filter]>([
    ['what joins nothing', [{ test: 'and' }]],
    ['two without what joins them', [compared('eq', 'login', 'a'), compared('eq', 'login', 'b')]],
    ['a member of a user', [{ test: 'member', userId: 1 }]],
    ['more than a hundred', Array.from({ length: 101 }, () => compared('eq', 'login', 'a'))],
  ])('then %s is refused', async (_, filter) => {
    expect(await list(own, { filter })).toMatchObject({ status: 400, code: 'E40002' });
  });
});

const makeGroup = async ({ pid }: TestPartner, body: Partial<Body<typeof createProvisionedGroup>> = {}) =>
  told(
    await harness.callAs('sso', createProvisionedGroup, {
      body: { partnerId: pid, name: 'Sales', externalId: null, memberIds: [], withMembers: true, ...body },
    }),
  );
const changeGroup = async (
  { pid }: TestPartner,
  body: Omit<Body<typeof changeProvisionedGroup>, 'withMembers'>,
) =>
  told(
    await harness.callAs('sso', changeProvisionedGroup, {
      body: { partnerId: pid, withMembers: true, ...body },
    }),
  );
const findGroup = async ({ pid }: TestPartner, id: number, withMembers = true) =>
  told(await harness.callAs('sso', getProvisionedGroup, { body: { partnerId: pid, id, withMembers } }));
const removeGroup = async ({ pid }: TestPartner, id: number, version?: string) =>
  told(await harness.callAs('sso', deleteProvisionedGroup, { body: { partnerId: pid, id, version } }));

describe('When a group is provisioned', () => {
  it('then it is made with its users, each of whom is told of', async () => {
    const own = await harness.partner();
    const [a, b] = [(await provision(own)).id, (await provision(own, { login: 'hana' })).id];
    const group = await makeGroup(own, { externalId: 'g-1', memberIds: [b, a, a] });
    expect(group).toMatchObject({ status: 200, name: 'Sales', externalId: 'g-1', memberIds: [a, b] });
    expect((await detail(own, a)).groups).toEqual([{ id: group.id, name: 'Sales' }]);
    expect((await eventsOf(own, /^(group|users)\./)).map(([type]) => type)).toEqual([
      'group.created',
      'users.updated',
    ]);
    expect(await findGroup(own, group.id)).toEqual(group);
    const { memberIds: _, ...others } = group;
    expect(await findGroup(own, group.id, false)).toEqual(others);
  });

  it('then a name that is taken, and users that are not there, are refused, and nothing is made', async () => {
    const [own, other] = [await harness.partner(), await harness.partner()];
    await own.group('sales');
    expect(await makeGroup(own)).toMatchObject({ status: 400, code: 'E40029' });
    const { id } = await provision(other);
    expect(await makeGroup(own, { name: 'New', memberIds: [id] })).toMatchObject({
      status: 404,
      code: 'E40403',
    });
    expect((await harness.sql('SELECT name FROM groups WHERE partner_id = $1', own.pid)).length).toBe(1);
  });

  it('then its members are set, added and removed, and its version tells each change', async () => {
    const own = await harness.partner();
    const ids: number[] = [];
    for (let i = 0; i < 4; i += 1) ids.push((await provision(own, { login: `user-${i}` })).id);
    const [a = 0, b = 0, c = 0, d = 0] = ids;
    const made = await makeGroup(own, { memberIds: [a, b] });
    const added = await changeGroup(own, { id: made.id, add: [c, a] });
    expect(added.memberIds).toEqual([a, b, c]);
    expect(added.version).not.toBe(made.version);
    const before = (await eventsOf(own)).length;
    const same = await changeGroup(own, { id: made.id, add: [a], remove: [d, 999_999] });
    expect([same.version, same.memberIds]).toEqual([added.version, [a, b, c]]);
    expect(await eventsOf(own)).toHaveLength(before);
    expect((await changeGroup(own, { id: made.id, remove: [a] })).memberIds).toEqual([b, c]);
    expect(
      (await changeGroup(own, { id: made.id, keepOnly: [c, d], add: [a], remove: [c] })).memberIds,
    ).toEqual([a, d]);
    expect((await changeGroup(own, { id: made.id, keepOnly: [] })).memberIds).toEqual([]);
    expect(await changeGroup(own, { id: made.id, name: 'New', externalId: 'x' })).toMatchObject({
      name: 'New',
      externalId: 'x',
    });
  });

  it('then another version, an unknown user and a taken name change nothing', async () => {
    const own = await harness.partner();
    const { id: user } = await provision(own);
    await own.group('Taken');
    const { id, version } = await makeGroup(own);
    expect(await changeGroup(own, { id, version: '9.9', add: [user] })).toMatchObject({ code: 'E40034' });
    expect(await changeGroup(own, { id, name: 'New', add: [999_999] })).toMatchObject({ code: 'E40403' });
    expect(await changeGroup(own, { id, name: 'taken', add: [user] })).toMatchObject({ code: 'E40029' });
    expect(await findGroup(own, id)).toMatchObject({ version, name: 'Sales', memberIds: [] });
    expect(await changeGroup(own, { id, version, add: [user] })).toMatchObject({ status: 200 });
  });

  it('then deleting it takes its users out first; one with files stays as it is', async () => {
    const own = await harness.partner();
    const { id: user } = await provision(own);
    const [gone, kept] = [
      await makeGroup(own, { memberIds: [user] }),
      await makeGroup(own, { name: 'With files', memberIds: [user] }),
    ];
    await harness.sql(
      'INSERT INTO group_files (partner_id, file_id, group_id) VALUES ($1, 1, $2)',
      own.pid,
      kept.id,
    );
    expect(await removeGroup(own, kept.id)).toMatchObject({ status: 400, code: 'E40028' });
    expect(await findGroup(own, kept.id)).toMatchObject({ memberIds: [user] });
    expect(await removeGroup(own, gone.id, '9.9')).toMatchObject({ code: 'E40034' });
    expect(await removeGroup(own, gone.id)).toMatchObject({ status: 200 });
    expect((await detail(own, user)).groups).toEqual([{ id: kept.id, name: 'With files' }]);
    expect(await findGroup(own, gone.id)).toMatchObject({ status: 404, code: 'E40404' });
  });

  it('then no group of another company is met', async () => {
    const [own, other] = [await harness.partner(), await harness.partner()];
    const { id } = await makeGroup(other);
    expect(await findGroup(own, id)).toMatchObject({ code: 'E40404' });
    expect(await changeGroup(own, { id, name: 'Mine' })).toMatchObject({ code: 'E40404' });
    expect(await removeGroup(own, id)).toMatchObject({ code: 'E40404' });
  });

  it('then groups are found by name, external id and member', async () => {
    const own = await harness.partner();
    const { id: user } = await provision(own);
    await makeGroup(own, { name: 'Sales', externalId: 'g-1', memberIds: [user] });
    await makeGroup(own, { name: 'Support' });
    const listGroups = async (filter: Filter) =>
      told(
        await harness.callAs('sso', listProvisionedGroups, {
          body: {
            partnerId: own.pid,
            filter,
            order: 'desc',
            orderBy: 'name',
            skip: 0,
            take: 10,
            withMembers: true,
          },
        }),
      ).groups.map(({ name }) => name);
    expect(await listGroups([])).toEqual(['Support', 'Sales']);
    expect(await listGroups([text('name', 'sales')])).toEqual(['Sales']);
    expect(await listGroups([text('externalId', 'g-1')])).toEqual(['Sales']);
    expect(await listGroups([{ test: 'member', userId: user }])).toEqual(['Sales']);
    expect(await listGroups([{ test: 'present', field: 'members' }, { test: 'not' }])).toEqual(['Support']);
    function text(field: 'name' | 'externalId', value: string) {
      return { test: 'text', field, operator: 'eq', value } as const;
    }
  });
});
