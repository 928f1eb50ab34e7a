import { ofPartner } from '@portal/service-kit';
import { lockNotice, saveNotice } from '../data/notice-repository.ts';
import type { Dependencies } from '../dependencies.ts';
import { changed } from '../domain/notice.ts';

/** Throws `E40401` for a notice that the partner does not have, `E40029` on a name that another one has. */
export async function updateNotice(
  { clock, store }: Dependencies,
  key: { readonly partnerId: number; readonly id: number },
  changes: Parameters<typeof changed>[1],
): Promise<void> {
  await store.write(ofPartner(key.partnerId), async ({ db }) => {
    const notice = await lockNotice(db, key);
    await saveNotice(db, key, changed(notice, changes), clock.now());
  });
}
