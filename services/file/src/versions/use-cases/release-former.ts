import { type JobRun, ofPartner } from '@portal/service-kit';
import type { Dependencies } from '../../dependencies.ts';
import { tryUnnumberedChange } from '../../files/data/changes.ts';
import { releaseVersion } from '../../updates/use-cases/apply-due-update.ts';
import { findOverdue } from '../data/life-repository.ts';

const batch = 200;

/**
 * Lets versions go that are not among those that are kept, seven days after they fell out. Nobody gets them since then: what is
 * late here is late to free room. A tenant with a running change is left for the next round.
 */
export async function releaseFormer(
  { clock, store }: Pick<Dependencies, 'clock' | 'store'>,
  { scope }: JobRun,
): Promise<void> {
  const now = clock.now();
  const overdue = await store.read(scope, async (db) => findOverdue(db, now, batch));
  for (const { id, partnerId } of overdue) {
    await store.write(ofPartner(partnerId), async (tx) => {
      const change = await tryUnnumberedChange(tx, partnerId);
      // Others keep it no longer: what is overdue stays so.
      if (change) await releaseVersion(change, id, now);
    });
  }
}
