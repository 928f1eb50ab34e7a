import { type EventData, userEvents } from '@portal/contracts';
import type { Outbox } from '@portal/service-kit';

/** Publishes that a user has to sign in again, as an urgent event. Returns the id of the event. */
export function publishSignedOut(
  outbox: Outbox,
  partnerId: number,
  data: EventData<typeof userEvents.userSignedOut>,
): string {
  return outbox.append(userEvents.userSignedOut, { subject: data.userId, partnerId, data });
}

/** Publishes that a device was removed from a user, who is signed out on it. Returns the id of the sign-out event. */
export function publishDeviceRemoved(
  outbox: Outbox,
  partnerId: number,
  device: { readonly accountId: number; readonly uuid: string; readonly registration: number },
  /** Who has it now, with its push token. */
  pushPassedTo?: EventData<typeof userEvents.deviceRemoved>['pushPassedTo'],
): string {
  const { accountId: userId, registration, uuid } = device;
  outbox.append(userEvents.deviceRemoved, {
    subject: uuid,
    partnerId,
    data: { userId, uuid, registration, ...(pushPassedTo && { pushPassedTo }) },
  });
  return publishSignedOut(outbox, partnerId, { userId, device: { uuid, registration } });
}
