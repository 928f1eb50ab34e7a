import type { RawQueries } from '@portal/database';
import type { SendingTransaction } from '@portal/service-kit';
import type { PushDb } from '../../data/db.ts';
import { Prisma } from '../../data/generated/client.ts';
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

/** What is sent to the devices of a page, and with which certificate. */
export interface TextToSend {
  readonly title: string | null;
  readonly message: string;
  readonly json: string | null;
  readonly certificationId: number | null;
}

export interface TakenPage extends PageKey {
  /** Null: the notification is not there any more. */
  readonly text: TextToSend | null;
}

/** A page for a lane: the one that it has already, or the first that is due. */
export async function takePage(
  db: RawQueries,
  { lane, partnerId }: { readonly partnerId: number; readonly lane: number },
  now: Date,
): Promise<TakenPage | undefined> {
  const [page] = await db.$queryRaw<(PageKey & TextToSend & { isKnown: boolean })[]>`
    UPDATE delivery_pages p SET lane = ${lane}
    FROM (
      SELECT notification_id, page FROM delivery_pages
      WHERE partner_id = ${partnerId} AND (lane = ${lane} OR lane IS NULL AND due_at <= ${now})
      ORDER BY lane NULLS LAST, page, due_at LIMIT 1 FOR UPDATE SKIP LOCKED) AS next
    LEFT JOIN notifications n ON n.partner_id = ${partnerId} AND n.id = next.notification_id
    WHERE p.partner_id = ${partnerId} AND p.notification_id = next.notification_id AND p.page = next.page
    RETURNING p.partner_id AS "partnerId", p.notification_id AS "notificationId", p.page, n.id IS NOT NULL AS "isKnown",
      n.title, n.message, n.json, n.certification_id AS "certificationId"`;
  if (!page) return undefined;
  const { isKnown, notificationId, page: number, ...text } = page;
  return { partnerId, notificationId, page: number, text: isKnown ? text : null };
}

/** When the next page is due that no lane has; null where there is none. */
export async function nextPageDue(db: PushDb, partnerId: number): Promise<Date | null> {
  const [next] = await db.$queryRaw<{ dueAt: Date | null }[]>`
    SELECT min(due_at) AS "dueAt" FROM delivery_pages WHERE partner_id = ${partnerId} AND lane IS NULL`;
  return next?.dueAt ?? null;
}

/** The devices of a page that are due. */
export async function dueDevices(
  db: RawQueries,
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
      number: string | null;
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

/** A device that has not taken its push, with what becomes of it. */
export interface NotedDevice {
  readonly uuid: string;
  readonly triedAt: Date;
  readonly noted: Exclude<Noted, { readonly outcome: 'taken' }>;
}

/** What became of devices of a page. */
export interface Outcomes {
  /** By their uuids. */
  readonly taken: readonly string[];
  readonly others: readonly NotedDevice[];
}

/** Notes outcomes, and adds them to the counts of the notification, which others want as well. What is noted already stays. */
export function noteOutcomes(
  send: SendingTransaction['send'],
  { notificationId, page, partnerId }: PageKey,
  { others, taken }: Outcomes,
): void {
  if (taken.length > 0)
    send(Prisma.sql`
      WITH noted AS (
        UPDATE deliveries SET outcome = 'taken', tries = tries + 1
        WHERE partner_id = ${partnerId} AND notification_id = ${notificationId} AND page = ${page}
          AND uuid = ANY (${taken}::text[]) AND outcome IS NULL
        RETURNING 1)
      UPDATE notifications SET success_count = success_count + (SELECT count(*) FROM noted)
      WHERE partner_id = ${partnerId} AND id = ${notificationId}`);
  if (others.length === 0) return;
  const rows = others.map(({ noted, triedAt, uuid }) => ({
    uuid,
    triedAt,
    outcome: noted.outcome === 'failed' ? 'failed' : null,
    reason: noted.reason,
    dueAt: noted.outcome === 'later' ? noted.dueAt : null,
  }));
  send(Prisma.sql`
    WITH noted AS (
      UPDATE deliveries d SET outcome = n.outcome, reason = n.reason, due_at = n."dueAt", tries = d.tries + 1,
        first_tried_at = coalesce(d.first_tried_at, n."triedAt")
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS n (
        uuid text, outcome text, reason text, "dueAt" timestamptz, "triedAt" timestamptz)
      WHERE d.partner_id = ${partnerId} AND d.notification_id = ${notificationId} AND d.page = ${page}
        AND d.uuid = n.uuid AND d.outcome IS NULL
      RETURNING d.outcome)
    UPDATE notifications SET failure_count = failure_count + (SELECT count(*) FROM noted WHERE outcome = 'failed')
    WHERE partner_id = ${partnerId} AND id = ${notificationId}`);
}

/**
 * Ends the turn of a page as `endTurn` does, unless no other page is left, so that the delivery may be over. Answers whether it has
 * done so. Two that end the last pages come one after the other: each sees what the one before it did.
 */
export async function endTurnOfMany(
  { db, send }: Pick<SendingTransaction, 'db' | 'send'>,
  { notificationId, page, partnerId }: PageKey,
  now: Date,
): Promise<boolean> {
  send(
    Prisma.sql`SELECT 1 FROM notifications WHERE partner_id = ${partnerId} AND id = ${notificationId} FOR UPDATE`,
  );
  const [ended] = await db.$queryRaw<{ isEnded: boolean }[]>`
    WITH unsent AS (
      SELECT min(coalesce(due_at, ${now}::timestamptz)) AS due_at FROM deliveries
      WHERE partner_id = ${partnerId} AND notification_id = ${notificationId} AND page = ${page} AND outcome IS NULL),
    waiting AS (
      UPDATE delivery_pages SET lane = NULL, due_at = unsent.due_at FROM unsent
      WHERE partner_id = ${partnerId} AND notification_id = ${notificationId} AND page = ${page}
        AND unsent.due_at IS NOT NULL
      RETURNING 1),
    gone AS (
      DELETE FROM delivery_pages USING unsent
      WHERE partner_id = ${partnerId} AND notification_id = ${notificationId} AND page = ${page}
        AND unsent.due_at IS NULL AND EXISTS (
          SELECT FROM delivery_pages other
          WHERE other.partner_id = ${partnerId} AND other.notification_id = ${notificationId} AND other.page <> ${page})
      RETURNING 1)
    SELECT EXISTS (SELECT FROM waiting) OR EXISTS (SELECT FROM gone) AS "isEnded"`;
  return ended?.isEnded ?? false;
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
