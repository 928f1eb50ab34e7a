import { limits } from '@portal/contracts';
import type { Clock } from '@portal/kernel';
import type { JobRun, Store } from '@portal/service-kit';
import type { BatchDb } from '../data/db.ts';
import { dropMonths, makeMonth } from '../data/operation-repository.ts';

const day = 24 * 3_600_000;
/** Months made ahead. */
const ahead = 2;

/** Has the partitions of the log ready for the months to come, and drops those that nobody may look at any more. */
export async function maintainPartitions(
  { clock, store }: { clock: Clock; store: Store<BatchDb> },
  { scope }: JobRun,
): Promise<void> {
  const now = clock.now();
  await store.write(scope, async ({ db }) => {
    for (let month = 0; month <= ahead; month += 1) {
      await makeMonth(db, new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + month, 1)));
    }
  });
  const before = new Date(now.getTime() - limits.operationLogRetentionDays * day);
  await store.write(scope, ({ db }) => dropMonths(db, before));
}
