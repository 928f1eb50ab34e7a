import { type PushServiceName, userEvents } from '@portal/contracts';
import { pushTokenSeal } from '@portal/contracts/internal';
import type { Outbox, Seals } from '@portal/service-kit';
import type { RegisteredDevice } from '../data/push-repository.ts';

/** Publishes that a device told a push token. Nobody but the push service can read it. */
export function publishPushToken(
  outbox: Outbox,
  seals: Seals,
  device: RegisteredDevice & { readonly partnerId: number; readonly number: number },
  { service, token }: { readonly service: PushServiceName; readonly token: string },
): void {
  const { accountId: userId, number, partnerId, registration, uuid } = device;
  const sealed = seals.seal(token, pushTokenSeal(number), 'push');
  outbox.append(userEvents.devicePushChanged, {
    subject: uuid,
    partnerId,
    data: { userId, uuid, registration, number, service, sealed },
  });
}

/** Publishes that push notifications do not reach a device any more. */
export function publishPushEnded(
  outbox: Outbox,
  partnerId: number,
  { accountId: userId, number, registration, uuid }: RegisteredDevice & { readonly number: number },
): void {
  outbox.append(userEvents.devicePushChanged, {
    subject: uuid,
    partnerId,
    data: { userId, uuid, registration, number, service: null, sealed: null },
  });
}
