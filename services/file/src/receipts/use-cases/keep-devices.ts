import { type EventData, userEvents } from '@portal/contracts';
import type { Clock } from '@portal/kernel';
import { type EventHandler, on, partnerOf, type Transaction } from '@portal/service-kit';
import { membersCopy } from '../../copies/use-cases/keep-copies.ts';
import type { FileDb } from '../../data/db.ts';
import { beginChange, type Change } from '../../files/data/changes.ts';
import { rolloutsOfNumbers } from '../../rollouts/data/rollout-repository.ts';
import { noteNewcomers } from '../../rollouts/data/telling-repository.ts';
import { dropDevice, isGone, type KnownDevice, keepDevice } from '../data/audience-repository.ts';
import { ownersOfEarly, takeEarly } from '../data/early-repository.ts';
import { noteSeen } from '../data/receipt-repository.ts';
import { findStanding, type VersionOnDevice } from '../data/standing.ts';
import { takeReceived } from './take-received.ts';

const name = 'keep-devices';

/** The devices of people. What comes of somebody who was deleted comes too late. */
export const devices = (deps: { readonly clock: Clock }): readonly EventHandler<FileDb>[] => [
  ...[userEvents.deviceRegistered, userEvents.deviceUpdated].map((event) =>
    on<FileDb, EventData<typeof userEvents.deviceRegistered>>(
      event,
      name,
      async (tx, told) => {
        const { data } = told;
        if (await isGone(tx.db, membersCopy, data.userId)) return;
        await keepWithEarly(tx, { ...data, partnerId: partnerOf(told) }, deps);
      },
      { systemScope: 'what it told of an application may halt its stages, which are the operator’s' },
    ),
  ),
  on(userEvents.deviceRemoved, name, async ({ db }, event) => {
    const { userId, uuid } = event.data;
    await dropDevice(db, { partnerId: partnerOf(event), userId, uuid });
  }),
];

/** A device signs in and tells at once: what came before this event counts from now on. */
async function keepWithEarly(
  tx: Transaction<FileDb>,
  device: KnownDevice,
  { clock }: { readonly clock: Clock },
): Promise<void> {
  const { partnerId } = device;
  // What it tells may change what players get; that is decided before anything else is held.
  const changes = new Map<number, Change>();
  const changeOf = async (owner: number) => {
    const change = changes.get(owner) ?? (await beginChange(tx, owner));
    changes.set(owner, change);
    return change;
  };
  for (const owner of await ownersOfEarly(tx.db, partnerId, device)) await changeOf(owner);
  const deviceId = await keepDevice(tx.db, device);
  await noteNewcomers(tx.db, partnerId, [{ userId: device.userId, addedAt: clock.now() }]);
  const taking = { ...tx, partnerId, now: clock.now(), changeOf };
  for (const { step, ...one } of await takeEarly(tx.db, partnerId, device)) {
    const told = { ...one, deviceId };
    if (step) await takeReceived(taking, [{ ...told, step }], await knownOf(taking, told));
    else await noteSeen(tx.db, partnerId, [one], one.at);
  }
}

const knownOf = async (
  { db, now, partnerId }: { readonly db: FileDb; readonly partnerId: number; readonly now: Date },
  version: VersionOnDevice,
) => ({
  standing: await findStanding(db, partnerId, [version]),
  rollouts: await rolloutsOfNumbers(db, partnerId, [version], now),
});
