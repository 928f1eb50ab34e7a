import { formatDateTime, type RouteRequest, userRoutes } from '@portal/contracts';
import type { Database } from '@portal/database';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { UserDb } from '../src/data/db.ts';
import { PrismaClient } from '../src/data/generated/client.ts';
import { createUserList } from '../src/data/user-list.ts';
import { startUserHarness, type TestPartner, type UserHarness } from './user-harness.ts';

/**
 * Any page, filter and order of a list equals the plain filter and sort of all its rows in memory. The texts have
 * wildcards of LIKE, both cases, and letters of more than one byte.
 */

type UserQuery = Partial<RouteRequest<typeof userRoutes.listUsers>['query']>;
type GroupQuery = Partial<RouteRequest<typeof userRoutes.listGroups>['query']>;

const words = ['a', 'B', 'ab', 'AB', '%', '_', '\\', 'é', 'É', '営業', 'a%', 'A_', '𠮟', "'", ' '];
const start = Date.parse('2026-11-21T09:00:00.000Z');
/** Milliseconds apart, so that several rows share a shown second. */
const time = fc.integer({ min: 0, max: 12 }).map((steps) => new Date(start + steps * 500));
const text = fc
  .array(fc.constantFrom(...words), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.join(''));
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 });

let harness: UserHarness;
let database: Database<UserDb>;
let partner: TestPartner;
let users: UserModel[];
let groups: GroupModel[];

interface DeviceModel {
  readonly osType: string;
  readonly osVersion: string;
  readonly playerVersion: string;
}
interface UserModel {
  readonly id: number;
  readonly name: string;
  readonly email: string | null;
  readonly loginUserId: string | null;
  readonly createdAt: Date;
  readonly lastLoginAt: Date | null;
  readonly groupIds: readonly number[];
  readonly devices: readonly DeviceModel[];
  readonly hasPassword: boolean;
  readonly active: boolean;
}
interface GroupModel {
  readonly id: number;
  readonly name: string;
  readonly role: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

beforeAll(async () => {
  harness = await startUserHarness();
  database = harness.openDatabase(PrismaClient);
  partner = await harness.partner();
  // Rows of another partner must never show.
  const other = await harness.partner();
  await other.user({ name: 'ab', groupIds: [await other.group('ab')] });
  groups = await makeGroups(partner.pid);
  users = await makeUsers(partner.pid, groups);
});
afterAll(async () => harness.stop());

const sample = <T>(arbitrary: fc.Arbitrary<T>, count: number) =>
  fc.sample(arbitrary, { numRuns: count, seed: 7 });

async function makeGroups(pid: number): Promise<GroupModel[]> {
  const fields = fc.record({
    name: text,
    role: fc.constantFrom(0, 268_435_456),
    createdAt: time,
    updatedAt: time,
  });
  const made: GroupModel[] = [];
  for (const [index, group] of sample(fields, 40).entries()) {
    const name = `${group.name}${index}`;
    const [row] = await harness.sql<{ id: number }>(
      `INSERT INTO groups (partner_id, name, name_key, note, role, created_at, updated_at)
       VALUES ($1, $2, $3, '', $4, $5, $6) RETURNING id`,
      pid,
      name,
      name.toLowerCase(),
      group.role,
      group.createdAt,
      group.updatedAt,
    );
    made.push({ ...group, name, id: row?.id ?? 0 });
  }
  return made;
}

async function makeUsers(pid: number, among: readonly GroupModel[]): Promise<UserModel[]> {
  const version = fc.constantFrom('1', '2');
  const device = fc.record({
    osType: fc.constantFrom('ios', 'IOS'),
    osVersion: version,
    playerVersion: version,
  });
  const fields = fc.record({
    name: text,
    byEmail: fc.boolean(),
    login: fc.constantFrom('a', 'B', 'a_', 'C-'),
    createdAt: time,
    lastLoginAt: fc.option(time),
    groupIds: fc.uniqueArray(fc.constantFrom(...among.slice(0, 4).map(({ id }) => id)), { maxLength: 3 }),
    devices: fc.array(device, { maxLength: 3 }),
    hasPassword: fc.boolean(),
    active: fc.boolean(),
  });
  const made: UserModel[] = [];
  for (const [index, { byEmail, login, ...user }] of sample(fields, 60).entries()) {
    const email = byEmail ? `${login}${index}@Example.com` : null;
    const loginUserId = byEmail ? null : `${login}${index}`;
    const [row] = await harness.sql<{ id: number }>(
      `INSERT INTO accounts (partner_id, name, name_key, email, email_key, login_user_id, login_user_id_key, role,
         is_user, max_device_count_limited_flag, max_device_count, created_at, updated_at, last_login_at, password_hash, active)
       VALUES ($1, $2, $3, $4, $5, $6, $7, 0, true, false, 0, $8, $8, $9, $10, $11) RETURNING id`,
      pid,
      user.name,
      user.name.toLowerCase(),
      email,
      email?.toLowerCase() ?? null,
      loginUserId,
      loginUserId?.toLowerCase() ?? null,
      user.createdAt,
      user.lastLoginAt,
      user.hasPassword ? 'a hash' : null,
      user.active,
    );
    const id = row?.id ?? 0;
    for (const groupId of user.groupIds) {
      await harness.sql('INSERT INTO memberships VALUES ($1, $2, $3)', pid, groupId, id);
    }
    for (const [number, { osType, osVersion, playerVersion }] of user.devices.entries()) {
      await harness.sql(
        `INSERT INTO devices (partner_id, uuid, account_id, name, os_type, os_version, player_version, created_at)
         VALUES ($1, $2, $3, '', $4, $5, $6, now())`,
        pid,
        `${id}-${number}`,
        id,
        osType,
        osVersion,
        playerVersion,
      );
    }
    made.push({ ...user, id, email, loginUserId });
  }
  return made;
}

const contains = (value: string | null, part: string | undefined) =>
  part === undefined || part === '' || (value ?? '').toLowerCase().includes(part.toLowerCase());

/** By an id as a whole or a part of a text. */
const isFound = (id: number, texts: readonly (string | null)[], q: string | undefined) =>
  !q || String(id) === q || texts.some((text) => text !== null && contains(text, q));
const isFirst = (id: number, texts: readonly (string | null)[], q: string | undefined) =>
  !q || String(id) === q || texts.some((text) => text?.toLowerCase().startsWith(q.toLowerCase()));

/** Shown times, since those are what a client knows. */
const within = (value: Date | null, from: string | undefined, to: string | undefined) =>
  (from === undefined && to === undefined) ||
  (value !== null &&
    (from === undefined || value.getTime() >= Date.parse(from)) &&
    (to === undefined || formatDateTime(value) <= to));

/** As the database sorts: texts by code point ignoring case, and null last in either order. */
function compare(a: string | number | Date | null, b: string | number | Date | null, sign: number): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  if (typeof a === 'string' && typeof b === 'string') {
    return sign * Buffer.compare(Buffer.from(a.toLowerCase()), Buffer.from(b.toLowerCase()));
  }
  return sign * (Number(a) - Number(b));
}

function pageOf<T extends { id: number }>(
  rows: readonly T[],
  key: keyof T & string,
  query: { order?: string | undefined; page?: unknown; perPage?: unknown },
  comesFirst: (row: T) => boolean,
) {
  const sign = query.order === 'asc' ? 1 : -1;
  const value = (row: T) => row[key] as string | number | Date | null;
  const sorted = rows.toSorted(
    (a, b) =>
      Number(comesFirst(b)) - Number(comesFirst(a)) ||
      compare(value(a), value(b), sign) ||
      sign * (a.id - b.id),
  );
  const [page, perPage] = [Number(query.page ?? 1), Number(query.perPage ?? 10)];
  return {
    currentPage: page,
    totalCount: rows.length,
    totalPage: Math.ceil(rows.length / perPage),
    ids: sorted.slice((page - 1) * perPage, page * perPage).map(({ id }) => id),
  };
}

const paging = {
  page: optional(fc.integer({ min: 1, max: 9 })),
  perPage: optional(fc.integer({ min: 1, max: 100 })),
  order: optional(fc.constantFrom('asc' as const, 'desc' as const)),
};
const shownTime = time.map(formatDateTime);

describe('Any page, filter and order', () => {
  // As of a tenant with very many users: nothing is sorted.
  const unsorted = createUserList(0);

  it('of users equals a plain filter in memory', async () => {
    const query = fc.record({
      ...paging,
      orderKey: optional(
        fc.constantFrom('id', 'name', 'email', 'loginUserId', 'createdAt', 'lastLoginAt' as const),
      ),
      q: optional(
        fc.oneof(
          fc.constantFrom(...words, '@EXAMPLE', '1', ''),
          fc.nat(70).map((index) => String(users[index]?.id ?? 999_999)),
        ),
      ),
      passwordState: optional(fc.constantFrom('none' as const, 'set' as const)),
      state: optional(fc.constantFrom('active' as const, 'inactive' as const)),
      name: optional(fc.constantFrom(...words)),
      id: fc.option(
        fc.nat(70).map((index) => users[index]?.id ?? 999_999),
        { nil: undefined, freq: 20 },
      ),
      loginId: optional(fc.constantFrom('a', 'B', '_', '-', '@EXAMPLE', '%', '1')),
      osType: optional(fc.constantFrom('ios', 'IOS', 'io')),
      osVersion: optional(fc.constantFrom('1', '2')),
      playerVersion: optional(fc.constantFrom('1', '2')),
      group: optional(fc.nat(5).map((index) => groups[index]?.id ?? 1)),
      groupUnset: optional(fc.constantFrom('true' as const, 'false' as const)),
      createdAtStart: optional(shownTime),
      createdAtEnd: optional(shownTime),
      loginAtStart: optional(shownTime),
      loginAtEnd: optional(shownTime),
    });
    // Few filters at once, or nearly every list is empty.
    const few = fc
      .tuple(query, fc.subarray(Object.keys(userFilters), { maxLength: 3 }))
      .map(
        ([whole, kept]): UserQuery =>
          Object.fromEntries(
            Object.entries(whole).filter(
              ([key]) => key in paging || key === 'orderKey' || kept.includes(key),
            ),
          ),
      );
    await fc.assert(
      fc.asyncProperty(few, async (asked) => {
        const { status, body } = await harness.call(
          userRoutes.listUsers,
          { params: { pid: partner.pid }, query: asked },
          partner.actor,
        );
        const rows = users.filter((user) =>
          Object.entries(userFilters).every(([, passes]) => passes(user, asked)),
        );
        const expected = pageOf(rows, asked.orderKey ?? 'id', asked, ({ email, id, loginUserId, name }) =>
          Boolean(isFirst(id, [name, email, loginUserId], asked.q)),
        );
        expect(status).toBe(200);
        expect({ ...body, users: undefined, ids: body.users.map(({ id }) => id) }).toEqual(expected);
        const scope = { kind: 'partner', partnerId: partner.pid } as const;
        const { ids, totalCount } = await database.read(scope, (db) =>
          unsorted.page(db, partner.pid, userRoutes.listUsers.query.parse(asked)),
        );
        expect({ ids, totalCount }).toEqual({ ids: expected.ids, totalCount: expected.totalCount });
        for (const row of body.users) {
          const user = users.find(({ id }) => id === row.id);
          expect(row).toMatchObject({
            name: user?.name,
            groups: user?.groupIds.toSorted((a, b) => a - b).map((id) => ({ id })),
          });
          expect('platforms' in row && row.platforms.length).toBe(user?.devices.length);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('of groups equals a plain filter in memory', async () => {
    const query: fc.Arbitrary<GroupQuery> = fc.record({
      ...paging,
      orderKey: optional(fc.constantFrom('id', 'name', 'role', 'createdAt', 'updatedAt' as const)),
      q: optional(
        fc.oneof(
          fc.constantFrom(...words, '1'),
          fc.nat(45).map((index) => String(groups[index]?.id ?? 0)),
        ),
      ),
      name: optional(fc.constantFrom(...words, '1')),
      excludeIds: optional(
        fc
          .array(
            fc.nat(45).map((index) => groups[index]?.id ?? 0),
            { minLength: 1, maxLength: 5 },
          )
          .map((ids) => ids.join(',')),
      ),
    });
    await fc.assert(
      fc.asyncProperty(query, async (asked) => {
        const { status, body } = await harness.call(
          userRoutes.listGroups,
          { params: { pid: partner.pid }, query: asked },
          partner.actor,
        );
        const excluded = (asked.excludeIds ?? '').split(',').map(Number);
        const rows = groups.filter(
          (group) =>
            contains(group.name, asked.name) &&
            isFound(group.id, [group.name], asked.q) &&
            !excluded.includes(group.id),
        );
        expect(status).toBe(200);
        expect({ ...body, groups: undefined, ids: body.groups.map(({ id }) => id) }).toEqual(
          pageOf(rows, asked.orderKey ?? 'id', asked, ({ id, name }) =>
            Boolean(isFirst(id, [name], asked.q)),
          ),
        );
      }),
      { numRuns: 200 },
    );
  });
});

const userFilters: Record<string, (user: UserModel, query: UserQuery) => boolean> = {
  q: ({ email, id, loginUserId, name }, { q }) => isFound(id, [name, email, loginUserId], q),
  passwordState: ({ hasPassword }, { passwordState }) =>
    passwordState === undefined || hasPassword === (passwordState === 'set'),
  state: ({ active }, { state }) => state === undefined || active === (state === 'active'),
  name: (user, { name }) => contains(user.name, name),
  id: (user, { id }) => id === undefined || user.id === id,
  loginId: ({ email, loginUserId }, { loginId }) => contains(email ?? loginUserId, loginId),
  // One and the same device has all that is asked for.
  osType: ({ devices }, { osType, osVersion, playerVersion }) =>
    (osType === undefined && osVersion === undefined && playerVersion === undefined) ||
    devices.some(
      (device) =>
        (osType === undefined || device.osType === osType) &&
        (osVersion === undefined || device.osVersion === osVersion) &&
        (playerVersion === undefined || device.playerVersion === playerVersion),
    ),
  osVersion: () => true,
  playerVersion: () => true,
  group: ({ groupIds }, { group }) => group === undefined || groupIds.includes(Number(group)),
  groupUnset: ({ groupIds }, { groupUnset }) => groupUnset !== 'true' || groupIds.length === 0,
  createdAtStart: ({ createdAt }, query) => within(createdAt, query.createdAtStart, query.createdAtEnd),
  createdAtEnd: () => true,
  loginAtStart: ({ lastLoginAt }, query) => within(lastLoginAt, query.loginAtStart, query.loginAtEnd),
  loginAtEnd: () => true,
};
