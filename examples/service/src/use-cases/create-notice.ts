import { ofPartner } from '@portal/service-kit';
import { insertNotice } from '../data/notice-repository.ts';
import type { Dependencies } from '../dependencies.ts';
import type { NoticeFields } from '../domain/notice.ts';

/** Throws `E40029` on a name that the partner's notices have already, ignoring case. */
export async function createNotice(
  { clock, store }: Dependencies,
  partnerId: number,
  fields: NoticeFields,
): Promise<{ id: number }> {
  return store.write(ofPartner(partnerId), async ({ db }) => {
    const { id } = await insertNotice(db, partnerId, fields, clock.now());
    return { id };
  });
}
