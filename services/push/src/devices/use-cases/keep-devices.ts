import { type EventData, userEvents } from '@portal/contracts';
import { pushTokenSeal } from '@portal/contracts/internal';
import {
  type EventEnvelope,
  type EventHandler,
  on,
  onMany,
  partnerOf,
  type Seals,
} from '@portal/service-kit';
import type { PushDb } from '../../data/db.ts';
import type { Dependencies } from '../../dependencies.ts';
import {
  clearToken,
  deleteDevice,
  keepTokens,
  passTokenOn,
  type ToldToken,
} from '../data/device-repository.ts';
import { tellUnreachable } from './tell-unreachable.ts';

type PushChanged = EventEnvelope<EventData<typeof userEvents.devicePushChanged>>;

const name = 'keep-devices';

/** What is told of devices, in the order in which it happened to each. */
export const keepDevices = ({
  cipher,
  seals,
}: Pick<Dependencies, 'cipher' | 'seals'>): readonly EventHandler<PushDb>[] => [
  onMany(
    userEvents.devicePushChanged,
    name,
    async (tx, events) => {
      const last = lastOfEach(events);
      const told = last.flatMap((event) => toldToken(seals, event) ?? []);
      const ended = last.filter(({ data }) => data.sealed === null);
      for (const event of ended) {
        const { number, uuid } = event.data;
        await clearToken(tx.db, { partnerId: partnerOf(event), uuid, number });
      }
      if (told.length === 0) return;
      for (const device of await keepTokens(tx.db, cipher, told)) tellUnreachable(tx.outbox, device, 'moved');
    },
    { systemScope: 'a push token belongs to one device, of whatever tenant' },
  ),

  on(userEvents.deviceRemoved, name, async ({ db }, event) => {
    const { pushPassedTo, registration, userId, uuid } = event.data;
    const partnerId = partnerOf(event);
    if (pushPassedTo) await passTokenOn(db, { partnerId, uuid }, pushPassedTo);
    else await deleteDevice(db, { partnerId, uuid, userId, registration });
  }),
];

/** Of each device what it told last, by the people whose they are, which is the order of the locks. */
function lastOfEach(events: readonly PushChanged[]): PushChanged[] {
  const last = new Map<string, PushChanged>();
  for (const event of events) {
    const device = `${partnerOf(event)} ${event.data.uuid}`;
    const known = last.get(device);
    if (!known || known.data.number < event.data.number) last.set(device, event);
  }
  return [...last.values()].sort((a, b) => a.data.userId - b.data.userId);
}

function toldToken(seals: Seals, event: PushChanged): ToldToken | undefined {
  const { sealed, service, ...device } = event.data;
  if (sealed === null || service === null) return undefined;
  const token = seals.open(sealed, pushTokenSeal(device.number));
  return { ...device, partnerId: partnerOf(event), service, token };
}
