import { userEvents } from '@portal/contracts';
import { AppError } from '@portal/kernel';
import { ofPartner, type Transaction } from '@portal/service-kit';
import { lockAccount, savePlayerLogin } from '../data/account-repository.ts';
import type { UserDb } from '../data/db.ts';
import {
  changeDevice,
  countDevices,
  countDevicesOf,
  deleteDevice,
  findDevice,
  insertDevice,
  type Platform,
} from '../data/device-repository.ts';
import type { Device } from '../data/generated/client.ts';
import { knowPartner } from '../data/partner-repository.ts';
import { passPushOn } from '../data/push-repository.ts';
import type { Dependencies } from '../dependencies.ts';
import { requireActive } from '../domain/active.ts';
import { requireDeviceLicence, requireRoomForDevice } from '../domain/licence.ts';
import { publishDeviceRemoved } from './sign-out.ts';
import { isSameDescription, tellDevice } from './tell-device.ts';

interface Owner {
  readonly partnerId: number;
  readonly accountId: number;
}

/**
 * Registers the device of a user who signs in; it takes a licence where licences count devices. A device belongs to one
 * user at a time: signing in as somebody else of the same partner moves it, licence, push token and all, as handing it over does.
 * One that is theirs is brought up to date.
 * Answers the number of the registration, which is higher than those of earlier ones.
 * Throws `E40101` when the user is gone by now, `E40301` when they are inactive, `E40306` over the user's limit, `E40307` without a licence,
 * `E50301` when too many of the tenant wait.
 */
export async function registerDevice(
  deps: Pick<Dependencies, 'clock' | 'inTurn' | 'peers' | 'store'>,
  owner: Owner,
  platform: Platform,
): Promise<number> {
  return (await refreshKnown(deps, owner, platform)) ?? registerNew(deps, owner, platform);
}

/** Null where the device is not theirs. Neither limit nor licence is asked for, so nobody waits for others of the tenant. */
async function refreshKnown(
  { clock, store }: Pick<Dependencies, 'clock' | 'store'>,
  owner: Owner,
  platform: Platform,
): Promise<number | null> {
  const { accountId, partnerId } = owner;
  return store.write(ofPartner(partnerId), async (tx) => {
    const known = await findDevice(tx.db, partnerId, platform.uuid);
    if (known?.accountId !== accountId) return null;
    if (!(await lockAccount(tx.db, partnerId, accountId))) return null;
    return refresh(tx, await findDevice(tx.db, partnerId, platform.uuid), owner, platform, clock.now());
  });
}

/** Brings a device that was as `before` up to date, and tells of it; null where it is not that of the account, which is held. */
async function refresh(
  { db, outbox }: Transaction<UserDb>,
  before: Device | null,
  owner: Owner,
  { uuid, ...description }: Platform,
  now: Date,
): Promise<number | null> {
  if (before?.accountId !== owner.accountId) return null;
  const known = await changeDevice(db, { ...owner, uuid }, { ...description, lastLoginAt: now });
  if (known !== null && !isSameDescription(before, description))
    tellDevice(outbox, { ...before, ...description });
  return known;
}

async function registerNew(
  deps: Pick<Dependencies, 'clock' | 'inTurn' | 'peers' | 'store'>,
  owner: Owner,
  platform: Platform,
): Promise<number> {
  const { clock, inTurn } = deps;
  const { accountId, partnerId } = owner;
  await knowPartner(deps, partnerId);

  // Registrations of a tenant run one at a time, so that no limit and no licence is counted twice.
  return inTurn(partnerId, async (tx, licences) => {
    const { db, outbox } = tx;
    const now = clock.now();
    const user = await lockAccount(db, partnerId, accountId);
    if (!user?.isUser) throw new AppError('E40101');
    requireActive(user);
    const before = await findDevice(db, partnerId, platform.uuid);
    // Another sign-in may have registered it meanwhile.
    const known = await refresh(tx, before, owner, platform, now);
    if (known !== null) return known;
    requireRoomForDevice(user, licences, await countDevicesOf(db, partnerId, accountId));
    if (before === null) requireDeviceLicence(licences, await countDevices(db, partnerId));
    else await deleteDevice(db, partnerId, platform.uuid);
    const registration = await insertDevice(db, owner, platform, now);
    if (before !== null) {
      const pushPassedTo =
        before.pushNumber === null
          ? undefined
          : {
              userId: accountId,
              registration,
              number: await passPushOn(db, { partnerId, uuid: platform.uuid }, before),
            };
      publishDeviceRemoved(outbox, partnerId, before, pushPassedTo);
    }
    await savePlayerLogin(db, user, now);
    outbox.append(userEvents.deviceRegistered, {
      subject: platform.uuid,
      partnerId,
      data: { userId: accountId, ...platform },
    });
    return registration;
  });
}
