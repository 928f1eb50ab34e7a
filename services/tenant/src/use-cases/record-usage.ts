import type { RouteInput } from '@portal/contracts';
import type { recordUsage as contract } from '@portal/contracts/internal';
import type { Clock } from '@portal/kernel';
import type { Call, Store } from '@portal/service-kit';
import type { TenantDb } from '../data/db.ts';
import { addUsage, beginBatch } from '../data/usage-repository.ts';

/** Adds a batch of calls and transferred bytes to what tenants did at that time; a repeated batch changes nothing. */
export async function recordUsage(
  { clock, store }: { store: Store<TenantDb>; clock: Clock },
  { batchId, usage }: RouteInput<typeof contract>['body'],
  { systemScope }: Pick<Call<typeof contract>, 'systemScope'>,
): Promise<void> {
  await store.write(systemScope('a batch counts for many tenants'), async ({ db }) => {
    if (await beginBatch(db, batchId, clock.now())) await addUsage(db, usage);
  });
}
