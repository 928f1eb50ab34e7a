import type { Language, PageReply } from '@portal/contracts';
import { findUser } from '@portal/contracts/internal';
import { pageReply } from '@portal/database';
import { ofPartner, type Peers } from '@portal/service-kit';
import type { Dependencies } from '../../dependencies.ts';
import { nameEveryone } from '../../files/data/file-views.ts';
import { type AheadView, aheadViews } from '../data/delivered-views.ts';

/**
 * What will reach a user's players later, as reservations and groups stand now, and through which groups.
 * @throws AppError `E40403`
 */
export async function listUserFilesAhead(
  { clock, peers, store }: Pick<Dependencies, 'clock' | 'store'> & { readonly peers: Peers },
  player: { readonly partnerId: number; readonly userId: number },
  paging: { page: number; perPage: number },
  language: Language,
): Promise<PageReply & { files: AheadView[] }> {
  const { partnerId, userId } = player;
  // This service knows groups and who is in them, but not every user.
  await peers.call(findUser, { body: { partnerId, id: userId } });
  const { total, views } = await store.read(ofPartner(partnerId), (db) =>
    aheadViews(db, player, clock.now(), paging),
  );
  const files = views.map((view) => ({
    ...view,
    groups: view.groups.map((group) => nameEveryone(group, language)),
  }));
  return { ...pageReply(total, paging), files };
}
