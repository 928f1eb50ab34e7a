import type { Language, PageReply } from '@portal/contracts';
import { findUser } from '@portal/contracts/internal';
import { pageReply } from '@portal/database';
import { ofPartner, type Peers } from '@portal/service-kit';
import type { Dependencies } from '../../dependencies.ts';
import { nameEveryone } from '../../files/data/file-views.ts';
import {
  type DeliveredView,
  type DeliveryReason,
  deliveredIds,
  deliveredViews,
  deliveryReasons,
} from '../data/delivered-views.ts';

export interface UserFile extends DeliveredView {
  readonly groups: readonly DeliveryReason[];
}

/**
 * What a user's players get at this moment, the newest file first, and through which groups.
 * @throws AppError `E40403`
 */
export async function listUserFiles(
  { clock, peers, store }: Pick<Dependencies, 'clock' | 'store'> & { readonly peers: Peers },
  player: { readonly partnerId: number; readonly userId: number },
  { page, perPage }: { page: number; perPage: number },
  language: Language,
): Promise<PageReply & { files: UserFile[] }> {
  const { partnerId, userId } = player;
  // This service knows groups and who is in them, but not every user.
  await peers.call(findUser, { body: { partnerId, id: userId } });
  const now = clock.now();
  return store.read(ofPartner(partnerId), async (db) => {
    const all = (await deliveredIds(db, player, now)).reverse();
    const ids = all.slice((page - 1) * perPage, page * perPage);
    const views = await deliveredViews(db, player, ids, now);
    const reasons = (await deliveryReasons(db, player, ids)).map((reason) => nameEveryone(reason, language));
    const files = views.reverse().map((view) => ({
      ...view,
      groups: reasons.filter(({ fileId }) => fileId === view.id),
    }));
    return { ...pageReply(all.length, { page, perPage }), files };
  });
}
