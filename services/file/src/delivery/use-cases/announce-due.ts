import { type JobRun, ofPartner } from '@portal/service-kit';
import { findDueDeliveries } from '../../assignments/data/assignment-repository.ts';
import type { Dependencies } from '../../dependencies.ts';
import { tryUnnumberedChange } from '../../files/data/changes.ts';
import { findDueUpdates, findFile, nextReservation } from '../../files/data/file-repository.ts';
import { findPending } from '../../rollouts/data/rollout-repository.ts';
import { applyDueUpdate } from '../../updates/use-cases/apply-due-update.ts';
import { announceDelivery } from './announce-delivery.ts';

const batch = 200;
/** Of each tenant, before the next has its turn. */
const share = 50;

interface Due {
  readonly id: number;
  readonly partnerId: number;
}

/**
 * Publishes due deliveries, updates and stages, once each: a pending announcement is a row, which changes in the
 * transaction of the event. Tenants have their turns, some of each, until nothing is due: one that has much holds up no other. One
 * with a running change is left for the next run. What players see does not wait for this. Answers when the next may be due.
 */
export async function announceDue(deps: Dependencies, run: JobRun): Promise<Date | undefined> {
  const { clock, store } = deps;
  const now = clock.now();
  const { next, stages } = await store.read(run.scope, async (db) => {
    const pending = await findPending(db, now);
    return { stages: pending.due, next: pending.isMore ? now : await nextReservation(db, now) };
  });
  /** Tenants with a running change, and those that have had their turn while others have not. */
  const busy = new Set<number>();
  const served = new Set<number>();
  /** Files, once each: what stays due after it is left for the next run. */
  const looked = new Set<number>();

  async function announceThose(due: readonly Due[]): Promise<boolean> {
    let isAnyNew = false;
    for (const file of due) {
      if (run.stopping.aborted) break;
      if (busy.has(file.partnerId) || looked.has(file.id)) continue;
      isAnyNew = true;
      if (await announceFile(deps, file, now)) looked.add(file.id);
      else busy.add(file.partnerId);
    }
    return isAnyNew;
  }

  let isAnyNew = false;
  let before: readonly Due[] = stages;
  while (!run.stopping.aborted) {
    const shares = { except: [...busy, ...served], limit: batch, share };
    const [updates, deliveries] = await store.read(run.scope, async (db) => [
      await findDueUpdates(db, now, shares),
      await findDueDeliveries(db, now, shares),
    ]);
    if (await announceThose([...updates, ...deliveries, ...before])) isAnyNew = true;
    before = [];
    if (updates.length === batch || deliveries.length === batch) {
      for (const { partnerId } of [...updates, ...deliveries]) served.add(partnerId);
    } else {
      // All have had their turn.
      if (!isAnyNew) break;
      served.clear();
      isAnyNew = false;
    }
  }
  // What was left is tried again.
  return busy.size + looked.size > 0 ? now : next;
}

/** Whether it could: nothing else is writing for the tenant. */
async function announceFile(
  { logger, store }: Dependencies,
  { id, partnerId }: Due,
  now: Date,
): Promise<boolean> {
  return store.write(ofPartner(partnerId), async (tx) => {
    const change = await tryUnnumberedChange(tx, partnerId);
    if (!change) return false;
    const file = await findFile(change.db, partnerId, id);
    if (file) {
      await announceDelivery(change, await applyDueUpdate(change, file, now), now);
      logger.debug({ partnerId, fileId: id }, 'Announced what is due');
    }
    return true;
  });
}
