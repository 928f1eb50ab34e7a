import type { PushDb } from '../../data/db.ts';
import type { Noted } from '../domain/retry.ts';

export interface PageKey {
  readonly partnerId: number;
  readonly notificationId: number;
  readonly page: number;
}

/** A device that is to be sent to now. */
export interface DueDevice {
  readonly uuid: string;
  readonly tries: number;
  readonly firstTriedAt: Date | null;
  /** Null: it has no push token any more, or belongs to somebody else. */
  readonly target: {
    readonly service: string;
    readonly token: Uint8Array;
    readonly number: number;
  } | null;
}

/** A page for a lane: the one that it has already, or the first that is due. */
export async function takePage(
  db: PushDb,
  { lane, partnerId }: { readonly partnerId: number; readonly lane: number },
  now: Date,
): Promise<PageKey | undefined> {
  const [page] = await db.$queryRaw<PageKey[]>`
    UPDATE delivery_pages p SET lane = ${lane}
    FROM (
      SELECT notification_id, page FROM delivery_pages
      WHERE partner_id = ${partnerId} AND (lane = ${lane} OR lane IS NULL AND due_at <= ${now})
      ORDER BY lane NULLS LAST, page, due_at LIMIT 1 FOR UPDATE SKIP LOCKED) AS next
    WHERE p.partner_id = ${partnerId} AND p.notification_id = next.notification_id AND p.page = next.page
    RETURNING p.partner_id AS "partnerId", p.notification_id AS "notificationId", p.page`;
  return page;
}

/** When the next page is due that no lane has; null where there is none. */
export async function nextPageDue(db: PushDb, partnerId: number): Promise<Date | null> {
  const [next] = await db.$queryRaw<{ dueAt: Date | null }[]>`
    SELECT min(due_at) AS "dueAt" FROM delivery_pages WHERE partner_id = ${partnerId} AND lane IS NULL`;
  return next?.dueAt ?? null;
}

/** The devices of a page that are due. */
export async function dueDevices(
  db: PushDb,
  { notificationId, page, partnerId }: PageKey,
  now: Date,
): Promise<DueDevice[]> {
  const rows = await db.$queryRaw<
    {
      uuid: string;
      tries: number;
      firstTriedAt: Date | null;
      service: string | null;
      token: Uint8Array | null;
      number: bigint | null;
    }[]
  >`
    SELECT d.uuid, d.tries, d.first_tried_at AS "firstTriedAt", v.service, v.token, v.number
    FROM deliveries d
    LEFT JOIN devices v ON v.partner_id = d.partner_id AND v.uuid = d.uuid AND v.user_id = d.user_id
    WHERE d.partner_id = ${partnerId} AND d.notification_id = ${notificationId} AND d.page = ${page}
      AND d.outcome IS NULL AND (d.due_at IS NULL OR d.due_at <= ${now})
    ORDER BY d.due_at NULLS LAST`;
  return rows.map(({ firstTriedAt, number, service, token, tries, uuid }) => ({
    uuid,
    tries,
    firstTriedAt,
    target: service !== null && token && number !== null ? { service, token, number: Number(number) } : null,
  }));
}

/** A device with what became of it. */
export interface NotedDevice {
  readonly uuid: string;
  readonly triedAt: Date;
  readonly noted: Noted;
}

/** Notes outcomes, and adds them to the counts of the notification. What is noted already stays. */
export async function noteOutcomes(
  db: PushDb,
  { notificationId, page, partnerId }: PageKey,
  devices: readonly NotedDevice[],
): Promise<void> {
  const taken = devices.filter(({ noted }) => noted.outcome === 'taken').map(({ uuid }) => uuid);
  const others = devices.flatMap(({ noted, triedAt, uuid }) =>
    noted.outcome === 'taken'
      ? []
      : [
          {
            uuid,
            triedAt,
            outcome: noted.outcome === 'failed' ? 'failed' : null,
            reason: noted.reason,
            dueAt: noted.outcome === 'later' ? noted.dueAt : null,
          },
        ],
  );
  const isTaken =
    taken.length === 0
      ? 0
      : await db.$executeRaw`
          UPDATE deliveries SET outcome = 'taken', tries = tries + 1
          WHERE partner_id = ${partnerId} AND notification_id = ${notificationId} AND page = ${page}
            AND uuid = ANY (${taken}::text[]) AND outcome IS NULL`;
  const [failed] =
    others.length === 0
      ? []
      : await db.$queryRaw<{ count: number }[]>`
          WITH noted AS (
            UPDATE deliveries d SET outcome = n.outcome, reason = n.reason, due_at = n."dueAt", tries = d.tries + 1,
              first_tried_at = coalesce(d.first_tried_at, n."triedAt")
            FROM jsonb_to_recordset(${JSON.stringify(others)}::jsonb) AS n (
              uuid text, outcome text, reason text, "dueAt" timestamptz, "triedAt" timestamptz)
            WHERE d.partner_id = ${partnerId} AND d.notification_id = ${notificationId} AND d.page = ${page}
              AND d.uuid = n.uuid AND d.outcome IS NULL
            RETURNING d.outcome)
          SELECT count(*)::integer AS count FROM noted WHERE outcome = 'failed'`;
  const isFailed = failed?.count ?? 0;
  if (isTaken + isFailed === 0) return;
  await db.$executeRaw`
    UPDATE notifications SET success_count = success_count + ${isTaken}, failure_count = failure_count + ${isFailed}
    WHERE partner_id = ${partnerId} AND id = ${notificationId}`;
}

/** Ends the turn of a page: it goes, or waits until the first of its devices is due again. Answers whether it has gone. */
export async function endTurn(
  db: PushDb,
  { notificationId, page, partnerId }: PageKey,
  now: Date,
): Promise<boolean> {
  const [left] = await db.$queryRaw<{ dueAt: Date | null }[]>`
    SELECT min(coalesce(due_at, ${now}::timestamptz)) AS "dueAt" FROM deliveries
    WHERE partner_id = ${partnerId} AND notification_id = ${notificationId} AND page = ${page} AND outcome IS NULL`;
  const where = { partnerId_notificationId_page: { partnerId, notificationId, page } };
  const dueAt = left?.dueAt ?? null;
  if (dueAt) await db.deliveryPage.update({ where, data: { lane: null, dueAt } });
  else await db.deliveryPage.delete({ where });
  return dueAt === null;
}
