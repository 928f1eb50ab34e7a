import { type EventData, userEvents } from '@portal/contracts';
import { type EventHandler, on, partnerOf, type Transaction } from '@portal/service-kit';
import { membersCopy } from '../../copies/use-cases/keep-copies.ts';
import type { FileDb } from '../../data/db.ts';
import { dropDevice, isGone, type KnownDevice, keepDevice } from '../data/audience-repository.ts';
import { takeEarly } from '../data/early-repository.ts';
import { noteSeen } from '../data/receipt-repository.ts';
import { takeReceived } from './take-received.ts';

const name = 'keep-devices';

/** The devices of people. What comes of somebody who was deleted comes too late. */
export const devices: readonly EventHandler<FileDb>[] = [
  ...[userEvents.deviceRegistered, userEvents.deviceUpdated].map((event) =>
    on<FileDb, EventData<typeof userEvents.deviceRegistered>>(event, name, async (tx, told) => {
      const { data } = told;
      if (await isGone(tx.db, membersCopy, data.userId)) return;
      await keepWithEarly(tx, { ...data, partnerId: partnerOf(told) });
    }),
  ),
  on(userEvents.deviceRemoved, name, async ({ db }, event) => {
    const { userId, uuid } = event.data;
    await dropDevice(db, { partnerId: partnerOf(event), userId, uuid });
  }),
];

/** A device signs in and tells at once: what came before this event counts from now on. */
async function keepWithEarly(tx: Transaction<FileDb>, device: KnownDevice): Promise<void> {
  const { partnerId } = device;
  const deviceId = await keepDevice(tx.db, device);
  const early = await takeEarly(tx.db, partnerId, device);
  for (const { step, ...one } of early) {
    if (step) await takeReceived(tx, partnerId, [{ ...one, step, deviceId }]);
    else await noteSeen(tx.db, partnerId, [one], one.at);
  }
}
