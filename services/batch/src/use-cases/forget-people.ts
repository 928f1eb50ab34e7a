import { limits } from '@portal/contracts';
import type { Clock } from '@portal/kernel';
import type { JobRun, Store } from '@portal/service-kit';
import type { BatchDb } from '../data/db.ts';
import { dropPeople } from '../data/person-repository.ts';

const day = 24 * 3_600_000;
/** The log is deleted by whole months. */
const longestMonth = 31 * day;

/** Keeps the name of a deleted account as long as the log may contain it, and no longer. */
export async function forgetPeople(
  { clock, store }: { clock: Clock; store: Store<BatchDb> },
  { scope }: JobRun,
): Promise<void> {
  const keptMs = limits.operationLogRetentionDays * day + longestMonth;
  const before = new Date(clock.now().getTime() - keptMs);
  await store.write(scope, ({ db }) => dropPeople(db, before));
}
