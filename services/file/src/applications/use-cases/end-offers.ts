import { fileEvents } from '@portal/contracts';
import type { JobRun } from '@portal/service-kit';
import { assignedGroups, endAssignments } from '../../assignments/data/assignment-repository.ts';
import type { Dependencies } from '../../dependencies.ts';
import { type Change, tryChange } from '../../files/data/changes.ts';
import { workOff } from '../../files/use-cases/work-off.ts';
import { findEndedOffers, findOffered } from '../data/reach.ts';

/**
 * Ends what tenants have assigned to their groups of offers that are there for them no more. Nobody gets these in the
 * meantime; but the groups could not be deleted, and an offer that is made again is to begin anew.
 */
export async function endOffers(deps: Pick<Dependencies, 'store'>, run: JobRun): Promise<void> {
  await workOff(deps, run, { find: findEndedOffers, begin: tryChange, work: endOffer });
}

async function endOffer(change: Change, fileId: number): Promise<void> {
  const { db, outbox, partnerId } = change;
  if (await findOffered(db, partnerId, fileId)) return;
  const groupIds = await assignedGroups(change, fileId);
  await endAssignments(change, { fileId, groupIds });
  outbox.append(fileEvents.fileAssigned, {
    subject: fileId,
    partnerId,
    data: {
      fileId,
      groupIds: [],
      addedGroupIds: [],
      removedGroupIds: groupIds,
      notifyEmail: false,
      notifyPush: false,
    },
  });
}
