import type { deliveryRoutes, PageReply } from '@portal/contracts';
import { findUser } from '@portal/contracts/internal';
import { ofPartner, type Peers } from '@portal/service-kit';
import type { z } from 'zod';
import { deliveredIds, deliveredViews } from '../../delivery/data/delivered-views.ts';
import type { Dependencies } from '../../dependencies.ts';
import { knowPlayer, layerOf } from '../../rollouts/data/reached-repository.ts';
import { plansOf } from '../../rollouts/data/rollout-repository.ts';
import { isPlain } from '../../rollouts/domain/plan.ts';
import { type Had, listUserDeliveryRows, type UserDeliveryRow } from '../data/user-delivery.ts';

/**
 * What has become of the files that a user is to have, on each of their devices.
 * @throws AppError `E40403`
 */
export async function listUserDelivery(
  { clock, peers, store }: Pick<Dependencies, 'clock' | 'store'> & { readonly peers: Peers },
  player: { readonly partnerId: number; readonly userId: number },
  query: z.output<(typeof deliveryRoutes.listUserDelivery)['query']>,
): Promise<PageReply & { devices: UserDeliveryRow[] }> {
  const { partnerId, userId } = player;
  await peers.call(findUser, { body: { partnerId, id: userId } });
  const now = clock.now();
  return store.read(ofPartner(partnerId), async (db) => {
    const views = await deliveredViews(db, player, await deliveredIds(db, player, now), now);
    const plans = await plansOf(
      db,
      partnerId,
      views.map(({ id }) => id),
      now,
    );
    const staged = new Map([...plans].filter(([, plan]) => !isPlain(plan)));
    const who = await knowPlayer(db, player, staged.values());
    const files = views.flatMap(({ id, name, version }): Had[] => {
      const plan = staged.get(id);
      if (!plan) return [{ id, name, version, uuid: null }];
      return who.devices.flatMap((device) => {
        const layer = layerOf(plan, { ...who, devices: [device] }, who.groupIds);
        return layer && device.uuid !== null ? [{ id, name, version: layer.version, uuid: device.uuid }] : [];
      });
    });
    return listUserDeliveryRows(db, player, files, query);
  });
}
