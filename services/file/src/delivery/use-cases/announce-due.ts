import type { JobRun } from '@portal/service-kit';
import { findDueDeliveries } from '../../assignments/data/assignment-repository.ts';
import type { Dependencies } from '../../dependencies.ts';
import { tryUnnumberedChange } from '../../files/data/changes.ts';
import { findDueUpdates, findFile, nextReservation } from '../../files/data/file-repository.ts';
import { workOff } from '../../files/use-cases/work-off.ts';
import { findPending } from '../../rollouts/data/rollout-repository.ts';
import { applyDueUpdate } from '../../updates/use-cases/apply-due-update.ts';
import { announceDelivery } from './announce-delivery.ts';

/**
 * Publishes due deliveries, updates and stages, once each: a pending announcement is a row, which changes in the
 * transaction of the event. What players see does not wait for this. Answers when the next may be due.
 */
export async function announceDue(deps: Dependencies, run: JobRun): Promise<Date | undefined> {
  const { clock, logger, store } = deps;
  const now = clock.now();
  const { next, stages } = await store.read(run.scope, async (db) => {
    const pending = await findPending(db, now);
    return { stages: pending.due, next: earliest(pending.next, await nextReservation(db, now)) };
  });
  const isAnyDue = await workOff(deps, run, {
    find: async (db, shares) => [
      ...(await findDueUpdates(db, now, shares)),
      ...(await findDueDeliveries(db, now, shares)),
      ...stages.filter(({ partnerId }) => !shares.except.includes(partnerId)),
    ],
    begin: tryUnnumberedChange,
    async work(change, id) {
      const { partnerId } = change;
      const file = await findFile(change.db, partnerId, id);
      if (!file) return;
      await announceDelivery(change, await applyDueUpdate(change, file, now), now);
      logger.debug({ partnerId, fileId: id }, 'Announced what is due');
    },
  });
  // What was left is tried again.
  return isAnyDue ? now : next;
}

const earliest = (a: Date | null, b: Date | undefined): Date | undefined => (a && (!b || a < b) ? a : b);
