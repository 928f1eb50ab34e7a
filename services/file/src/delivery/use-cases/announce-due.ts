import { type JobRun, ofPartner } from '@portal/service-kit';
import { findDueDeliveries } from '../../assignments/data/assignment-repository.ts';
import type { Dependencies } from '../../dependencies.ts';
import { tryUnnumberedChange } from '../../files/data/changes.ts';
import { findDueUpdates, findFile, nextReservation } from '../../files/data/file-repository.ts';
import { findPending } from '../../rollouts/data/rollout-repository.ts';
import { applyDueUpdate } from '../../updates/use-cases/apply-due-update.ts';
import { announceDelivery } from './announce-delivery.ts';

const batch = 200;

/**
 * Publishes due deliveries, updates and stages, once each: a pending announcement is a row, which changes in the
 * transaction of the event. A tenant with a running change is left for the next round. What players see does not
 * wait for this. Answers when the next may be due.
 */
export async function announceDue(
  { clock, logger, store }: Dependencies,
  { scope }: JobRun,
): Promise<Date | undefined> {
  const now = clock.now();
  const { due, next } = await store.read(scope, async (db) => {
    const stages = await findPending(db, now);
    return {
      due: [
        ...(await findDueUpdates(db, now, batch)),
        ...(await findDueDeliveries(db, now, batch)),
        ...stages.due,
      ],
      next: stages.isMore ? now : await nextReservation(db, now),
    };
  });
  for (const { id, partnerId } of due) {
    await store.write(ofPartner(partnerId), async (tx) => {
      const change = await tryUnnumberedChange(tx, partnerId);
      const file = change && (await findFile(change.db, partnerId, id));
      if (!file) return;
      await announceDelivery(change, await applyDueUpdate(change, file, now), now);
      logger.debug({ partnerId, fileId: id }, 'Announced what is due');
    });
  }
  // What was left is tried again.
  return due.length > 0 ? now : next;
}
