import {
  foldCase,
  formatDateTime,
  formatNullableDateTime,
  notificationStatuses,
  pushLimits,
  type pushRoutes,
  type RouteInput,
  type RouteReply,
} from '@portal/contracts';
import { contains, listPage, pageReply, timeRange } from '@portal/database';
import { z } from 'zod';
import { findUsers } from '../../audience/data/people-repository.ts';
import type { PushDb } from '../../data/db.ts';
import type { Notification, Prisma } from '../../data/generated/client.ts';

type Query = RouteInput<typeof pushRoutes.listNotifications>['query'];
type Row = RouteReply<typeof pushRoutes.getNotification>;
type Filters = z.output<typeof pushRoutes.notificationFilters>;

/** One without a time is found and ordered by when it was created. */
const columns = {
  id: 'id',
  title: 'titleKey',
  status: 'status',
  deliverDatetime: 'dueAt',
  createdAt: 'createdAt',
} as const satisfies Record<Query['orderKey'], keyof Notification>;

export async function listNotifications(
  db: PushDb,
  partnerId: number,
  query: Query,
): Promise<RouteReply<typeof pushRoutes.listNotifications>> {
  const where = whereNotifications(partnerId, query);
  const totalCount = await db.notification.count({ where });
  const page = listPage({ ...query, orderKey: columns[query.orderKey] });
  const notifications = await db.notification.findMany({ where, ...page });
  const pushNotifications = await rowsOf(db, partnerId, notifications, pushLimits.listedUsers);
  return { ...pageReply(totalCount, query), pushNotifications };
}

export async function notificationDetail(
  db: PushDb,
  partnerId: number,
  id: number,
): Promise<Row | undefined> {
  const one = await db.notification.findUnique({ where: { partnerId_id: { partnerId, id } } });
  const [row] = await rowsOf(db, partnerId, one ? [one] : [], pushLimits.maxUsers);
  return row;
}

function whereNotifications(partnerId: number, filters: Filters): Prisma.NotificationWhereInput {
  const title = contains(filters.title === undefined ? undefined : foldCase(filters.title));
  const dueAt = timeRange(filters.deliverDatetimeStart, filters.deliverDatetimeEnd);
  const createdAt = timeRange(filters.createdAtStart, filters.createdAtEnd);
  return {
    partnerId,
    ...(title && { titleKey: title }),
    ...(filters.status && { status: { in: filters.status } }),
    ...(dueAt && { dueAt }),
    ...(createdAt && { createdAt }),
  };
}

/** With the names of their groups, and of at most so many users of each. */
async function rowsOf(
  db: PushDb,
  partnerId: number,
  notifications: readonly Notification[],
  mostUsers: number,
): Promise<Row[]> {
  const shown = notifications.map((one) => ({ one, userIds: one.userIds.slice(0, mostUsers) }));
  const users = await findUsers(db, partnerId, [...new Set(shown.flatMap(({ userIds }) => userIds))]);
  const groupIds = [...new Set(notifications.flatMap((one) => one.groupIds))];
  const groups = await db.group.findMany({ where: { partnerId, groupId: { in: groupIds } } });
  const loginIds = new Map(users.map(({ id, loginId }) => [id, loginId]));
  const names = new Map(groups.map(({ groupId, name }) => [groupId, name]));
  return shown.map(({ one, userIds }) => ({
    id: one.id,
    title: one.title,
    message: one.message,
    status: statusOf(one),
    certificationId: one.certificationId,
    groupId: one.groupIds.length === 1 ? (one.groupIds[0] ?? null) : null,
    groups: stillThere(one.groupIds, names).map(([id, name]) => ({ id, name })),
    users: stillThere(userIds, loginIds).map(([id, loginId]) => ({ id, loginId })),
    userCount: one.userIds.length,
    json: one.json,
    fileId: one.fileId,
    deliverDatetime: formatNullableDateTime(one.deliverDatetime),
    startedAt: formatNullableDateTime(one.startedAt),
    finishedAt: formatNullableDateTime(one.finishedAt),
    targetCount: one.targetCount,
    successCount: one.successCount,
    failureCount: one.failureCount,
    failureReasons: reasonsIn.parse(one.failureReasons),
    createdAt: formatDateTime(one.createdAt),
    updatedAt: formatDateTime(one.updatedAt),
  }));
}

const reasonsIn = z.array(z.object({ reason: z.string(), count: z.number().int() }));

const stillThere = (ids: readonly number[], names: ReadonlyMap<number, string>): [number, string][] =>
  ids.flatMap((id) => {
    const name = names.get(id);
    return name === undefined ? [] : [[id, name] satisfies [number, string]];
  });

function statusOf({ id, status }: Notification): Row['status'] {
  const known = notificationStatuses.find((one) => one === status);
  if (!known) throw new Error(`The notification ${id} is ${status}`);
  return known;
}
