import type { FileDb } from '../../data/db.ts';
import { pendingRollouts } from '../../rollouts/data/rollout-repository.ts';
import { begunOf, dueAt, rolloutAt } from '../../rollouts/domain/rollout.ts';
import type { CalendarEntry } from '../domain/entry.ts';
import { isWithin, type Period } from '../domain/period.ts';

/** Of each delivery in stages that goes on by itself, its next stage. */
export async function listStageEntries(
  db: FileDb,
  partnerId: number,
  period: Period,
  now: Date,
): Promise<CalendarEntry[]> {
  // Those of an application are its publisher's.
  const pending = (await pendingRollouts(db, partnerId, now)).filter((one) => one.partnerId === partnerId);
  const due = pending.flatMap((stored) => {
    const rollout = rolloutAt(stored, stored.course, now);
    const at = dueAt(rollout, rollout.course);
    return at !== null && isWithin(period, at) ? [{ rollout, at }] : [];
  });
  if (due.length === 0) return [];
  const files = await db.file.findMany({
    where: { partnerId, id: { in: due.map(({ rollout }) => rollout.fileId) } },
    select: { id: true, name: true },
  });
  const names = new Map(files.map(({ id, name }) => [id, name]));
  return due.map(({ at, rollout }) => ({
    kind: 'stage',
    key: `stage-${rollout.id}-${begunOf(rollout) + 1}`,
    at,
    title: names.get(rollout.fileId) ?? '',
    fileId: rollout.fileId,
    version: rollout.version,
    notificationId: null,
    certificationId: null,
    movable: false,
  }));
}
