import type { PushServiceName } from '@portal/contracts';
import { AppError } from '@portal/kernel';
import { ofPartner, type TenantCaller, type Transaction } from '@portal/service-kit';
import type { UserDb } from '../data/db.ts';
import { changeDevice, lockDevice } from '../data/device-repository.ts';
import { clearPush, savePush } from '../data/push-repository.ts';
import type { Dependencies } from '../dependencies.ts';
import { isSameDescription, tellDevice } from './tell-device.ts';
import { publishPushEnded, publishPushToken } from './tell-push.ts';

/** What is absent stays. A push token comes with its service; null where the device has none any more. */
interface PlatformChanges {
  readonly name?: string | undefined;
  readonly osType?: string | undefined;
  readonly osVersion?: string | undefined;
  readonly playerVersion?: string | undefined;
  readonly pushToken?: string | null | undefined;
  readonly pushService?: PushServiceName | null | undefined;
}

type Player = Pick<TenantCaller, 'accountId' | 'partnerId' | 'platformUuid' | 'sessionId'>;

/** A player tells what changed of its own device. Throws `E40401` for any other device, and for one that was removed. */
export async function updatePlatform(
  { seals, store }: Pick<Dependencies, 'seals' | 'store'>,
  player: Player,
  uuid: string,
  { pushService, pushToken, ...changes }: PlatformChanges,
): Promise<void> {
  const { accountId, partnerId, platformUuid } = player;
  if (uuid !== platformUuid) throw new AppError('E40401');
  await store.write(ofPartner(partnerId), async (tx) => {
    // What it tells at the same moment is not undone, and nothing is told of it once somebody else has signed in on it.
    const device = await lockDevice(tx.db, partnerId, uuid);
    if (device?.accountId !== accountId) throw new AppError('E40401');
    const changed = {
      name: changes.name ?? device.name,
      osType: changes.osType ?? device.osType,
      osVersion: changes.osVersion ?? device.osVersion,
      playerVersion: changes.playerVersion ?? device.playerVersion,
    };
    await changeDevice(tx.db, device, changed);
    if (!isSameDescription(device, changed)) tellDevice(tx.outbox, { ...device, ...changed });
    if (pushToken && pushService) {
      await tellToken(tx, seals, { ...player, uuid }, { service: pushService, token: pushToken });
    } else if (pushToken === null || pushService === null) {
      const ended = await clearPush(tx.db, { partnerId, accountId, uuid });
      if (ended) publishPushEnded(tx.outbox, partnerId, ended);
    }
  });
}

/** The same token is told again as well: another device may have told it meanwhile. */
async function tellToken(
  { db, outbox }: Transaction<UserDb>,
  seals: Dependencies['seals'],
  { accountId, partnerId, sessionId, uuid }: Player & { readonly uuid: string },
  push: { readonly service: PushServiceName; readonly token: string },
): Promise<void> {
  const { service } = push;
  const told = await savePush(db, { partnerId, accountId, uuid }, { service, sessionId });
  // Somebody else signed in on it at this moment.
  if (!told) throw new AppError('E40401');
  publishPushToken(outbox, seals, { ...told, partnerId }, push);
}
