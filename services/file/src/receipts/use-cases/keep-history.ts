import { AppError } from '@portal/kernel';
import { type JobRun, ofPartner } from '@portal/service-kit';
import type { FileDb } from '../../data/db.ts';
import type { Dependencies } from '../../dependencies.ts';
import { isDelivered, scheduleAt } from '../../updates/domain/schedule.ts';
import { type DeliveryNumbers, deliverySummaries } from '../data/delivery-numbers.ts';
import { keepPoints, type PointOf, takeChanged } from '../data/history-repository.ts';
import type { Point } from '../domain/history.ts';
import { getDelivery } from './get-delivery.ts';

/** Of so many files the numbers are kept at once; what is left has its turn at the next run. */
const batch = 200;

/**
 * Keeps the numbers of each file of which something was told, for the chart of its delivery. What is late, or lost with an instance
 * that ended, is missing in the chart alone until something is told again: its last point is counted when it is asked for.
 */
export async function keepHistory(
  { clock, store }: Pick<Dependencies, 'clock' | 'store'>,
  { scope }: JobRun,
): Promise<void> {
  const changed = await store.write(scope, async ({ db }) => takeChanged(db, batch));
  for (const [partnerId, files] of Map.groupBy(changed, (file) => file.partnerId)) {
    const fileIds = files.map(({ fileId }) => fileId);
    const { others, points } = await store.read(ofPartner(partnerId), async (db) =>
      plainPoints(db, partnerId, fileIds, clock.now()),
    );
    for (const fileId of others) points.push(...(await pointsOf({ clock, store }, { partnerId, fileId })));
    await store.write(ofPartner(partnerId), async ({ db }) => keepPoints(db, partnerId, points));
  }
}

/** Of a tenant's own files that never went out in stages, which are nearly all: those of many cost what those of one do. */
async function plainPoints(
  db: FileDb,
  partnerId: number,
  fileIds: readonly number[],
  now: Date,
): Promise<{ points: PointOf[]; others: number[] }> {
  const files = await db.file.findMany({ where: { partnerId, id: { in: [...fileIds] }, isStaged: false } });
  const assigned = await db.assignment.findMany({
    where: { partnerId, fileId: { in: files.map(({ id }) => id) }, removedIn: null },
    select: { fileId: true, groupId: true },
  });
  const groupsOf = Map.groupBy(assigned, ({ fileId }) => fileId);
  const delivered = files.flatMap((file) => {
    const { id: fileId, version } = scheduleAt(file, now);
    const groupIds = groupsOf.get(fileId)?.map(({ groupId }) => groupId) ?? [];
    const isThere = !file.deleted && groupIds.length > 0 && isDelivered(scheduleAt(file, now), now);
    return isThere ? [{ fileId, version, groupIds }] : [];
  });
  const summaries = await deliverySummaries(db, partnerId, delivered);
  const points = delivered.flatMap(({ fileId, version }): PointOf[] => {
    const summary = summaries.get(fileId);
    if (!summary) return [];
    const { notYet: _rest, ...numbers } = summary;
    return [{ fileId, version, point: { ...numbers, at: now } }];
  });
  const known = new Set(files.map(({ id }) => id));
  return { points, others: fileIds.filter((id) => !known.has(id)) };
}

/** Of each version of a file that somebody is to have. */
async function pointsOf(
  { clock, store }: Pick<Dependencies, 'clock' | 'store'>,
  file: { readonly partnerId: number; readonly fileId: number },
): Promise<PointOf[]> {
  const delivery = await getDelivery({ clock, store }, file, 'en').catch((error: unknown) => {
    // It is gone by now.
    if (error instanceof AppError) return undefined;
    throw error;
  });
  const at = clock.now();
  return (delivery?.versions ?? []).map(({ version, ...numbers }) => ({
    fileId: file.fileId,
    version,
    point: pointOf(numbers, at),
  }));
}

/** What a chart shows of the numbers. */
export const pointOf = ({ states, targeted }: DeliveryNumbers, at: Date): Point => ({
  at,
  devices: targeted.devices,
  installed: states.installed,
  onTheWay: states.downloading + states.downloaded,
  failed: states.failed,
});
