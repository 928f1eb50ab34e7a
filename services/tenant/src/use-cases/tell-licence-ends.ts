import { formatDateTime, limits, tenantEvents } from '@portal/contracts';
import type { Clock } from '@portal/kernel';
import { type JobRun, ofPartner, type Store } from '@portal/service-kit';
import type { TenantDb } from '../data/db.ts';
import { findEndingLicences, lockLicenceEnd, markLicenceTold } from '../data/licence-end-repository.ts';
import { dueLicenceNotice } from '../domain/licence-end.ts';

const batch = 100;
const longestMs = Math.max(...limits.licenceNoticeDays) * 24 * 3_600_000;

/** Tells of licences that end in 30 days, and in 7: once each, partner by partner. */
export async function tellLicenceEnds(
  { clock, store }: { readonly clock: Clock; readonly store: Store<TenantDb> },
  { scope, stopping }: JobRun,
): Promise<void> {
  let after = 0;
  while (!stopping.aborted) {
    const now = clock.now();
    const until = new Date(now.getTime() + longestMs);
    const ending = await store.read(scope, (db) =>
      findEndingLicences(db, { after, from: now, until, take: batch }),
    );
    for (const { id } of ending.filter((partner) => dueLicenceNotice(partner, now) !== undefined)) {
      await tellOne({ clock, store }, id);
    }
    if (ending.length < batch) return;
    after = ending.at(-1)?.id ?? after;
  }
}

async function tellOne(
  { clock, store }: { readonly clock: Clock; readonly store: Store<TenantDb> },
  partnerId: number,
): Promise<void> {
  await store.write(ofPartner(partnerId), async ({ db, outbox }) => {
    const partner = await lockLicenceEnd(db, partnerId);
    const due = partner && dueLicenceNotice(partner, clock.now());
    if (!due) return;
    await markLicenceTold(db, partnerId, due);
    outbox.append(tenantEvents.licenceEnding, {
      subject: partnerId,
      partnerId,
      data: { partnerId, licenseExpiredOn: formatDateTime(due.end), days: due.days },
    });
  });
}
