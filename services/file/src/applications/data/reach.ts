import { keptPlan, type RawQueries } from '@portal/database';
import { operator } from '@portal/storage';
import type { FileDb } from '../../data/db.ts';
import { type File, Prisma } from '../../data/generated/client.ts';
import type { Moment } from '../../delivery/domain/cursor.ts';
import type { DueShares } from '../../files/data/due-shares.ts';

/** Everyone of a tenant gets it, as of a file that is assigned to everyone; of the other type it assigns itself. */
export const deliveryType = 1;

const { sql } = Prisma;

/** Whether `destination` can be one of the tenant, now or once. */
const isFor = (partnerId: number) =>
  sql`destination.partner_id = ANY (ARRAY[${operator}, ${partnerId}]::integer[])`;

/** Whether `destination` brings its application to the tenant now. */
const reaches = (partnerId: number) => sql`
  (${isFor(partnerId)} AND destination.removed_in IS NULL
    AND (destination.unit_id IS NULL
      OR destination.unit_id = (SELECT own.unit_id FROM partners own WHERE own.partner_id = ${partnerId})))`;

/** Whether it did at a moment. */
const reachedAt = (partnerId: number, { applications, change }: Moment) => sql`
  (${isFor(partnerId)} AND destination.added_in <= ${applications}
    AND coalesce(destination.removed_in > ${applications}, true)
    AND (destination.unit_id IS NULL
      OR EXISTS (SELECT FROM partners own WHERE own.partner_id = ${partnerId}
        AND own.unit_id = destination.unit_id AND own.unit_since <= ${change})
      OR EXISTS (SELECT FROM former_units former WHERE former.partner_id = ${partnerId}
        AND former.unit_id = destination.unit_id AND former.added_in <= ${change} AND former.removed_in > ${change})))`;

/** Whether the application `file` goes to the tenant now. */
export const isReached = (partnerId: number) => sql`
  EXISTS (SELECT FROM destinations destination WHERE destination.file_id = file.id AND ${reaches(partnerId)})`;

/** Whether the application `file` went to the tenant at a moment. */
export const wasReached = (partnerId: number, moment: Moment) => sql`
  EXISTS (SELECT FROM destinations destination
    WHERE destination.file_id = file.id AND ${reachedAt(partnerId, moment)})`;

/** The ids of the applications that go to the tenant now, complete or not, deleted or not. */
export const reachedIds = (partnerId: number) => sql`
  (SELECT destination.file_id FROM destinations destination WHERE ${reaches(partnerId)})`;

/** Those of which it may have become different since a moment whether they go to the tenant, or what they are. */
export const maybeReachedSince = (partnerId: number, { applications, change }: Moment) => sql`
  SELECT destination.file_id FROM destinations destination
    WHERE ${isFor(partnerId)} AND (destination.added_in > ${applications} OR destination.removed_in > ${applications}
      OR (destination.unit_id IS NOT NULL
        AND (SELECT own.unit_since FROM partners own WHERE own.partner_id = ${partnerId}) > ${change}))
  UNION SELECT published.id FROM files published
    WHERE published.partner_id = ${operator} AND published.changed_in > ${applications}
      AND published.id IN (SELECT destination.file_id FROM destinations destination WHERE ${isFor(partnerId)})`;

/** Whether an application is there for anybody. */
const isPublished = sql`file.partner_id = ${operator} AND NOT file.deleted AND file.completed_at IS NOT NULL`;

/** The ids of the published applications that a tenant has among its files, an array. */
export const offeredTo = (partnerId: number) => sql`
  ARRAY(SELECT file.id FROM files file WHERE ${isPublished} AND file.id IN ${reachedIds(partnerId)})`;

/** As `offeredTo`. */
export async function offeredIds(db: RawQueries, partnerId: number): Promise<number[]> {
  const [found] = await db.$queryRaw<{ ids: number[] }[]>`SELECT ${keptPlan} ${offeredTo(partnerId)} AS ids`;
  return found?.ids ?? [];
}

/** A published application that a tenant has among its files. */
export async function findOffered(db: FileDb, partnerId: number, id: number): Promise<File | null> {
  const [found] = await db.$queryRaw<{ id: number }[]>`
    SELECT file.id FROM files file WHERE file.id = ${id} AND ${isPublished} AND ${isReached(partnerId)}`;
  return found ? db.file.findFirst({ where: { id, partnerId: operator, deleted: false } }) : null;
}

/**
 * What the lists of a tenant hold, to stand in the place of `files`: its own files and, where it has some, the applications
 * that reach it, assigned as this tenant has them assigned.
 */
export function filesOf(partnerId: number, { applications }: { applications: boolean }): Prisma.Sql {
  const columns = (assignedAt: Prisma.Sql, liveFileName: Prisma.Sql) => sql`
    file.id, file.partner_id, file.name, file.note, file.file_name, file.name_folded, file.note_folded,
    ${liveFileName} AS live_file_name, file.version, file.current_version_id, file.reserved_version_id,
    file.deliver_reservation_at, file.update_reservation_at, file.completed_at, ${assignedAt} AS assigned_at,
    file.is_staged, file.created_at, file.updated_at, file.sale_type, file.publisher`;
  const own = sql`
    SELECT ${columns(sql`file.assigned_at`, sql`file.live_file_name`)} FROM files file
    WHERE file.partner_id = ${partnerId} AND file.deleted = false`;
  if (!applications) return sql`(${own})`;
  const since = sql`
    CASE file.sale_type
      WHEN ${deliveryType} THEN (SELECT max(destination.added_at) FROM destinations destination
        WHERE destination.file_id = file.id AND ${reaches(partnerId)})
      ELSE (SELECT min(assignment.added_at) FROM assignments assignment
        WHERE assignment.partner_id = ${partnerId} AND assignment.file_id = file.id AND assignment.removed_in IS NULL)
    END`;
  return sql`(${own} UNION ALL
    SELECT ${columns(since, sql`lower(file.file_name)`)} FROM files file
    WHERE ${isPublished} AND file.id IN ${reachedIds(partnerId)})`;
}

/** As `filesOf`: without applications where the tenant has none, so that its plans stay what they are. */
export async function findFilesOf(db: RawQueries, partnerId: number): Promise<Prisma.Sql> {
  return filesOf(partnerId, { applications: (await offeredIds(db, partnerId)).length > 0 });
}

/** A tenant that an application reaches, and its groups that have it; of a delivery everyone. */
export interface ReachedTenant {
  readonly partnerId: number;
  readonly name: string;
  readonly groupIds: readonly number[];
}

/** The tenants that a published application reaches now, by their names. */
export async function reachedTenants(db: FileDb, fileId: number): Promise<ReachedTenant[]> {
  return db.$queryRaw<ReachedTenant[]>`
    SELECT own.partner_id AS "partnerId", coalesce(own.name, '') AS name,
      CASE file.sale_type WHEN ${deliveryType} THEN ARRAY[0] ELSE ARRAY(
        SELECT assignment.group_id FROM assignments assignment
        WHERE assignment.partner_id = own.partner_id AND assignment.file_id = file.id AND assignment.removed_in IS NULL
      ) END AS "groupIds"
    FROM files file JOIN partners own ON own.partner_id <> ${operator} AND own.unit_id IS NOT NULL
    WHERE file.id = ${fileId} AND ${isPublished} AND EXISTS (
      SELECT FROM destinations destination
      WHERE destination.file_id = file.id AND destination.partner_id IN (${operator}, own.partner_id)
        AND destination.removed_in IS NULL AND (destination.unit_id IS NULL OR destination.unit_id = own.unit_id))
    ORDER BY own.name_folded, own.partner_id`;
}

/** Of all tenants: offers that are assigned to groups of one that they do not reach any more, by the ids of the files. */
export async function findEndedOffers(
  db: FileDb,
  { except, limit, share }: DueShares,
): Promise<{ id: number; partnerId: number }[]> {
  return db.$queryRaw<{ id: number; partnerId: number }[]>`
    SELECT id, partner_id AS "partnerId" FROM (
    SELECT file.id, assignment.partner_id, row_number() OVER (PARTITION BY assignment.partner_id ORDER BY file.id) AS place
    FROM files file JOIN assignments assignment ON assignment.file_id = file.id
    WHERE file.partner_id = ${operator} AND assignment.removed_in IS NULL
      AND assignment.partner_id <> ALL (${[...except]}::integer[])
      AND (file.deleted OR NOT EXISTS (
        SELECT FROM destinations destination
        LEFT JOIN partners own ON own.partner_id = assignment.partner_id
        WHERE destination.file_id = file.id AND destination.partner_id IN (${operator}, assignment.partner_id)
          AND destination.removed_in IS NULL
          AND (destination.unit_id IS NULL OR destination.unit_id = own.unit_id)))
    GROUP BY file.id, assignment.partner_id) AS ended
    WHERE place <= ${share} ORDER BY place, id, partner_id LIMIT ${limit}`;
}
