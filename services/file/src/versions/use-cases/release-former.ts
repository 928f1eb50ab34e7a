import type { JobRun } from '@portal/service-kit';
import type { Dependencies } from '../../dependencies.ts';
import { tryUnnumberedChange } from '../../files/data/changes.ts';
import { workOff } from '../../files/use-cases/work-off.ts';
import { releaseVersion } from '../../updates/use-cases/apply-due-update.ts';
import { findOverdue } from '../data/life-repository.ts';

/**
 * Lets versions go that are not among those that are kept, seven days after they fell out. Nobody gets them since then: what is
 * late here is late to free room.
 */
export async function releaseFormer(deps: Pick<Dependencies, 'clock' | 'store'>, run: JobRun): Promise<void> {
  const now = deps.clock.now();
  await workOff(deps, run, {
    find: async (db, shares) => findOverdue(db, now, shares),
    begin: tryUnnumberedChange,
    // Others keep it no longer: what is overdue stays so.
    work: async (change, id) => releaseVersion(change, id, now),
  });
}
