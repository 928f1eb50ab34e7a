import { limits } from '@portal/contracts';
import { inTimeRange } from '@portal/database';
import { findFilesOf } from '../../applications/data/reach.ts';
import type { FileDb } from '../../data/db.ts';
import { Prisma } from '../../data/generated/client.ts';
import { deliveredAt } from '../../files/data/file-states.ts';
import type { CalendarEntry, CalendarKind } from '../domain/entry.ts';
import type { Period } from '../domain/period.ts';
import { listStageEntries } from './stage-entries.ts';

const { empty, join, sql } = Prisma;
const noId = sql`NULL::integer`;

interface Question {
  readonly partnerId: number;
  readonly period: Period;
  readonly now: Date;
  /** The tenant's own files, and the applications that reach it. */
  readonly files: Prisma.Sql;
}

/** What a kind of entry is found in. Each has a key, a time, a title, the ids, and whether it can be moved. */
type Source = (question: Question) => Prisma.Sql;

/** The rows of `source` within the period, by its column or expression of the time. */
const within = (at: Prisma.Sql, { period: { end, start } }: Question) =>
  join([sql`true`, ...inTimeRange(at, start, end)], ' AND ');

/** Whatever is reserved, and of what is not ahead that which somebody got. */
const deliveries: Source = (question) => {
  const { files, now, partnerId } = question;
  const isAhead = sql`coalesce(file.deliver_reservation_at > ${now}, false)`;
  const at = sql`CASE WHEN ${isAhead} THEN file.deliver_reservation_at ELSE ${deliveredAt(now)} END`;
  return sql`
    SELECT 'delivery' AS kind, 'delivery-' || file.id AS key, ${at} AS at, file.name AS title, file.id AS file_id,
      nullif(file.version, 0) AS version, ${noId} AS notification_id, ${noId} AS certification_id,
      ${isAhead} AND file.partner_id = ${partnerId} AS movable
    FROM ${files} file WHERE ${within(at, question)}`;
};

/** The key is the version's, which stays when it is moved and when it goes live. */
const updateColumns = (version: Prisma.Sql) => sql`
  'update' AS kind, 'update-' || version.id AS key, ${version} AS at, file.name AS title, file.id AS file_id`;

/** Those that are reserved, and the one that has come due and is not written down yet. */
const reservedUpdates: Source = (question) => {
  const { now, partnerId } = question;
  const at = sql`greatest(file.update_reservation_at, version.completed_at)`;
  return sql`
    SELECT ${updateColumns(at)}, file.version + 1, ${noId}, ${noId}, ${at} > ${now}
    FROM files file JOIN versions version ON version.id = file.reserved_version_id
    WHERE file.partner_id = ${partnerId} AND NOT file.deleted AND version.partner_id = ${partnerId}
      AND ${within(at, question)}`;
};

/** Versions after the first that were live while the file was delivered. */
const pastUpdates: Source = (question) => {
  const { now, partnerId } = question;
  const at = sql`version.live_from`;
  return sql`
    SELECT ${updateColumns(at)}, version.number, ${noId}, ${noId}, false
    FROM versions version JOIN files file ON file.id = version.file_id
    WHERE version.partner_id = ${partnerId} AND version.number > 1 AND ${within(at, question)}
      AND file.partner_id = ${partnerId} AND NOT file.deleted AND ${at} > ${deliveredAt(now)}`;
};

const pushes: Source = (question) => sql`
  SELECT 'push' AS kind, 'push-' || notification_id AS key, due_at AS at, title, file_id, ${noId}, notification_id, ${noId}, false
  FROM calendar_notifications
  WHERE partner_id = ${question.partnerId} AND ${within(sql`due_at`, question)}`;

const certificateEnds: Source = (question) => sql`
  SELECT 'certificate_end' AS kind, 'certificate-' || certification_id AS key, ends_at AS at, name, ${noId}, ${noId}, ${noId},
    certification_id, false
  FROM calendar_certifications
  WHERE partner_id = ${question.partnerId} AND ${within(sql`ends_at`, question)}`;

/** It is kept as it is told, and is no time until that has happened. */
const licenceEnds: Source = (question) => {
  const at = sql`(CASE WHEN license_expired_on ~ '^\\d' THEN license_expired_on::timestamptz END)`;
  return sql`
    SELECT 'licence_end' AS kind, 'licence-' || partner_id AS key, ${at} AS at, coalesce(name, ''), ${noId}, ${noId}, ${noId},
      ${noId}, false
    FROM partners WHERE partner_id = ${question.partnerId} AND ${within(at, question)}`;
};

const sources: Readonly<Record<CalendarKind, readonly Source[]>> = {
  delivery: [deliveries],
  update: [reservedUpdates, pastUpdates],
  // Which comes next, and when, follows from what is written down of each: it is not asked of the database.
  stage: [],
  push: [pushes],
  certificate_end: [certificateEnds],
  licence_end: [licenceEnds],
};

/** What a tenant has in a period, by time: the first, or with `last` the last, and whether there is more. */
export async function listCalendarEntries(
  db: FileDb,
  partnerId: number,
  wanted: { readonly period: Period; readonly kinds: readonly CalendarKind[]; readonly last?: boolean },
  now: Date,
): Promise<{ entries: CalendarEntry[]; more: boolean }> {
  const { kinds, last = false, period } = wanted;
  const most = limits.calendarEntries;
  const question = { partnerId, period, now, files: await findFilesOf(db, partnerId) };
  const stages = kinds.includes('stage') ? await listStageEntries(db, partnerId, period, now) : [];
  const stored = await listStored(db, question, { kinds, last, most: most + 1 });
  const entries = [...stored, ...stages].sort(inOrder);
  const more = entries.length > most;
  return { entries: last ? entries.slice(-most) : entries.slice(0, most), more };
}

const inOrder = (a: CalendarEntry, b: CalendarEntry): number =>
  a.at.getTime() - b.at.getTime() || (a.key < b.key ? -1 : 1);

/** What one statement finds of these kinds: by time the first or, with `last`, the last. */
async function listStored(
  db: FileDb,
  question: Question,
  wanted: { readonly kinds: readonly CalendarKind[]; readonly last: boolean; readonly most: number },
): Promise<CalendarEntry[]> {
  const { kinds, last, most } = wanted;
  const found = kinds.flatMap((kind) => sources[kind].map((source) => source(question)));
  if (found.length === 0) return [];
  const direction = last ? sql`DESC` : empty;
  return db.$queryRaw<CalendarEntry[]>`
    WITH entry (kind, key, at, title, file_id, version, notification_id, certification_id, movable)
      AS (${join(found, ' UNION ALL ')})
    SELECT kind, key, at, title, file_id AS "fileId", version, notification_id AS "notificationId",
      certification_id AS "certificationId", movable
    FROM entry ORDER BY at ${direction}, key ${direction} LIMIT ${most}`;
}
