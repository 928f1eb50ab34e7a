import { AppError } from '@portal/kernel';
import { ofPartner } from '@portal/service-kit';
import { changeDevice, findDevice } from '../data/device-repository.ts';
import type { Dependencies } from '../dependencies.ts';

/** What is absent stays; a null push token or service is cleared. */
interface PlatformChanges {
  readonly name?: string | undefined;
  readonly osType?: string | undefined;
  readonly osVersion?: string | undefined;
  readonly playerVersion?: string | undefined;
  readonly pushToken?: string | null | undefined;
  readonly pushService?: 'fcm' | 'apns' | null | undefined;
}

/** A player tells what changed of its own device. Throws `E40401` for any other device, and for one that was removed. */
export async function updatePlatform(
  { store }: Pick<Dependencies, 'store'>,
  player: { partnerId: number; accountId: number; platformUuid: string | null },
  uuid: string,
  changes: PlatformChanges,
): Promise<void> {
  const { accountId, partnerId, platformUuid } = player;
  if (uuid !== platformUuid) throw new AppError('E40401');
  await store.write(ofPartner(partnerId), async ({ db }) => {
    const device = await findDevice(db, partnerId, uuid);
    if (device?.accountId !== accountId) throw new AppError('E40401');
    await changeDevice(db, device, {
      name: changes.name ?? device.name,
      osType: changes.osType ?? device.osType,
      osVersion: changes.osVersion ?? device.osVersion,
      playerVersion: changes.playerVersion ?? device.playerVersion,
      pushToken: changes.pushToken === undefined ? device.pushToken : changes.pushToken,
      pushService: changes.pushService === undefined ? device.pushService : changes.pushService,
    });
  });
}
