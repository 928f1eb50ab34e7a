import { leaseQueue } from '@portal/service-kit';
import type { PushDb } from '../../data/db.ts';

/** Notifications whose delivery is to begin at their time; a task has the id of its notification. */
export const beginQueue = leaseQueue<null>('begin-notifications', { oneOfEachTenant: true });

/** Has the delivery of a notification begin at its time, instead of any time before. */
export async function scheduleDelivery(
  db: PushDb,
  { dueAt, id, partnerId }: { readonly id: number; readonly partnerId: number; readonly dueAt: Date },
  now: Date,
): Promise<void> {
  await beginQueue.remove(db, [id]);
  await beginQueue.add(db, [{ id, partnerId, payload: null, dueAt }], now);
}

/** The delivery of a deleted notification does not begin. */
export async function cancelDelivery(db: PushDb, id: number): Promise<void> {
  await beginQueue.remove(db, [id]);
}
