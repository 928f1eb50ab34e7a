import { userRoutes } from '@portal/contracts';
import { partnerActor } from '@portal/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { password, startUserHarness, type TestPartner, type UserHarness } from './user-harness.ts';

const adminBit = 268_435_456;
let harness: UserHarness;

beforeAll(async () => {
  harness = await startUserHarness();
});
afterAll(async () => harness.stop());

const accountsOf = async (pid: number) =>
  harness.sql('SELECT * FROM accounts WHERE partner_id = $1 ORDER BY id', pid);
const peopleEvents = async (pid: number) =>
  (await harness.events()).filter(
    ({ partnerid, type }) =>
      partnerid === pid && /^(users?|device)\./.test(type) && type !== 'user.signed_out',
  );
const signOuts = async (pid: number) =>
  (await harness.events('user.signed_out'))
    .filter(({ partnerid }) => partnerid === pid)
    .map(({ data }) => data);

const create = async ({ pid, actor }: TestPartner, body: Record<string, unknown>) =>
  harness.refused(userRoutes.createUser, { params: { pid }, body: { name: 'A user', ...body } }, actor);
const edit = async ({ pid, actor }: TestPartner, id: number, body: object) =>
  harness.refused(userRoutes.updateUser, { params: { pid, id }, body }, actor);
const remove = async ({ pid, actor }: TestPartner, ids: number[]) =>
  harness.refused(userRoutes.deleteUsers, { params: { pid }, body: { ids } }, actor);
const detail = async ({ pid, actor }: TestPartner, id: number) =>
  (await harness.call(userRoutes.getUser, { params: { pid, id } }, actor)).body;

async function device({ pid }: TestPartner, accountId: number, uuid: string) {
  expect(await harness.signInWith({ uuid }, { partnerId: pid, accountId })).toMatchObject({ status: 200 });
}

const refusal = ({ status, body }: Awaited<ReturnType<typeof create>>) => [
  status,
  body.code,
  ...body.errors.map(({ field }) => field),
];

describe('When a user is created', () => {
  it('then they are stored with an argon2id hash, put into their groups, and told', async () => {
    const own = await harness.partner();
    const [first, second] = [await own.group('First'), await own.group('Second')];
    const { status, body } = await harness.call(
      userRoutes.createUser,
      {
        params: { pid: own.pid },
        body: {
          name: 'Taro',
          loginUserId: 'Taro',
          password,
          role: 17,
          json: '{"a":1}',
          groupIds: [second, first, first],
          maxDeviceCountLimitedFlag: true,
          maxDeviceCount: 3,
        },
      },
      own.actor,
    );
    expect([status, body]).toEqual([201, { id: expect.any(Number) }]);
    expect(await detail(own, body.id)).toEqual({
      id: body.id,
      name: 'Taro',
      email: null,
      loginUserId: 'Taro',
      role: 17,
      json: '{"a":1}',
      groups: [
        { id: first, name: 'First' },
        { id: second, name: 'Second' },
      ],
      maxDeviceCountLimitedFlag: true,
      maxDeviceCount: 3,
      platforms: [],
      twoFactor: false,
      passwordSet: true,
      active: true,
      setupMailSentAt: null,
      lastLoginAt: null,
      createdAt: '2026-11-21T09:00:00Z',
      updatedAt: '2026-11-21T09:00:00Z',
    });
    const [account] = await accountsOf(own.pid);
    expect(account?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await peopleEvents(own.pid)).toMatchObject([
      {
        type: 'user.created',
        subject: String(body.id),
        data: {
          userId: body.id,
          name: 'Taro',
          email: null,
          loginUserId: 'Taro',
          role: 17,
          isUser: true,
          groupIds: [first, second],
        },
      },
    ]);
  });

  it('then one with an e-mail address has no password yet', async () => {
    const own = await harness.partner();
    expect((await create(own, { email: 'a@example.com', password: '' })).status).toBe(201);
    expect(await accountsOf(own.pid)).toMatchObject([{ email: 'a@example.com', password_hash: null }]);
  });

  it.each([
    [{}, [400, 'E40006', 'email', 'login_user_id']],
    [{ email: null, loginUserId: null }, [400, 'E40006', 'email', 'login_user_id']],
    [{ email: 'a@example.com', loginUserId: 'taro' }, [400, 'E40002', 'login_user_id']],
    [{ email: 'a@example.com', password }, [400, 'E40002', 'password']],
    [{ loginUserId: 'taro' }, [400, 'E40007', 'password']],
    [{ loginUserId: 'taro', password: '' }, [400, 'E40007', 'password']],
    [{ loginUserId: 'taro', password: 'short1' }, [400, 'E40002', 'password']],
    [{ loginUserId: 'ta ro', password }, [400, 'E40002', 'login_user_id']],
    [{ email: 'nobody', password: '' }, [400, 'E40002', 'email']],
    [{ loginUserId: 'taro', password, groupIds: [0] }, [404, 'E40404', 'group_ids']],
    [{ loginUserId: 'taro', password, groupIds: [999_999] }, [404, 'E40404', 'group_ids']],
    [{ loginUserId: 'taro', password, groupIds: [99_999_999_999] }, [404, 'E40404', 'group_ids']],
    [{ loginUserId: 'taro', password, json: '{' }, [400, 'E40002', 'json']],
    [{ loginUserId: 'taro', password, role: 2 }, [400, 'E40002', 'role']],
    [{ loginUserId: 'taro', password, role: -1 }, [400, 'E40002', 'role']],
    [{ loginUserId: 'taro', password, role: 2 ** 32 }, [400, 'E40002', 'role']],
    [{ loginUserId: 'taro', password, name: '' }, [400, 'E40003', 'name']],
    [{ loginUserId: 'taro', password, maxDeviceCount: 1001 }, [400, 'E40002', 'max_device_count']],
  ])('then %j is refused', async (body, expected) => {
    const own = await harness.partner();
    expect(refusal(await create(own, body))).toEqual(expected);
    expect(await accountsOf(own.pid)).toEqual([]);
    expect(await peopleEvents(own.pid)).toEqual([]);
  });

  it('then their login must be free, ignoring case, in this partner alone', async () => {
    const own = await harness.partner();
    await create(own, { email: 'a@example.com' });
    await create(own, { loginUserId: 'taro', password });
    expect(refusal(await create(own, { email: 'A@EXAMPLE.com' }))).toEqual([400, 'E40029', 'email']);
    expect(refusal(await create(own, { loginUserId: 'TARO', password }))).toEqual([
      400,
      'E40029',
      'login_user_id',
    ]);
    expect(await accountsOf(own.pid)).toHaveLength(2);
    const other = await harness.partner();
    expect((await create(other, { email: 'a@example.com' })).status).toBe(201);
  });

  it('then of several with one login at the same moment one is made', async () => {
    const own = await harness.partner();
    const replies = await Promise.all(
      ['a@example.com', 'A@example.com', 'a@Example.com'].map(async (email) => create(own, { email })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
    expect(await accountsOf(own.pid)).toHaveLength(1);
  });

  it('then a licence is needed where licences count users', async () => {
    const own = await harness.partner({ licenseCount: 1 });
    expect((await create(own, { email: 'a@example.com' })).status).toBe(201);
    expect(refusal(await create(own, { email: 'b@example.com' }))).toEqual([400, 'E40008']);
    const ofDevices = await harness.partner({ licenseType: 'device', licenseCount: 1 });
    await create(ofDevices, { email: 'a@example.com' });
    expect((await create(ofDevices, { email: 'b@example.com' })).status).toBe(201);
  });

  it('then the last licence is not taken twice at the same moment', async () => {
    const own = await harness.partner({ licenseCount: 3 });
    await create(own, { email: 'a@example.com' });
    await create(own, { email: 'b@example.com' });
    const replies = await Promise.all(
      ['c', 'd', 'e', 'f'].map(async (name) => create(own, { email: `${name}@example.com` })),
    );
    expect(replies.map(({ body, status }) => [status, body.code]).sort()).toEqual([
      [201, undefined],
      [400, 'E40008'],
      [400, 'E40008'],
      [400, 'E40008'],
    ]);
    expect(await accountsOf(own.pid)).toHaveLength(3);
    expect(await peopleEvents(own.pid)).toHaveLength(3);
  });

  it('then a repeat with the same Idempotency-Key makes no second one', async () => {
    const own = await harness.partner();
    const once = async () =>
      harness.call(
        userRoutes.createUser,
        {
          params: { pid: own.pid },
          body: { name: 'Once', email: 'once@example.com' },
          headers: { 'idempotency-key': 'k1' },
        },
        own.actor,
      );
    expect((await once()).body).toEqual((await once()).body);
    expect(await accountsOf(own.pid)).toHaveLength(1);
  });
});

describe('When a user is changed', () => {
  it('then what is absent stays, and null or an empty list clears', async () => {
    const own = await harness.partner();
    const group = await own.group('A group');
    const id = await own.user({ name: 'Before', json: '{"a":1}', groupIds: [group], role: 1 });
    const before = await detail(own, id);
    harness.clock.advance(60_000);

    expect((await edit(own, id, { name: 'After' })).body).toEqual({});
    expect(await detail(own, id)).toMatchObject({
      ...before,
      name: 'After',
      updatedAt: expect.not.stringMatching(before.updatedAt),
    });
    expect((await peopleEvents(own.pid)).at(-1)).toMatchObject({
      type: 'user.updated',
      data: { userId: id, name: 'After', role: 1, groupIds: [group], endsSessions: false },
    });
    await edit(own, id, { json: null, groupIds: [] });
    expect(await detail(own, id)).toMatchObject({ json: null, groups: [], name: 'After' });
    await edit(own, id, { groupIds: [group] });
    await edit(own, id, { groupIds: null });
    expect(await detail(own, id)).toMatchObject({ groups: [] });
  });

  it('then a password that is filled in is changed and ends the sessions', async () => {
    const own = await harness.partner();
    const id = await own.user({});
    const hash = async () => (await accountsOf(own.pid))[0]?.password_hash;
    const before = await hash();
    await edit(own, id, { password: '' });
    await edit(own, id, { password: null });
    expect(await hash()).toBe(before);
    expect((await peopleEvents(own.pid)).at(-1)).toMatchObject({ data: { endsSessions: false } });
    expect(refusal(await edit(own, id, { password }))).toEqual([400, 'E40002', 'password']);
    expect((await edit(own, id, { password: 'Another-1' })).status).toBe(200);
    expect(await hash()).not.toBe(before);
    expect((await peopleEvents(own.pid)).at(-1)).toMatchObject({ data: { endsSessions: true } });
    expect(await signOuts(own.pid)).toEqual([{ userId: id, generation: 1, passwordChanged: true }]);
  });

  it('then a password that they change themselves leaves the session that they do it in', async () => {
    const own = await harness.partner();
    const id = await own.user({ role: adminBit });
    const self = { ...own, actor: partnerActor({ partnerId: own.pid, accountId: id }) };
    expect((await edit(self, id, { password: 'Another-1' })).status).toBe(200);
    expect(await signOuts(own.pid)).toEqual([
      { userId: id, generation: 1, passwordChanged: true, keptSessionId: expect.any(String) },
    ]);
  });

  it('then another role ends the sessions', async () => {
    const own = await harness.partner();
    const id = await own.user({});
    await edit(own, id, { role: 16 });
    expect((await peopleEvents(own.pid)).at(-1)).toMatchObject({ data: { role: 16, endsSessions: true } });
    await edit(own, id, { role: 16 });
    expect((await peopleEvents(own.pid)).at(-1)).toMatchObject({ data: { role: 16, endsSessions: false } });
    expect(await signOuts(own.pid)).toEqual([{ userId: id, generation: 1 }]);
  });

  it('then the type of the login stays', async () => {
    const own = await harness.partner();
    const [byId, byEmail] = [
      await own.user({ loginUserId: 'taro' }),
      await own.user({ email: 'a@example.com' }),
    ];
    const before = await accountsOf(own.pid);
    expect(refusal(await edit(own, byId, { email: 'b@example.com' }))).toEqual([400, 'E40009', 'email']);
    expect(refusal(await edit(own, byEmail, { loginUserId: 'x', email: null }))).toEqual([
      400,
      'E40009',
      'login_user_id',
    ]);
    expect(refusal(await edit(own, byEmail, { email: null }))).toEqual([
      400,
      'E40006',
      'email',
      'login_user_id',
    ]);
    expect(refusal(await edit(own, byEmail, { password }))).toEqual([400, 'E40002', 'password']);
    expect(refusal(await edit(own, byEmail, { groupIds: [12345] }))).toEqual([404, 'E40404', 'group_ids']);
    expect(await accountsOf(own.pid)).toEqual(before);
    expect((await edit(own, byEmail, { email: 'B@example.com', loginUserId: null })).status).toBe(200);
    expect((await edit(own, byId, { loginUserId: 'TARO' })).status).toBe(200);
  });

  it('then a taken login is refused', async () => {
    const own = await harness.partner();
    await own.user({ loginUserId: 'taro' });
    await own.user({ email: 'a@example.com' });
    const [byId, byEmail] = [
      await own.user({ loginUserId: 'jiro' }),
      await own.user({ email: 'b@example.com' }),
    ];
    expect(refusal(await edit(own, byId, { loginUserId: 'TARO' }))).toEqual([400, 'E40029', 'login_user_id']);
    expect(refusal(await edit(own, byEmail, { email: 'A@example.com' }))).toEqual([400, 'E40029', 'email']);
  });

  it('then platform_uuids names the devices that stay', async () => {
    const own = await harness.partner();
    const id = await own.user({});
    for (const uuid of ['one', 'two', 'three']) await device(own, id, uuid);
    await edit(own, id, { name: 'Still three' });
    expect((await detail(own, id)).platforms).toHaveLength(3);
    await edit(own, id, { platformUuids: ['two', 'unknown'] });
    expect((await detail(own, id)).platforms.map(({ uuid }) => uuid)).toEqual(['two']);
    const removed = (await peopleEvents(own.pid)).filter(({ type }) => type === 'device.removed');
    expect(removed.map(({ data }) => data)).toEqual(
      expect.arrayContaining([
        { userId: id, uuid: 'one', registration: expect.any(Number) },
        { userId: id, uuid: 'three', registration: expect.any(Number) },
      ]),
    );
    const told = await signOuts(own.pid);
    expect(told).toHaveLength(2);
    expect(told).toEqual(
      expect.arrayContaining([
        { userId: id, device: { uuid: 'one', registration: expect.any(Number) } },
        { userId: id, device: { uuid: 'three', registration: expect.any(Number) } },
      ]),
    );
    await edit(own, id, { platformUuids: null });
    expect((await detail(own, id)).platforms).toEqual([]);
  });

  it('then the last admin stays an admin', async () => {
    const own = await harness.partner();
    const id = await own.user({ role: adminBit });
    expect(refusal(await edit(own, id, { role: 0 }))).toEqual([400, 'E40031', 'role']);
    expect((await accountsOf(own.pid))[0]).toMatchObject({ role: adminBit });
    const second = await own.user({ role: adminBit | 16 });
    // Both at once: one has to stay.
    const replies = await Promise.all([edit(own, id, { role: 0 }), edit(own, second, { role: 16 })]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400]);
  });
});

describe('When a group is deleted while a user is put into it', () => {
  it('then one of the two is refused', async () => {
    const own = await harness.partner();
    for (let round = 0; round < 5; round++) {
      const id = await own.group(`Group ${round}`);
      const [put, deleted] = await Promise.all([
        create(own, { email: `round-${round}@example.com`, groupIds: [id] }),
        harness.refused(userRoutes.deleteGroup, { params: { pid: own.pid, id } }, own.actor),
      ]);
      expect([
        ['E40404', undefined],
        [undefined, 'E40027'],
      ]).toContainEqual([put.body.code, deleted.body.code]);
    }
  });
});

describe('When users are deleted', () => {
  it('then they, their memberships and devices are gone and that is told', async () => {
    const own = await harness.partner();
    const group = await own.group('A group');
    const [first, second, third] = [
      await own.user({ groupIds: [group] }),
      await own.user({}),
      await own.user({}),
    ];
    await device(own, first, 'their-device');
    expect((await remove(own, [first, second, first])).body).toEqual({});
    expect((await accountsOf(own.pid)).map(({ id }) => id)).toEqual([third]);
    expect(await harness.sql('SELECT 1 FROM memberships WHERE partner_id = $1', own.pid)).toEqual([]);
    expect(await harness.sql('SELECT 1 FROM devices WHERE partner_id = $1', own.pid)).toEqual([]);
    expect((await peopleEvents(own.pid)).slice(-2)).toMatchObject([
      { type: 'device.removed', data: { userId: first, uuid: 'their-device' } },
      { type: 'users.deleted', data: { people: [{ userId: first }, { userId: second }] } },
    ]);
    expect(await signOuts(own.pid)).toEqual([{ userId: first }, { userId: second }]);
  });

  it('then with an unknown, foreign or repeated id nothing is', async () => {
    const own = await harness.partner();
    const [mine, foreign] = [await own.user({}), await (await harness.partner()).user({})];
    const before = (await peopleEvents(own.pid)).length;
    for (const ids of [[mine, foreign], [mine, 999_999], [0], [mine, 99_999_999_999]]) {
      expect(refusal(await remove(own, ids))).toEqual([404, 'E40403']);
    }
    expect(refusal(await remove(own, []))).toEqual([400, 'E40003', 'ids']);
    expect(await accountsOf(own.pid)).toHaveLength(1);
    expect(await peopleEvents(own.pid)).toHaveLength(before);
  });

  it('then the last admin stays', async () => {
    const own = await harness.partner();
    const [admin, user] = [await own.user({ role: adminBit }), await own.user({})];
    expect(refusal(await remove(own, [admin, user]))).toEqual([400, 'E40031', 'ids']);
    expect(await accountsOf(own.pid)).toHaveLength(2);
    const second = await own.user({ role: adminBit });
    const replies = await Promise.all([remove(own, [admin]), remove(own, [second])]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it('then their licence is free again', async () => {
    const own = await harness.partner({ licenseCount: 1 });
    await remove(own, [await own.user({})]);
    expect(await own.user({})).toBeGreaterThan(0);
  });
});

describe('When users are asked for with what cannot be', () => {
  it.each([
    ['order_key=constructor', 400, 'E40002'],
    ['created_at_start=yesterday', 400, 'E40002'],
    ['created_at_end=2026-02-30T00:00:00Z', 400, 'E40002'],
    ['created_at_start=0000-01-01T00:00:00Z', 400, 'E40002'],
    ['login_at_end=9999-12-31T23:59:59Z', 200, undefined],
    ['id=9999999999', 200, undefined],
    ['group=0', 400, 'E40002'],
    ['page=1000000&per_page=100', 200, undefined],
    ['name=%00', 400, 'E40002'],
    ['name=%ff', 200, undefined],
    ['login_id=%25_%5c', 200, undefined],
    ['__proto__=1&constructor=2', 200, undefined],
  ])('then %s gives %i', async (query, status, code) => {
    const { pid, actor } = await harness.partner();
    const url = `/v1/partner/partners/${pid}/users?${query}`;
    const reply = await harness.raw({ method: 'GET', url, actor });
    expect([reply.status, reply.body.code]).toEqual([status, code]);
  });
});

describe('When a company admin is no user', () => {
  it('then the list and calls of users do not know them', async () => {
    const own = await harness.partner();
    const [row] = await harness.sql<{ id: number }>(
      `INSERT INTO accounts (partner_id, name, name_key, email, email_key, role, is_user,
         max_device_count_limited_flag, max_device_count, created_at, updated_at)
       VALUES ($1, 'Admin', 'admin', 'a@example.com', 'a@example.com', $2, false, false, 0, now(), now())
       RETURNING id`,
      own.pid,
      adminBit,
    );
    const id = row?.id ?? 0;
    const list = await harness.call(userRoutes.listUsers, { params: { pid: own.pid }, query: {} }, own.actor);
    expect(list.body).toEqual({ currentPage: 1, totalPage: 0, totalCount: 0, users: [] });
    expect(refusal(await edit(own, id, { name: 'x' }))).toEqual([404, 'E40403']);
    expect(refusal(await remove(own, [id]))).toEqual([404, 'E40403']);
    const get = await harness.refused(userRoutes.getUser, { params: { pid: own.pid, id } }, own.actor);
    expect([get.status, get.body.code]).toEqual([404, 'E40403']);
    // They are an admin who remains, though.
    expect((await remove(own, [await own.user({ role: adminBit })])).status).toBe(200);
  });
});

describe('When an admin would be lost', () => {
  const cases = [
    {
      what: 'their own role',
      by: 'themselves',
      change: { role: 0 },
      en: [
        'The administrator role cannot be taken away.',
        'role: You cannot take the administrator role from yourself. Please ask another administrator.',
      ],
      ja: [
        '管理者の権限を外すことはできません。',
        'role: ご自身の管理者権限は外せません。ほかの管理者に依頼してください。',
      ],
    },
    {
      what: 'the last role',
      by: 'another',
      change: { role: 16 },
      en: ['The administrator role cannot be taken away.', 'role: There must be at least one administrator.'],
      ja: ['管理者の権限を外すことはできません。', 'role: 管理者が1人もいなくなるため、外せません。'],
    },
    {
      what: 'their own account',
      by: 'themselves',
      change: null,
      en: ['The deletion is not possible.', 'ids: You cannot delete your own account.'],
      ja: ['削除できません。', 'ids: ご自身のアカウントは削除できません。'],
    },
    {
      what: 'the last account',
      by: 'another',
      change: null,
      en: ['The deletion is not possible.', 'ids: The last administrator cannot be deleted.'],
      ja: ['削除できません。', 'ids: 最後の管理者は削除できません。'],
    },
  ];
  it.each(cases)('then $what stays, and both languages tell why', async ({ by, change, en, ja }) => {
    const own = await harness.partner();
    const id = await own.user({ role: adminBit });
    if (by === 'themselves') await own.user({ role: adminBit });
    const actor = by === 'themselves' ? partnerActor({ partnerId: own.pid, accountId: id }) : own.actor;
    for (const [language, texts] of Object.entries({ en, ja })) {
      const headers = { 'accept-language': language };
      const { pid } = own;
      const { body, status } = change
        ? await harness.refused(userRoutes.updateUser, { params: { pid, id }, body: change, headers }, actor)
        : await harness.refused(
            userRoutes.deleteUsers,
            { params: { pid }, body: { ids: [id] }, headers },
            actor,
          );
      const fields = body.errors.map(({ field, message }) => `${field}: ${message}`);
      expect([status, body.code, body.message, ...fields]).toEqual([400, 'E40031', ...texts]);
    }
    expect((await accountsOf(own.pid))[0]).toMatchObject({ role: adminBit });
  });
});
