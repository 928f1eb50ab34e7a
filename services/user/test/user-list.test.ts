import { type RouteRequest, userRoutes } from '@portal/contracts';
import { enterScope, withClient } from '@portal/database';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startUserHarness, type TestPartner, type UserHarness } from './user-harness.ts';

/** The list of users remembers how many pass its filters, and has marks in the accounts of what else it filters by. */

type Query = Partial<RouteRequest<typeof userRoutes.listUsers>['query']>;

let harness: UserHarness;
let partner: TestPartner;
let user: number;

beforeAll(async () => {
  harness = await startUserHarness();
});
afterAll(async () => harness.stop());

beforeEach(async () => {
  partner = await harness.partner();
  user = await partner.user({ name: 'Taro' });
  await partner.user({ name: 'Hanako' });
});

async function listed(query: Query): Promise<number[]> {
  const { actor, pid } = partner;
  const { body } = await harness.call(userRoutes.listUsers, { params: { pid }, query }, actor);
  const ids = body.users.map(({ id }) => id);
  expect(body).toMatchObject({ totalCount: ids.length });
  return ids;
}

const update = async (body: RouteRequest<typeof userRoutes.updateUser>['body']) =>
  harness.call(userRoutes.updateUser, { params: { pid: partner.pid, id: user }, body }, partner.actor);

/** As a player signs in, which registers its device or brings it up to date. */
const signIn = async (uuid: string, osVersion: string) => {
  const device = { uuid: `${partner.pid}-${uuid}`, name: '', osType: 'ios', osVersion, playerVersion: '5' };
  const { status } = await harness.signInWith(device, { partnerId: partner.pid, accountId: user });
  expect(status).toBe(200);
};

/** Straight into the table: more devices than a user may sign in with. */
const insertDevice = async (uuid: string, osVersion: string) =>
  harness.sql(
    `INSERT INTO devices (partner_id, uuid, account_id, name, os_type, os_version, player_version, created_at)
     VALUES ($1, $2, $3, '', 'ios', $4, '5', now())`,
    ...[partner.pid, `${partner.pid}-${uuid}`, user, osVersion],
  );

describe('When a question is asked again', () => {
  it.each<[string, Query, () => Promise<unknown>, string[]]>([
    [
      'a user was made',
      { name: 'o' },
      async () => partner.user({ name: 'Jiro' }),
      ['Jiro', 'Hanako', 'Taro'],
    ],
    ['a name was changed', { name: 'taro' }, async () => update({ name: 'Jiro' }), []],
    ['a login was changed', { loginId: 'jiro' }, async () => update({ loginUserId: 'jiro' }), ['Taro']],
    ['a user was deleted', { name: 'o' }, async () => deleteUser(), ['Hanako']],
    ['a group was given', { groupUnset: 'true' }, async () => giveGroups(1), ['Hanako']],
    ['a group was taken', { groupUnset: 'true' }, async () => takeGroups(), ['Hanako', 'Taro']],
    ['a device was added', { osType: 'ios' }, async () => signIn('a', '19'), ['Taro']],
    ['a device was changed', { osVersion: '20' }, async () => changeDevice(), ['Taro']],
    ['a device was removed', { osType: 'ios' }, async () => removeDevice(), []],
    ['somebody signed in', { loginAtStart: '2026-01-01T00:00:00Z' }, async () => signIn('a', '19'), ['Taro']],
  ])('after %s, then the answer is a new one', async (_change, query, change, names) => {
    await listed(query);
    await change();
    const ids = await listed(query);
    const rows = await harness.sql<{ name: string }>(
      'SELECT name FROM accounts WHERE id = ANY($1) ORDER BY id DESC',
      ids,
    );
    expect(rows.map(({ name }) => name)).toEqual(names);
  });

  const deleteUser = async () =>
    harness.call(
      userRoutes.deleteUsers,
      { params: { pid: partner.pid }, body: { ids: [user] } },
      partner.actor,
    );
  const takeGroups = async () => {
    await giveGroups(2);
    expect(await listed({ groupUnset: 'true' })).toHaveLength(1);
    await update({ groupIds: [] });
  };
  const changeDevice = async () => {
    await signIn('a', '19');
    expect(await listed({ osVersion: '20' })).toEqual([]);
    await signIn('a', '20');
  };
  const removeDevice = async () => {
    await signIn('a', '19');
    expect(await listed({ osType: 'ios' })).toEqual([user]);
    await update({ platformUuids: [] });
  };
});

async function giveGroups(count: number): Promise<number[]> {
  const groupIds: number[] = [];
  for (let i = 0; i < count; i++) groupIds.push(await partner.group(`Group ${i}`));
  await update({ groupIds });
  return groupIds;
}

describe('When a user has more than their marks hold', () => {
  it('then they are found by each of their groups, and as in none only when the last is gone', async () => {
    const groupIds = await giveGroups(30);
    expect(await harness.sql('SELECT group_marks FROM accounts WHERE id = $1', user)).toEqual([
      { group_marks: null },
    ]);
    for (const group of groupIds) expect(await listed({ group })).toEqual([user]);
    expect(await listed({ groupUnset: 'true' })).not.toContain(user);
    await update({ groupIds: groupIds.slice(0, 1) });
    expect(await listed({ group: groupIds[0] ?? 0 })).toEqual([user]);
    expect(await listed({ group: groupIds[1] ?? 0 })).toEqual([]);
    await update({ groupIds: [] });
    expect(await listed({ groupUnset: 'true' })).toContain(user);
  });

  it('then they are found by each of their devices', async () => {
    const versions = Array.from({ length: 10 }, (_, i) => `${i}`.padEnd(60, '.'));
    for (const version of versions) await insertDevice(version, version);
    expect(await harness.sql('SELECT platform_marks FROM accounts WHERE id = $1', user)).toEqual([
      { platform_marks: null },
    ]);
    for (const osVersion of versions) expect(await listed({ osVersion, playerVersion: '5' })).toEqual([user]);
    expect(await listed({ osVersion: versions[0] ?? '', playerVersion: '6' })).toEqual([]);
  });
});

describe('When two devices of a user change at once', () => {
  it('then the user is found by both', async () => {
    await insertDevice('a', '19');
    await insertDevice('b', '19');
    const change = `UPDATE devices SET os_version = $1 WHERE uuid = $2`;
    await withClient(harness.databaseUrl, async (first) =>
      withClient(harness.databaseUrl, async (second) => {
        for (const client of [first, second]) {
          await enterScope(client, harness.databaseUrl, { kind: 'system', why: 'test' });
          await client.query('BEGIN');
        }
        await first.query(change, ['20', `${partner.pid}-a`]);
        const waiting = second.query(change, ['21', `${partner.pid}-b`]);
        await first.query('COMMIT');
        await waiting;
        await second.query('COMMIT');
      }),
    );
    expect([await listed({ osVersion: '20' }), await listed({ osVersion: '21' })]).toEqual([[user], [user]]);
    expect(await listed({ osVersion: '19' })).toEqual([]);
  });
});

it('The users of a tenant are counted whatever is done', async () => {
  await harness.sql('DELETE FROM accounts WHERE id = $1', user);
  const [counted] = await harness.sql<{ wrong: number }>(
    `SELECT count(*)::integer AS wrong FROM (
       SELECT partner_id, count(*) FILTER (WHERE is_user) AS users FROM accounts GROUP BY partner_id) a
     LEFT JOIN (SELECT partner_id, sum(users) AS users FROM user_tallies GROUP BY partner_id) t USING (partner_id)
     WHERE a.users IS DISTINCT FROM t.users`,
  );
  expect(counted).toEqual({ wrong: 0 });
});
