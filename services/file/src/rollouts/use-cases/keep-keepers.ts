import { type JobRun, ofPartner } from '@portal/service-kit';
import type { Dependencies } from '../../dependencies.ts';
import { findUnready, keepNext } from '../data/keeping-repository.ts';

/** Devices that are looked at in one transaction: receipts of their tenant wait for it. */
const batch = 10_000;

/**
 * Finds who keeps a version after it was halted. Until that is complete, each device is looked at when numbers are asked for, so what is
 * late here is slow there and nothing else.
 */
export async function keepKeepers(
  { store }: Pick<Dependencies, 'store'>,
  { scope, stopping }: JobRun,
): Promise<void> {
  for (const wanted of await store.read(scope, findUnready)) {
    let isMore = true;
    while (isMore && !stopping.aborted) {
      isMore = await store.write(ofPartner(wanted.partnerId), async ({ db }) => keepNext(db, wanted, batch));
    }
  }
}
