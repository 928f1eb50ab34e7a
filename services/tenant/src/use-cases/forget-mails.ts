import { limits } from '@portal/contracts';
import type { Clock } from '@portal/kernel';
import type { JobRun, Store } from '@portal/service-kit';
import type { TenantDb } from '../data/db.ts';
import { forgetBounces, forgetDailyMails } from '../data/mail-repository.ts';
import { forgetDailyPushes } from '../data/push-repository.ts';

const keptMs = limits.operationLogRetentionDays * 24 * 3_600_000;
const mostAtOnce = 1_000;

/** Forgets bounces, and numbers of mails and of push notifications, that are as old as operation logs become, some in each transaction. */
export async function forgetMails(
  { clock, store }: { readonly store: Store<TenantDb>; readonly clock: Clock },
  { scope, stopping }: JobRun,
): Promise<void> {
  const before = new Date(clock.now().getTime() - keptMs);
  await store.write(scope, async ({ db }) => {
    await forgetDailyMails(db, before);
    await forgetDailyPushes(db, before);
  });
  let gone: number;
  do {
    if (stopping.aborted) return;
    gone = await store.write(scope, ({ db }) => forgetBounces(db, { before, most: mostAtOnce }));
  } while (gone === mostAtOnce);
}
