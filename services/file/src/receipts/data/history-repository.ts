import type { FileDb } from '../../data/db.ts';
import type { Prisma } from '../../data/generated/client.ts';
import { type Point, replacesLast } from '../domain/history.ts';

/** A version of a file, as a tenant has it. */
interface VersionOf {
  readonly partnerId: number;
  readonly fileId: number;
  readonly version: number;
}

/** Takes some of the files of which something was told since this was last asked. */
export async function takeChanged(
  db: FileDb,
  most: number,
): Promise<{ partnerId: number; fileId: number }[]> {
  return db.$queryRaw`
    DELETE FROM delivery_changes WHERE (partner_id, file_id) IN (
      SELECT partner_id, file_id FROM delivery_changes LIMIT ${most} FOR UPDATE SKIP LOCKED)
    RETURNING partner_id AS "partnerId", file_id AS "fileId"`;
}

/** The numbers of a version at this moment. */
export interface PointOf {
  readonly fileId: number;
  readonly version: number;
  readonly point: Point;
}

/** Keeps the numbers of versions of a tenant: however many there are, three statements. */
export async function keepPoints(db: FileDb, partnerId: number, points: readonly PointOf[]): Promise<void> {
  if (points.length === 0) return;
  const asked = JSON.stringify(points.map(({ fileId, version }, index) => ({ index, fileId, version })));
  const kept = await db.$queryRaw<{ first: Date | null; last: Date[] }[]>`
    SELECT (SELECT min(point.at) FROM delivery_points point WHERE point.partner_id = ${partnerId}
        AND point.file_id = one."fileId" AND point.version = one.version) AS first,
      ARRAY(SELECT point.at FROM delivery_points point WHERE point.partner_id = ${partnerId}
        AND point.file_id = one."fileId" AND point.version = one.version ORDER BY point.at DESC LIMIT 2) AS last
    FROM jsonb_to_recordset(${asked}::jsonb) AS one (index integer, "fileId" integer, version integer)
    ORDER BY one.index`;
  const replaced: { fileId: number; version: number; at: Date }[] = [];
  const added: Prisma.DeliveryPointCreateManyInput[] = [];
  for (const [index, { fileId, point, version }] of points.entries()) {
    const { first = null, last = [] } = kept[index] ?? {};
    const [latest, beforeLast] = last;
    // Another instance was quicker, or the clock was put back.
    if (latest && latest >= point.at) continue;
    added.push({ partnerId, fileId, version, ...point });
    if (first && latest && beforeLast) {
      const stood = [first, beforeLast, latest].map((at) => ({ at }));
      if (replacesLast(stood, point)) replaced.push({ fileId, version, at: latest });
    }
  }
  if (replaced.length > 0) {
    await db.$executeRaw`
      DELETE FROM delivery_points point
      USING jsonb_to_recordset(${JSON.stringify(replaced)}::jsonb) AS one ("fileId" integer, version integer, at timestamptz)
      WHERE point.partner_id = ${partnerId} AND point.file_id = one."fileId" AND point.version = one.version
        AND point.at = one.at`;
  }
  await db.deliveryPoint.createMany({ data: added });
}

/** What was kept of a version, in its order. */
export async function listPoints(db: FileDb, { fileId, partnerId, version }: VersionOf): Promise<Point[]> {
  return db.deliveryPoint.findMany({
    where: { partnerId, fileId, version },
    orderBy: { at: 'asc' },
    select: { at: true, devices: true, installed: true, onTheWay: true, failed: true },
  });
}
