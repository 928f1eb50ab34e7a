import { type EventData, userEvents } from '@portal/contracts';
import { type EventHandler, on, partnerOf } from '@portal/service-kit';
import { membersCopy } from '../../copies/use-cases/keep-copies.ts';
import type { FileDb } from '../../data/db.ts';
import { dropDevice, isGone, keepDevice } from '../data/audience-repository.ts';

const name = 'keep-devices';

/** The devices of people. What comes of somebody who was deleted comes too late. */
export const devices: readonly EventHandler<FileDb>[] = [
  ...[userEvents.deviceRegistered, userEvents.deviceUpdated].map((event) =>
    on<FileDb, EventData<typeof userEvents.deviceRegistered>>(event, name, async ({ db }, told) => {
      const { data } = told;
      if (await isGone(db, membersCopy, data.userId)) return;
      await keepDevice(db, { ...data, partnerId: partnerOf(told) });
    }),
  ),
  on(userEvents.deviceRemoved, name, async ({ db }, event) => {
    const { userId, uuid } = event.data;
    await dropDevice(db, { partnerId: partnerOf(event), userId, uuid });
  }),
];
