import type { RouteInput, RouteReply } from '@portal/contracts';
import type { holdGroups as contract } from '@portal/contracts/internal';
import { ofPartner } from '@portal/service-kit';
import { dropEndedHolds, insertHolds, requireGroups } from '../data/group-repository.ts';
import type { Dependencies } from '../dependencies.ts';

/** Far more than an assignment takes and its event is late, far less than for ever. */
const longestHold = 24 * 3_600_000;

/**
 * Answers the groups that a file is about to be assigned to and, for an assignment, keeps them from being deleted meanwhile. Throws `E40404` on
 * groupIds, and holds none, when the partner lacks one of them.
 */
export async function holdGroups(
  { clock, store }: Pick<Dependencies, 'clock' | 'store'>,
  hold: RouteInput<typeof contract>['body'],
): Promise<RouteReply<typeof contract>> {
  const { assignmentId, fileId, partnerId } = hold;
  const groupIds = [...new Set(hold.groupIds)];
  return store.write(ofPartner(partnerId), async ({ db }) => {
    const now = clock.now();
    const groups = await requireGroups(db, partnerId, groupIds);
    await dropEndedHolds(db, partnerId, now);
    if (assignmentId !== undefined) {
      await insertHolds(
        db,
        { assignmentId, fileId, groupIds, partnerId },
        new Date(now.getTime() + longestHold),
      );
    }
    return { groups };
  });
}
