import { userEvents } from '@portal/contracts';
import { AppError } from '@portal/kernel';
import { ofPartner } from '@portal/service-kit';
import { lockAccount, savePlayerLogin } from '../data/account-repository.ts';
import {
  changeDevice,
  countDevices,
  countDevicesOf,
  deleteDevice,
  findDevice,
  insertDevice,
  type Platform,
} from '../data/device-repository.ts';
import { knowPartner, lockPartner } from '../data/partner-repository.ts';
import { passPushOn } from '../data/push-repository.ts';
import type { Dependencies } from '../dependencies.ts';
import { requireActive } from '../domain/active.ts';
import { requireDeviceLicence, requireRoomForDevice } from '../domain/licence.ts';
import { publishDeviceRemoved } from './sign-out.ts';
import { isSameDescription, tellDevice } from './tell-device.ts';

/**
 * Registers the device of a user who signs in; it takes a licence where licences count devices. A device belongs to one
 * user at a time: signing in as somebody else of the same partner moves it, licence, push token and all, as handing it over does.
 * Answers the number of the registration, which is higher than those of earlier ones.
 * Throws `E40101` when the user is gone by now, `E40301` when they are inactive, `E40306` over the user's limit, `E40307` without a licence.
 */
export async function registerDevice(
  deps: Pick<Dependencies, 'clock' | 'peers' | 'store'>,
  owner: { partnerId: number; accountId: number },
  platform: Platform,
): Promise<number> {
  const { clock, store } = deps;
  const { accountId, partnerId } = owner;
  const { uuid, ...description } = platform;
  await knowPartner(deps, partnerId);

  return store.write(ofPartner(partnerId), async ({ db, outbox }) => {
    const now = clock.now();
    // Registrations of a tenant run one at a time, so that no limit and no licence is counted twice.
    const licences = await lockPartner(db, partnerId);
    const before = await findDevice(db, partnerId, uuid);
    const known = await changeDevice(db, { ...owner, uuid }, { ...description, lastLoginAt: now });
    if (known !== null) {
      if (before && !isSameDescription(before, description))
        tellDevice(outbox, { ...before, ...description });
      return known;
    }
    const user = await lockAccount(db, partnerId, accountId);
    if (!user?.isUser) throw new AppError('E40101');
    requireActive(user);
    requireRoomForDevice(user, licences, await countDevicesOf(db, partnerId, accountId));
    if (before === null) requireDeviceLicence(licences, await countDevices(db, partnerId));
    else await deleteDevice(db, partnerId, uuid);
    const registration = await insertDevice(db, owner, platform, now);
    if (before !== null) {
      const pushPassedTo =
        before.pushNumber === null
          ? undefined
          : {
              userId: accountId,
              registration,
              number: await passPushOn(db, { partnerId, uuid }, before),
            };
      publishDeviceRemoved(outbox, partnerId, before, pushPassedTo);
    }
    await savePlayerLogin(db, user, now);
    outbox.append(userEvents.deviceRegistered, {
      subject: uuid,
      partnerId,
      data: { userId: accountId, ...platform },
    });
    return registration;
  });
}
