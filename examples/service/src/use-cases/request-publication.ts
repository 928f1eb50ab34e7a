import { ofPartner } from '@portal/service-kit';
import { lockNotice, publishQueue } from '../data/notice-repository.ts';
import type { Dependencies } from '../dependencies.ts';

/** Throws `E40401` for a notice that the partner does not have. False for one that is published already. */
export async function requestPublication(
  { clock, store }: Dependencies,
  key: { readonly partnerId: number; readonly id: number },
): Promise<boolean> {
  const { id, partnerId } = key;
  return store.write(ofPartner(partnerId), async ({ db }) => {
    const { publishedAt } = await lockNotice(db, key);
    if (publishedAt !== null) return false;
    await publishQueue.add(db, [{ id, partnerId, payload: null }], clock.now());
    return true;
  });
}
