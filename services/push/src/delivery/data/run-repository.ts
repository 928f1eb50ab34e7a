import { type AudiencePlace, audiencePage } from '../../audience/data/audience-views.ts';
import type { AudienceToRead } from '../../audience/domain/audience.ts';
import type { PushDb } from '../../data/db.ts';
import type { Notification } from '../../data/generated/client.ts';

export type { Notification };

interface NotificationKey {
  readonly partnerId: number;
  readonly id: number;
}

/** How far the audience of a notification is written down. */
export interface Run {
  readonly after: AudiencePlace;
  readonly pages: number;
}

/**
 * How many devices a page has, after so many pages: few at first, so that those of a small notification are for every lane, and then
 * more, since each page costs the same.
 */
export const devicesOfPage = (pages: number): number => (pages < 12 ? 1_000 : 2_000);

/** Holds the notification until the transaction ends; null where it was deleted. */
export async function holdNotification(
  db: PushDb,
  { id, partnerId }: NotificationKey,
): Promise<Notification | null> {
  await db.$queryRaw`SELECT 1 FROM notifications WHERE partner_id = ${partnerId} AND id = ${id} FOR UPDATE`;
  return db.notification.findUnique({ where: { partnerId_id: { partnerId, id } } });
}

export async function markDelivering(
  db: PushDb,
  { id, partnerId }: NotificationKey,
  startedAt: Date,
): Promise<void> {
  await db.notification.update({
    where: { partnerId_id: { partnerId, id } },
    data: { status: 'delivering', startedAt },
  });
  await db.deliveryRun.create({ data: { notificationId: id, partnerId } });
}

/** Of an audience that is not written down to its end; null where it is. */
export async function findOpenRun(db: PushDb, { id, partnerId }: NotificationKey): Promise<Run | null> {
  const run = await db.deliveryRun.findFirst({ where: { partnerId, notificationId: id, isWritten: false } });
  return run && { after: { userId: run.afterUserId, uuid: run.afterUuid }, pages: run.pages };
}

/**
 * Writes down the next devices of an audience, at most `most`, in pages that are due at once; of a file nobody is told twice. Answers
 * where it has come to; `after` is undefined at the end of the audience.
 */
export async function writeDeliveries(
  db: PushDb,
  { fileId, id, partnerId }: NotificationKey & Pick<Notification, 'fileId'>,
  audience: AudienceToRead,
  run: Run,
  { most, now }: { readonly most: number; readonly now: Date },
): Promise<{ readonly devices: number; readonly pages: number; readonly after: AudiencePlace | undefined }> {
  const file = fileId === null ? undefined : { fileId, notificationId: id };
  const [written] = await db.$queryRaw<
    { devices: number; pages: number; userId: number | null; uuid: string | null }[]
  >`
    WITH next AS MATERIALIZED (${audiencePage(partnerId, audience, { after: run.after, file, most })}),
    numbered AS (
      SELECT user_id, uuid,
        ${run.pages}::integer + ((row_number() OVER (ORDER BY user_id, uuid) - 1) / ${devicesOfPage(run.pages)}::integer)::integer AS page
      FROM next),
    written AS (
      INSERT INTO deliveries (partner_id, notification_id, page, uuid, user_id)
      SELECT ${partnerId}::integer, ${id}::integer, page, uuid, user_id FROM numbered),
    told AS (
      INSERT INTO file_pushes (partner_id, file_id, user_id, notification_id)
      SELECT DISTINCT ${partnerId}::integer, ${fileId}::integer, user_id, ${id}::integer FROM numbered
      WHERE ${fileId}::integer IS NOT NULL
      ON CONFLICT DO NOTHING),
    paged AS (
      INSERT INTO delivery_pages (partner_id, notification_id, page, due_at)
      SELECT DISTINCT ${partnerId}::integer, ${id}::integer, page, ${now}::timestamptz FROM numbered),
    last AS (SELECT user_id, uuid FROM numbered ORDER BY user_id DESC, uuid DESC LIMIT 1)
    SELECT (SELECT count(*)::integer FROM numbered) AS devices,
      (SELECT count(DISTINCT page)::integer FROM numbered) AS pages,
      (SELECT user_id FROM last) AS "userId", (SELECT uuid FROM last) AS uuid`;
  const { devices = 0, pages = 0, userId = null, uuid = null } = written ?? {};
  return { devices, pages, after: userId === null || uuid === null ? undefined : { userId, uuid } };
}

/** Notes how far the audience is written down, and how many devices it has so far. Holds the notification from then on. */
export async function saveRun(
  db: PushDb,
  { id, partnerId }: NotificationKey,
  { after, devices, isWritten, pages }: Run & { readonly devices: number; readonly isWritten: boolean },
): Promise<void> {
  await db.deliveryRun.update({
    where: { notificationId: id },
    data: { afterUserId: after.userId, afterUuid: after.uuid, pages, isWritten },
  });
  await db.notification.update({
    where: { partnerId_id: { partnerId, id } },
    data: { targetCount: { increment: devices } },
  });
}

/** Whether each device of the audience has its outcome. */
export async function isAllNoted(db: PushDb, { id, partnerId }: NotificationKey): Promise<boolean> {
  const [found] = await db.$queryRaw<{ isAll: boolean }[]>`
    SELECT EXISTS (
        SELECT FROM delivery_runs WHERE partner_id = ${partnerId} AND notification_id = ${id} AND is_written)
      AND NOT EXISTS (
        SELECT FROM delivery_pages WHERE partner_id = ${partnerId} AND notification_id = ${id}) AS "isAll"`;
  return found?.isAll ?? false;
}

/** Why devices did not get it, the most frequent reason first. */
export async function countReasons(
  db: PushDb,
  { id, partnerId }: NotificationKey,
): Promise<{ reason: string; count: number }[]> {
  return db.$queryRaw`
    SELECT coalesce(reason, '') AS reason, count(*)::integer AS count FROM deliveries
    WHERE partner_id = ${partnerId} AND notification_id = ${id} AND outcome = 'failed'
    GROUP BY 1 ORDER BY 2 DESC, 1`;
}

export async function markDelivered(
  db: PushDb,
  { id, partnerId }: NotificationKey,
  {
    failureReasons,
    finishedAt,
    status,
  }: {
    readonly status: 'success' | 'failure';
    readonly finishedAt: Date;
    readonly failureReasons: { reason: string; count: number }[];
  },
): Promise<void> {
  await db.notification.update({
    where: { partnerId_id: { partnerId, id } },
    data: { status, finishedAt, failureReasons },
  });
  await db.deliveryRun.delete({ where: { notificationId: id } });
}

/** How much of it is forgotten at once. */
const mostNotifications = 100;
const mostDeliveries = 10_000;

/**
 * Deletes a bounded number of what is kept of deliveries that ended before `before`, of those that ended first. Answers of how many
 * notifications: none when all is forgotten.
 */
export async function forgetDeliveries(db: PushDb, before: Date): Promise<number> {
  const due = await db.$queryRaw<{ id: number }[]>`
    SELECT id FROM notifications WHERE finished_at < ${before} AND NOT deliveries_forgotten
    ORDER BY finished_at LIMIT ${mostNotifications} FOR UPDATE SKIP LOCKED`;
  if (due.length === 0) return 0;
  const ids = due.map(({ id }) => id);
  const deleted = await db.$executeRaw`
    DELETE FROM deliveries WHERE ctid = ANY (ARRAY(
      SELECT d.ctid FROM notifications n CROSS JOIN LATERAL (
        SELECT ctid FROM deliveries WHERE partner_id = n.partner_id AND notification_id = n.id LIMIT ${mostDeliveries}) d
      WHERE n.id = ANY (${ids}::integer[]) LIMIT ${mostDeliveries}))`;
  if (deleted < mostDeliveries)
    await db.notification.updateMany({ where: { id: { in: ids } }, data: { deliveriesForgotten: true } });
  return due.length;
}
