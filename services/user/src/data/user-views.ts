import {
  formatDateTime,
  formatNullableDateTime,
  type RouteInput,
  type RouteReply,
  type userRoutes,
} from '@portal/contracts';
import { between, contains, nearerPage, pageReply } from '@portal/database';
import { keyOf } from '../domain/text-key.ts';
import type { UserDb } from './db.ts';
import type { Account, Prisma } from './generated/client.ts';

type Query = RouteInput<typeof userRoutes.listUsers>['query'];
type UserRow = RouteReply<typeof userRoutes.getUser>;

const columns = {
  id: 'id',
  name: 'nameKey',
  email: 'emailKey',
  loginUserId: 'loginUserIdKey',
  createdAt: 'createdAt',
  lastLoginAt: 'lastLoginAt',
} as const satisfies Record<Query['orderKey'], keyof Account>;

const nullable = ['emailKey', 'loginUserIdKey', 'lastLoginAt'] as const;

/** A page of users, or with `all` the ids and names of every one by name. */
export async function listUsers(
  db: UserDb,
  partnerId: number,
  query: Query,
): Promise<RouteReply<typeof userRoutes.listUsers>> {
  const where = filtersOf(partnerId, query);
  if (query.all) {
    const users = await db.account.findMany({
      where,
      orderBy: [{ nameKey: 'asc' }, { id: 'asc' }],
      select: { id: true, name: true },
    });
    return { users };
  }
  const totalCount = await db.account.count({ where });
  // The ids first, from an index alone: skipping to a deep page does not read the rows before it.
  const { reversed, ...nearer } = nearerPage({ ...query, orderKey: columns[query.orderKey] }, totalCount, {
    nullable,
  });
  const page = await db.account.findMany({ where, ...nearer, select: { id: true } });
  const found = page.map(({ id }) => id);
  const ids = reversed ? found.reverse() : found;
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
    lastLoginAt: formatNullableDateTime(account.lastLoginAt),
    createdAt: formatDateTime(account.createdAt),
    updatedAt: formatDateTime(account.updatedAt),
  }));
}

/** A user passes the device filters when one and the same device of theirs has all that is asked for. */
function filtersOf(partnerId: number, query: Query): Prisma.AccountWhereInput {
  const name = contains(query.name === undefined ? undefined : keyOf(query.name));
  const login = contains(query.loginId === undefined ? undefined : keyOf(query.loginId));
  const device: Prisma.DeviceWhereInput = {
    ...(query.osType === undefined ? {} : { osType: query.osType }),
    ...(query.osVersion === undefined ? {} : { osVersion: query.osVersion }),
    ...(query.playerVersion === undefined ? {} : { playerVersion: query.playerVersion }),
  };
  const createdAt = between(query.createdAtStart, endOfSecond(query.createdAtEnd));
  const lastLoginAt = between(query.loginAtStart, endOfSecond(query.loginAtEnd));
  return {
    partnerId,
    isUser: true,
    ...(query.id === undefined ? {} : { id: query.id }),
    ...(name && { nameKey: name }),
    ...(login && { OR: [{ emailKey: login }, { loginUserIdKey: login }] }),
    ...(Object.keys(device).length > 0 && { devices: { some: { partnerId, ...device } } }),
    AND: [
      ...(query.group === undefined ? [] : [{ memberships: { some: { partnerId, groupId: query.group } } }]),
      ...(query.groupUnset ? [{ memberships: { none: { partnerId } } }] : []),
    ],
    ...(createdAt && { createdAt }),
    ...(lastLoginAt && { lastLoginAt }),
  };
}

/** Times are told in whole seconds but kept in milliseconds: a range ends with the second that it names. */
function endOfSecond(time: Date | undefined): Date | undefined {
  return time && new Date(time.getTime() + 999);
}
