import { type EventData, userEvents } from '@portal/contracts';
import type { Outbox } from '@portal/service-kit';

/** Tells that a person has to sign in again; it leaves before all that is not as urgent. Answers the id of the event. */
export function tellSignedOut(
  outbox: Outbox,
  partnerId: number,
  data: EventData<typeof userEvents.userSignedOut>,
): string {
  return outbox.append(userEvents.userSignedOut, { subject: data.userId, partnerId, data });
}

/** Tells that a device was taken from a person, who is signed out on it. Answers the id of the event of that. */
export function tellDeviceRemoved(
  outbox: Outbox,
  partnerId: number,
  device: { readonly accountId: number; readonly uuid: string; readonly registration: number },
): string {
  const { accountId: userId, registration, uuid } = device;
  outbox.append(userEvents.deviceRemoved, {
    subject: uuid,
    partnerId,
    data: { userId, uuid, registration },
  });
  return tellSignedOut(outbox, partnerId, { userId, device: { uuid, registration } });
}
