import { formatDateTime, formatNullableDateTime, type RouteReply, type userRoutes } from '@portal/contracts';
import { pageReply } from '@portal/database';
import type { UserDb } from './db.ts';
import type { UserQuery } from './user-filters.ts';
import type { UserList } from './user-list.ts';

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
      createdAt: formatDateTime(device.createdAt),
      lastLoginAt: formatNullableDateTime(device.lastLoginAt),
    })),
    twoFactor: account.twoFactor,
    lastLoginAt: formatNullableDateTime(account.lastLoginAt),
    createdAt: formatDateTime(account.createdAt),
    updatedAt: formatDateTime(account.updatedAt),
  }));
}
