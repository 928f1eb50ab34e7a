import { everything } from '@portal/service-kit';
import { findDueDeliveries } from '../data/assignment-repository.ts';
import { trySilentChange } from '../data/changes.ts';
import { findDueUpdates, findFile } from '../data/file-repository.ts';
import { announceDelivery } from './announce-delivery.ts';
import type { FileTools } from './file-use-cases.ts';
import { settleUpdate } from './settle-update.ts';

const batch = 200;

/**
 * Tells of deliveries and updates whose time has come, once each: what is to be told is a row, which is changed in the
 * transaction of the event. A tenant that somebody writes for is left for the next round. What players see does not
 * wait for this.
 */
export async function announceDue({ clock, logger, store }: FileTools): Promise<void> {
  const now = clock.now();
  const due = await store.read(everything, async (db) => [
    ...(await findDueUpdates(db, now, batch)),
    ...(await findDueDeliveries(db, now, batch)),
  ]);
  for (const { id, partnerId } of due) {
    await store.write(everything, async (tx) => {
      const change = await trySilentChange(tx, partnerId);
      const file = change && (await findFile(change.db, partnerId, id));
      if (!file) return;
      await announceDelivery(change, await settleUpdate(change, file, now), now);
      logger.debug({ partnerId, fileId: id }, 'Announced what is due');
    });
  }
}
