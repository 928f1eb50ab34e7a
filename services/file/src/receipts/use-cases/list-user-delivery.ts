import type { deliveryRoutes, PageReply } from '@portal/contracts';
import { findUser } from '@portal/contracts/internal';
import { ofPartner, type Peers } from '@portal/service-kit';
import type { z } from 'zod';
import { deliveredIds, deliveredViews } from '../../delivery/data/delivered-views.ts';
import type { Dependencies } from '../../dependencies.ts';
import { listUserDeliveryRows, type UserDeliveryRow } from '../data/user-delivery.ts';

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
    const files = views.map(({ id, name, version }) => ({ id, name, version }));
    return listUserDeliveryRows(db, player, files, query);
  });
}
