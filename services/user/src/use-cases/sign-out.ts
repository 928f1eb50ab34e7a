import { type EventData, userEvents } from '@portal/contracts';
import type { Outbox } from '@portal/service-kit';

/** Tells that a person has to sign in again; it leaves before all that is not as urgent. */
export function tellSignedOut(
  outbox: Outbox,
  partnerId: number,
  data: EventData<typeof userEvents.userSignedOut>,
): void {
  outbox.append(userEvents.userSignedOut, { subject: data.userId, partnerId, data });
}

/** Tells that a device was taken from a person, who is signed out on it. */
export function tellDeviceRemoved(
  outbox: Outbox,
  partnerId: number,
  device: { readonly accountId: number; readonly uuid: string; readonly registration: number },
): void {
  const { accountId: userId, registration, uuid } = device;
  outbox.append(userEvents.deviceRemoved, {
    subject: uuid,
    partnerId,
    data: { userId, uuid, registration },
  });
  tellSignedOut(outbox, partnerId, { userId, device: { uuid, registration } });
}
