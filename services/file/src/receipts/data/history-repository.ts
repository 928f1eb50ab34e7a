import type { FileDb } from '../../data/db.ts';
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

/** Keeps the numbers of now. */
export async function keepPoint(
  db: FileDb,
  { fileId, partnerId, version }: VersionOf,
  point: Point,
): Promise<void> {
  const where = { partnerId, fileId, version };
  const last = await db.deliveryPoint.findMany({ where, orderBy: { at: 'desc' }, take: 2 });
  const [latest, beforeLast] = last;
  // Another instance was quicker, or the clock was put back.
  if (latest && latest.at >= point.at) return;
  if (latest && beforeLast) {
    const first = await db.deliveryPoint.findFirst({ where, orderBy: { at: 'asc' }, select: { at: true } });
    if (first && replacesLast([first, beforeLast, latest], point)) {
      await db.deliveryPoint.deleteMany({ where: { ...where, at: latest.at } });
    }
  }
  await db.deliveryPoint.create({ data: { ...where, ...point } });
}

/** What was kept of a version, in its order. */
export async function listPoints(db: FileDb, { fileId, partnerId, version }: VersionOf): Promise<Point[]> {
  return db.deliveryPoint.findMany({
    where: { partnerId, fileId, version },
    orderBy: { at: 'asc' },
    select: { at: true, devices: true, installed: true, onTheWay: true, failed: true },
  });
}
