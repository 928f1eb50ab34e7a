import {
  formatDateTime,
  formatNullableDateTime,
  type PushServiceName,
  pushServices,
  type RouteReply,
  type userRoutes,
} from '@portal/contracts';
import { pageReply } from '@portal/database';
import type { UserDb } from './db.ts';
import { countDevices } from './device-repository.ts';
import type { Device } from './generated/client.ts';
import type { UserQuery } from './user-filters.ts';
import { countActiveUsers, type UserList } from './user-list.ts';

type UserRow = RouteReply<typeof userRoutes.getUser>;

/** A page of users. */
export async function listUsers(
  db: UserDb,
  list: UserList,
  partnerId: number,
  query: UserQuery,
): Promise<RouteReply<typeof userRoutes.listUsers>> {
  const { ids, totalCount } = await list.page(db, partnerId, query);
  const rows = new Map((await userRows(db, partnerId, ids)).map((row) => [row.id, row]));
  return { ...pageReply(totalCount, query), users: ids.flatMap((id) => rows.get(id) ?? []) };
}

export async function userDetail(db: UserDb, partnerId: number, id: number): Promise<UserRow | null> {
  const [row] = await userRows(db, partnerId, [id]);
  return row ?? null;
}

const signInsShown = 5;

/** What the home page shows of the users of a tenant. */
export async function usersOverview(
  db: UserDb,
  list: UserList,
  partnerId: number,
): Promise<RouteReply<typeof userRoutes.usersOverview>> {
  const signedIn = await db.account.findMany({
    where: { partnerId, isUser: true, lastLoginAt: { not: null } },
    orderBy: [{ lastLoginAt: 'desc' }, { id: 'desc' }],
    take: signInsShown,
    select: { id: true, name: true, lastLoginAt: true },
  });
  return {
    total: await list.count(db, partnerId, {}),
    withoutPassword: await list.count(db, partnerId, { passwordState: 'none' }),
    lastSignIns: signedIn.flatMap(({ id, lastLoginAt, name }) =>
      lastLoginAt === null ? [] : [{ id, name, at: formatDateTime(lastLoginAt) }],
    ),
  };
}

/** Who is in any of the groups, each active person once, and their devices. Undefined for a group that the partner lacks. */
export async function audience(
  db: UserDb,
  partnerId: number,
  groupIds: readonly number[],
): Promise<RouteReply<typeof userRoutes.countAudience> | undefined> {
  const wanted = [...new Set(groupIds)].filter((id) => id !== everyone);
  const known = await db.group.count({ where: { partnerId, id: { in: wanted } } });
  if (known < wanted.length) return undefined;
  if (wanted.length < new Set(groupIds).size) {
    return { users: await countActiveUsers(db, partnerId), devices: await countDevices(db, partnerId) };
  }
  const [counted] = await db.$queryRaw<{ users: number; devices: number }[]>`
    WITH people AS MATERIALIZED (
      SELECT DISTINCT account_id FROM memberships
      WHERE partner_id = ${partnerId} AND group_id = ANY(${wanted}::integer[])
      EXCEPT SELECT id FROM accounts WHERE partner_id = ${partnerId} AND is_user AND NOT active
    )
    SELECT (SELECT count(*)::integer FROM people) AS users, (
      SELECT count(*)::integer FROM people JOIN devices d
        ON d.partner_id = ${partnerId} AND d.account_id = people.account_id) AS devices`;
  return counted ?? { users: 0, devices: 0 };
}

/** The group that every user is in. */
const everyone = 0;

const withGroups = {
  memberships: { orderBy: { groupId: 'asc' }, select: { group: { select: { id: true, name: true } } } },
} as const;

async function userRows(db: UserDb, partnerId: number, ids: readonly number[]): Promise<UserRow[]> {
  const accounts = await db.account.findMany({
    where: { partnerId, isUser: true, id: { in: [...ids] } },
    include: { ...withGroups, devices: { orderBy: [{ createdAt: 'asc' }, { uuid: 'asc' }] } },
  });
  return accounts.map((account) => ({
    id: account.id,
    name: account.name,
    email: account.email,
    loginUserId: account.loginUserId,
    role: account.role,
    json: account.json,
    groups: account.memberships.map(({ group }) => group),
    maxDeviceCountLimitedFlag: account.maxDeviceCountLimitedFlag,
    maxDeviceCount: account.maxDeviceCount,
    platforms: account.devices.map((device) => ({
      uuid: device.uuid,
      name: device.name,
      osType: device.osType,
      osVersion: device.osVersion,
      playerVersion: device.playerVersion,
      pushService: pushServiceOf(device),
      createdAt: formatDateTime(device.createdAt),
      lastLoginAt: formatNullableDateTime(device.lastLoginAt),
    })),
    twoFactor: account.twoFactor,
    passwordSet: account.passwordSet,
    active: account.active,
    setupMailSentAt: formatNullableDateTime(account.setupMailSentAt),
    lastLoginAt: formatNullableDateTime(account.lastLoginAt),
    createdAt: formatDateTime(account.createdAt),
    updatedAt: formatDateTime(account.updatedAt),
  }));
}

function pushServiceOf({ pushNumber, pushService }: Device): PushServiceName | null {
  return (pushNumber !== null && pushServices.find((name) => name === pushService)) || null;
}
