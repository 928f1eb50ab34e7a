import { ofPartner } from '@portal/service-kit';
import { deleteNoticeRow, lockNotice, publishQueue } from '../data/notice-repository.ts';
import type { Dependencies } from '../dependencies.ts';

/** Throws `E40401` for a notice that the partner does not have. One that waits for its publication waits no longer. */
export async function deleteNotice(
  { store }: Pick<Dependencies, 'store'>,
  key: { readonly partnerId: number; readonly id: number },
): Promise<void> {
  await store.write(ofPartner(key.partnerId), async ({ db }) => {
    await lockNotice(db, key);
    await publishQueue.remove(db, [key.id]);
    await deleteNoticeRow(db, key);
  });
}
