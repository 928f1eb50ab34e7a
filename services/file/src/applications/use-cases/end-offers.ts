import { fileEvents } from '@portal/contracts';
import type { JobRun } from '@portal/service-kit';
import { assignedGroups, endAssignments } from '../../assignments/data/assignment-repository.ts';
import type { Dependencies } from '../../dependencies.ts';
import { changeFiles } from '../../files/use-cases/change-files.ts';
import { findEndedOffers, findOffered } from '../data/reach.ts';

const batch = 200;

/**
 * Ends what tenants have assigned to their groups of offers that are there for them no more. Nobody gets these in the
 * meantime; but the groups could not be deleted, and an offer that is made again is to begin anew.
 */
export async function endOffers(deps: Dependencies, { scope }: JobRun): Promise<void> {
  const ended = await deps.store.read(scope, async (db) => findEndedOffers(db, batch));
  for (const { fileId, partnerId } of ended) {
    await changeFiles(deps, partnerId, async (change) => {
      if (await findOffered(change.db, partnerId, fileId)) return;
      const groupIds = await assignedGroups(change, fileId);
      await endAssignments(change, { fileId, groupIds });
      change.outbox.append(fileEvents.fileAssigned, {
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
    });
  }
}
