import {
  formatDateTime,
  formatNullableDateTime,
  notificationStatuses,
  pushLimits,
  type pushRoutes,
  type RouteInput,
  type RouteReply,
} from '@portal/contracts';
import { orderedBy, pageReply } from '@portal/database';
import { z } from 'zod';
import { findUsers } from '../../audience/data/people-repository.ts';
import type { PushDb } from '../../data/db.ts';
import { type Notification, Prisma } from '../../data/generated/client.ts';
import { conditionsOf, searchOf } from './notification-filters.ts';

type Query = RouteInput<typeof pushRoutes.listNotifications>['query'];
type Row = RouteReply<typeof pushRoutes.getNotification>;

const { sql } = Prisma;

/** One without a time is found and ordered by when it was created; one without a title comes last. */
const columns: Record<Query['orderKey'], Prisma.Sql> = {
  id: sql`n.id`,
  title: sql`nullif(n.title_key, '')`,
  status: sql`n.status`,
  deliverDatetime: sql`n.due_at`,
  createdAt: sql`n.created_at`,
};

export async function listNotifications(
  db: PushDb,
  partnerId: number,
  query: Query,
): Promise<RouteReply<typeof pushRoutes.listNotifications>> {
  const where = sql`n.partner_id = ${partnerId} AND ${conditionsOf(query)}`;
  const [counted] = await db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::integer AS count FROM notifications n WHERE ${where}`;
  const search = searchOf(query);
  const first = search ? sql`${search.first} DESC,` : Prisma.empty;
  const { order, orderKey, page, perPage } = query;
  const ids = await db.$queryRaw<{ id: number }[]>`
    SELECT n.id FROM notifications n WHERE ${where}
    ORDER BY ${first} ${orderedBy(columns[orderKey], sql`n.id`, { nullable: orderKey === 'title', order, reversed: false })}
    OFFSET ${(page - 1) * perPage} LIMIT ${perPage}`;
  const found = await db.notification.findMany({
    where: { partnerId, id: { in: ids.map(({ id }) => id) } },
  });
  const byId = new Map(found.map((one) => [one.id, one]));
  const notifications = ids.flatMap(({ id }) => byId.get(id) ?? []);
  const pushNotifications = await rowsOf(db, partnerId, notifications, pushLimits.listedUsers);
  return { ...pageReply(counted?.count ?? 0, query), pushNotifications };
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
