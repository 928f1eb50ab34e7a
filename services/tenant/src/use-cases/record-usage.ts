import type { RouteInput } from '@portal/contracts';
import type { recordUsage as contract } from '@portal/contracts/internal';
import type { Clock } from '@portal/kernel';
import { everything, type Store } from '@portal/service-kit';
import type { TenantDb } from '../data/db.ts';
import { addUsage, beginBatch } from '../data/usage-repository.ts';

/** Adds a batch of calls and transfer to the days of the tenants, once however often it comes. */
export async function recordUsage(
  { clock, store }: { store: Store<TenantDb>; clock: Clock },
  { batchId, usage }: RouteInput<typeof contract>['body'],
): Promise<void> {
  await store.write(everything, async ({ db }) => {
    if (await beginBatch(db, batchId, clock.now())) await addUsage(db, usage);
  });
}
