import { ofPartner } from '@portal/service-kit';
import type { Dependencies } from '../../dependencies.ts';
import { beginChange, type Change } from '../data/changes.ts';

/** Runs `work` as one change of the tenant. When it is acknowledged, the next request of a player sees it. */
export async function changeFiles<T>(
  { store, watch }: Pick<Dependencies, 'store' | 'watch'>,
  partnerId: number,
  work: (change: Change) => Promise<T>,
): Promise<T> {
  try {
    return await store.write(ofPartner(partnerId), async (tx) => work(await beginChange(tx, partnerId)));
  } finally {
    watch.forget(partnerId);
  }
}
