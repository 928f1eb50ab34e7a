import { limits } from '@portal/contracts';
import type { Clock } from '@portal/kernel';
import { everything, type Store } from '@portal/service-kit';
import type { BatchDb } from '../data/db.ts';
import { dropPeople } from '../data/person-repository.ts';

const day = 24 * 3_600_000;
/** The log forgets whole months. */
const longestMonth = 31 * day;

/** Who was deleted is known by name for as long as the log may tell of them, and no longer. */
export async function forgetPeople({ clock, store }: { clock: Clock; store: Store<BatchDb> }): Promise<void> {
  const keptMs = limits.operationLogRetentionDays * day + longestMonth;
  const before = new Date(clock.now().getTime() - keptMs);
  await store.write(everything, ({ db }) => dropPeople(db, before));
}
