import { companyAdminRoutes, userRoutes } from '@portal/contracts';
import { provideSsoUser, recordSsoLogin, verifyLogin } from '@portal/contracts/internal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { password, startUserHarness, stateOf, type TestPartner, type UserHarness } from './user-harness.ts';

/** Whom the identity provider of a tenant has proved to be who they are. */

let harness: UserHarness;
beforeAll(async () => {
  harness = await startUserHarness();
});
afterAll(async () => harness.stop());

type Coming = Partial<Parameters<typeof harness.callAs<typeof provideSsoUser>>[2] & {}>['body'] & {};

const come = async ({ pid }: Pick<TestPartner, 'pid'>, coming: Partial<Coming> = {}) => {
  const { body, status } = await harness.callAs('sso', provideSsoUser, {
    body: { partnerId: pid, identifier: 'taro@example.com', name: 'Taro', client: 'player', ...coming },
  });
  return { status, code: 'code' in body ? body.code : undefined, ...body };
};
const platform = { uuid: 'ipad', name: 'iPad', osType: 'ios', osVersion: '19.1', playerVersion: '5.0.0' };
const enter = async ({ pid }: Pick<TestPartner, 'pid'>, accountId: number, uuid?: string) => {
  const { body, status } = await harness.callAs('identity', recordSsoLogin, {
    body: { partnerId: pid, accountId, ...(uuid && { platform: { ...platform, uuid } }) },
  });
  return { status, code: 'code' in body ? body.code : undefined, ...body };
};
const detail = async ({ actor, pid }: TestPartner, id: number) =>
  (await harness.call(userRoutes.getUser, { params: { pid, id } }, actor)).body;
const accountsOf = async (pid: number) =>
  harness.sql('SELECT * FROM accounts WHERE partner_id = $1 ORDER BY id', pid);
const told = async (pid: number) =>
  (await harness.events())
    .filter(({ partnerid, type }) => partnerid === pid && type.startsWith('user'))
    .map(({ data, type }) => [type, data]);
const makeInactive = async (id: number) =>
  harness.sql('UPDATE accounts SET active = false WHERE id = $1', id);

describe('When somebody comes by single sign-on for the first time', () => {
  it('then they become a user without a password, whom no mail asks to choose one', async () => {
    const own = await harness.partner();
    const came = await come(own);
    expect(came).toMatchObject({
      status: 200,
      userId: expect.any(Number),
      created: true,
      name: 'Taro',
      groups: [],
    });
    expect(await detail(own, came.userId ?? 0)).toMatchObject({
      name: 'Taro',
      email: 'taro@example.com',
      loginUserId: null,
      role: 0,
      passwordSet: false,
      active: true,
    });
    expect(await told(own.pid)).toEqual([
      [
        'user.created',
        expect.objectContaining({ userId: came.userId, hasPassword: false, setupMail: false }),
      ],
    ]);
  });

  it('then many of a tenant that wait for its licences hold up neither those who have come before nor other tenants', async () => {
    const [own, other] = [await harness.partner(), await harness.partner()];
    await come(own, { identifier: 'known' });
    await harness.whileHeld(own.pid, async (release) => {
      // More than the service has connections.
      const waiting = Array.from({ length: 14 }, async (_, index) =>
        come(own, { identifier: `new-${index}` }),
      );
      expect(await come(own, { identifier: 'known' })).toMatchObject({ status: 200, created: false });
      expect(await come(other)).toMatchObject({ status: 200, created: true });
      expect(await accountsOf(own.pid)).toHaveLength(1);
      await release();
      expect(await Promise.all(waiting)).toEqual(
        waiting.map(() => expect.objectContaining({ status: 200, created: true })),
      );
    });
  });

  it('then one without an address is known by their login id', async () => {
    const own = await harness.partner();
    const { userId } = await come(own, { identifier: 'taro' });
    expect(await detail(own, userId ?? 0)).toMatchObject({
      email: null,
      loginUserId: 'taro',
      passwordSet: false,
    });
  });

  it.each(['', 'two words', '@', 'a@b', `${'a'.repeat(65)}`, '太郎', 'ta\u0000ro'])(
    'then %j is nobody, and nobody is made',
    async (identifier) => {
      const own = await harness.partner();
      expect(await come(own, { identifier })).toMatchObject({ status: 400 });
      expect(await accountsOf(own.pid)).toEqual([]);
    },
  );

  it('then without a licence nobody is made', async () => {
    const own = await harness.partner({ licenseCount: 1 });
    await own.user({});
    expect(await come(own)).toMatchObject({ status: 403, code: 'E40307' });
    expect(await accountsOf(own.pid)).toHaveLength(1);
  });

  it('then twice at once they are one, and the last licence is taken once', async () => {
    const own = await harness.partner({ licenseCount: 1 });
    const both = await Promise.all([come(own), come(own), come(own, { identifier: 'another' })]);
    const users = new Set(both.flatMap(({ userId }) => userId ?? []));
    expect(users.size).toBe(1);
    expect(await accountsOf(own.pid)).toHaveLength(1);
  });

  it('then a partner of which nothing was heard yet is asked for; one that is not there is refused', async () => {
    harness.unheardPartners.set(90_001, stateOf(90_001));
    expect(await come({ pid: 90_001 })).toMatchObject({ status: 200, created: true });
    expect(await come({ pid: 90_002 })).toMatchObject({ status: 404, code: 'E40402' });
  });
});

describe('When somebody comes by single sign-on again', () => {
  it.each(['Taro@Example.com', 'TARO'])(
    'then %s is the user who is there, whose name stays',
    async (identifier) => {
      const own = await harness.partner();
      const id = await own.user(
        identifier.includes('@')
          ? { name: 'As it was', email: 'taro@example.com' }
          : { name: 'As it was', loginUserId: 'taro', password },
      );
      const events = (await told(own.pid)).length;
      expect(await come(own, { identifier })).toMatchObject({
        userId: id,
        created: false,
        name: 'As it was',
      });
      expect(await detail(own, id)).toMatchObject({ name: 'As it was' });
      expect(await told(own.pid)).toHaveLength(events);
    },
  );

  it('then a user of another company with that address is not met', async () => {
    const [own, other] = [await harness.partner(), await harness.partner()];
    const id = await other.user({ email: 'taro@example.com' });
    expect(await come(own)).not.toMatchObject({ userId: id });
  });

  it('then one who was deleted is made anew', async () => {
    const own = await harness.partner();
    const first = await come(own);
    await harness.call(
      userRoutes.deleteUsers,
      { params: { pid: own.pid }, body: { ids: [first.userId ?? 0] } },
      own.actor,
    );
    const second = await come(own);
    expect(second).toMatchObject({ created: true });
    expect(second.userId).not.toBe(first.userId);
  });

  it('then one who is inactive is refused', async () => {
    const own = await harness.partner();
    const { userId } = await come(own);
    await makeInactive(userId ?? 0);
    expect(await come(own)).toMatchObject({ status: 403, code: 'E40301' });
    expect(await enter(own, userId ?? 0)).toMatchObject({ status: 403, code: 'E40301' });
  });
});

describe('When the identity provider names groups', () => {
  it('then they are in those that exist, ignoring case, and the default group, and in no others', async () => {
    const own = await harness.partner();
    const [sales, former, everybody] = [
      await own.group('Sales'),
      await own.group('Former'),
      await own.group('Default'),
    ];
    const id = await own.user({ email: 'taro@example.com', groupIds: [former] });
    const groupNames = ['SALES', 'Unknown', 'sales', '', 'a\u0000b', 'x'.repeat(300)];
    expect(await come(own, { groupNames, defaultGroupId: everybody })).toMatchObject({
      userId: id,
      groups: [
        { id: sales, name: 'Sales' },
        { id: everybody, name: 'Default' },
      ],
    });
    expect((await detail(own, id)).groups.map(({ id: group }) => group)).toEqual([sales, everybody]);
    expect((await told(own.pid)).at(-1)).toEqual([
      'user.updated',
      expect.objectContaining({ userId: id, revision: 2, groupIds: [sales, everybody], endsSessions: false }),
    ]);
    const before = (await told(own.pid)).length;
    expect(await come(own, { groupNames, defaultGroupId: everybody })).toMatchObject({ created: false });
    expect(await told(own.pid)).toHaveLength(before);
    expect(await come(own, { groupNames: [] })).toMatchObject({ groups: [] });
  });

  it('then without names the groups stay, and the default group is added; one that is gone is passed over', async () => {
    const own = await harness.partner();
    const [former, everybody] = [await own.group('Former'), await own.group('Default')];
    const id = await own.user({ email: 'taro@example.com', groupIds: [former] });
    expect(await come(own, { defaultGroupId: everybody })).toMatchObject({ userId: id });
    expect((await detail(own, id)).groups.map(({ id: group }) => group)).toEqual([former, everybody]);
    expect(await come(own, { defaultGroupId: 999_999 })).toMatchObject({
      groups: [{ id: former }, { id: everybody }],
    });
    expect(await come(own, { identifier: 'new', defaultGroupId: everybody })).toMatchObject({
      created: true,
      groups: [{ id: everybody }],
    });
  });

  it('then groups of another company are none', async () => {
    const [own, other] = [await harness.partner(), await harness.partner()];
    const foreign = await other.group('Sales');
    expect(await come(own, { groupNames: ['Sales'], defaultGroupId: foreign })).toMatchObject({ groups: [] });
  });
});

describe('When it is only asked what would come of it', () => {
  it('then nothing changes', async () => {
    const own = await harness.partner({ licenseCount: 1 });
    const sales = await own.group('Sales');
    expect(await come(own, { preview: true, groupNames: ['Sales'] })).toMatchObject({
      userId: null,
      created: true,
      name: 'Taro',
      groups: [{ id: sales, name: 'Sales' }],
    });
    const id = await own.user({ name: 'Known', email: 'taro@example.com' });
    expect(await come(own, { preview: true, groupNames: ['Sales'] })).toMatchObject({
      userId: id,
      created: false,
      name: 'Known',
      groups: [{ id: sales }],
    });
    expect((await detail(own, id)).groups).toEqual([]);
  });
});

describe('When somebody comes to the portal', () => {
  it('then nobody is made, and nobody becomes a company admin', async () => {
    const own = await harness.partner();
    expect(await come(own, { client: 'portal' })).toMatchObject({ status: 403, code: 'E40301' });
    await own.user({ email: 'taro@example.com' });
    expect(await come(own, { client: 'portal' })).toMatchObject({ status: 403, code: 'E40301' });
    expect(await accountsOf(own.pid)).toHaveLength(1);
  });

  it('then a company admin who is there enters; one who is no user has no player', async () => {
    const own = await harness.partner();
    const { body } = await harness.call(
      companyAdminRoutes.createCompanyAdmin,
      { params: { pid: own.pid }, body: { name: 'An admin', email: 'taro@example.com' } },
      own.actor,
    );
    expect(await come(own, { client: 'portal', groupNames: ['Sales'] })).toMatchObject({
      userId: body.id,
      groups: [],
    });
    expect(await enter(own, body.id)).toMatchObject({ status: 200, isUser: false, generation: 0 });
    expect(await come(own)).toMatchObject({ status: 403, code: 'E40301' });
  });
});

describe('When the sign-in of somebody who came by single sign-on is recorded', () => {
  it('then their device is registered, and they have signed in', async () => {
    const own = await harness.partner();
    const id = (await come(own)).userId ?? 0;
    const first = await enter(own, id, 'ipad');
    expect(first).toMatchObject({
      status: 200,
      id,
      name: 'Taro',
      isUser: true,
      registration: expect.any(Number),
    });
    expect(await enter(own, id, 'ipad')).toMatchObject({ registration: first.registration });
    const { lastLoginAt, platforms } = await detail(own, id);
    expect([lastLoginAt, platforms.map(({ uuid }) => uuid)]).toEqual(['2026-11-21T09:00:00Z', ['ipad']]);
  });

  it('then limits of devices and licences hold as at any sign-in', async () => {
    const own = await harness.partner({ userDeviceLimit: 1 });
    const id = (await come(own)).userId ?? 0;
    expect((await enter(own, id, 'first')).status).toBe(200);
    expect(await enter(own, id, 'second')).toMatchObject({ status: 403, code: 'E40306' });
    const perDevice = await harness.partner({ licenseType: 'device', licenseCount: 1 });
    const [one, two] = [await come(perDevice), await come(perDevice, { identifier: 'another' })];
    expect((await enter(perDevice, one.userId ?? 0, 'first')).status).toBe(200);
    expect(await enter(perDevice, two.userId ?? 0, 'second')).toMatchObject({ status: 403, code: 'E40307' });
  });

  it('then wrong passwords neither keep them out nor are forgotten', async () => {
    const own = await harness.partner();
    const id = await own.user({ loginUserId: 'taro', password });
    const guess = async (given: string) =>
      (
        await harness.callAs('identity', verifyLogin, {
          body: { partnerId: own.pid, loginUserId: 'taro', password: given },
        })
      ).status;
    for (let i = 0; i < 10; i += 1) expect(await guess('wrong')).toBe(401);
    expect((await enter(own, id)).status).toBe(200);
    expect(await guess(password)).toBe(401);
  });

  it('then nobody of another company, and nobody who is gone, signs in', async () => {
    const [own, other] = [await harness.partner(), await harness.partner()];
    const id = (await come(other)).userId ?? 0;
    expect(await enter(own, id)).toMatchObject({ status: 401, code: 'E40101' });
    expect(await enter(own, 999_999)).toMatchObject({ status: 401, code: 'E40101' });
  });
});
