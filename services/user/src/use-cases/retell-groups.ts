import { userEvents } from '@portal/contracts';
import type { JobRun } from '@portal/service-kit';
import {
  endGroupRetelling,
  groupsAfter,
  lockGroupRetelling,
  noteGroupsTold,
} from '../data/retelling-repository.ts';
import type { Dependencies } from '../dependencies.ts';
import { groupStateOf } from '../domain/group.ts';

const mostAtOnce = 500;

/**
 * Tells the states of all groups once more, some in each transaction, where a migration asks for it. Whoever knows a group takes
 * nothing older than what they know, so nothing is undone.
 */
export async function retellGroups(
  { clock, store }: Pick<Dependencies, 'clock' | 'store'>,
  { scope, stopping }: JobRun,
): Promise<void> {
  let isMore = true;
  while (isMore && !stopping.aborted) {
    isMore = await store.write(scope, async ({ db, outbox }) => {
      const toldUpTo = await lockGroupRetelling(db, clock.now());
      if (toldUpTo === undefined) return false;
      const groups = await groupsAfter(db, toldUpTo, mostAtOnce);
      const last = groups.at(-1);
      if (!last) {
        await endGroupRetelling(db);
        return false;
      }
      for (const group of groups) {
        const { id, partnerId } = group;
        outbox.append(userEvents.groupUpdated, { subject: id, partnerId, data: groupStateOf(group) });
      }
      await noteGroupsTold(db, last.id);
      return true;
    });
  }
}
