import { AppError } from '@portal/kernel';
import { ofPartner } from '@portal/service-kit';
import { type DeliveredView, deliveredViews } from '../data/delivered-views.ts';
import type { FileTools } from './file-use-cases.ts';

/** @throws AppError `E40405` for a file that is not delivered to the player at this moment */
export async function getDelivered(
  { clock, store }: Pick<FileTools, 'clock' | 'store'>,
  player: { partnerId: number; userId: number },
  fileId: number,
): Promise<DeliveredView> {
  const [file] = await store.read(ofPartner(player.partnerId), async (db) =>
    deliveredViews(db, player, [fileId], clock.now()),
  );
  if (!file) throw new AppError('E40405');
  return file;
}
