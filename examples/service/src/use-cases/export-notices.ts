import { ofPartner } from '@portal/service-kit';
import { noticesAfter } from '../data/notice-views.ts';
import type { Dependencies } from '../dependencies.ts';

const batchSize = 500;

/** A line for each notice, read while the client takes them. */
export async function* exportNotices(
  { store }: Pick<Dependencies, 'store'>,
  partnerId: number,
): AsyncGenerator<string> {
  let after = 0;
  for (;;) {
    const page = { after, take: batchSize };
    const notices = await store.read(ofPartner(partnerId), (db) => noticesAfter(db, partnerId, page));
    for (const { name, text } of notices) yield `${JSON.stringify({ name, text })}\n`;
    const last = notices.at(-1);
    if (!last || notices.length < batchSize) return;
    after = last.id;
  }
}
