import { pushEvents, pushServices } from '@portal/contracts';
import type { Outbox } from '@portal/service-kit';
import type { DroppedDevice } from '../data/device-repository.ts';

/** Publishes that the push token of a device was dropped. */
export function tellUnreachable(
  outbox: Outbox,
  { number, partnerId, service, userId, uuid }: DroppedDevice,
  /** What the provider said; `moved`: another device has told the same one. */
  reason: string,
): void {
  const pushService = pushServices.find((known) => known === service);
  if (!pushService) throw new Error(`${service} is no push service`);
  outbox.append(pushEvents.deviceUnreachable, {
    subject: userId,
    partnerId,
    data: { userId, uuid, number, pushService, reason },
  });
}
