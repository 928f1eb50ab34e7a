import { userEvents } from '@portal/contracts';
import type { Outbox } from '@portal/service-kit';
import type { Device } from '../data/generated/client.ts';

type Description = Pick<Device, 'name' | 'osType' | 'osVersion' | 'playerVersion'>;

export const isSameDescription = (a: Description, b: Description): boolean =>
  a.name === b.name &&
  a.osType === b.osType &&
  a.osVersion === b.osVersion &&
  a.playerVersion === b.playerVersion;

/** Tells of a device as it is now. */
export function tellDevice(
  outbox: Outbox,
  device: Pick<
    Device,
    'accountId' | 'name' | 'osType' | 'osVersion' | 'partnerId' | 'playerVersion' | 'uuid'
  >,
): void {
  const { accountId: userId, name, osType, osVersion, partnerId, playerVersion, uuid } = device;
  outbox.append(userEvents.deviceUpdated, {
    subject: uuid,
    partnerId,
    data: { userId, uuid, name, osType, osVersion, playerVersion },
  });
}
