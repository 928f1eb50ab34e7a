import { type Selection, userEvents } from '@portal/contracts';
import { slicesOf } from '@portal/database';
import { concernsRecords, ofPartner } from '@portal/service-kit';
import { contentsOfGroups, deleteGroupRows, lockGroups } from '../data/group-repository.ts';
import { type AskedGroups, selectGroups } from '../data/group-views.ts';
import type { Dependencies } from '../dependencies.ts';
import { requireEmpty } from '../domain/group.ts';

/**
 * Deletes the groups that are selected, all or none. Throws `E40404` for a group that the partner does not have, `E40034` when the
 * filter shows another number by now, `E40027` while one of them has users, `E40028` while one has files, or is about to have one.
 */
export async function deleteGroups(
  { clock, store }: Pick<Dependencies, 'clock' | 'store'>,
  partnerId: number,
  selection: Selection<AskedGroups>,
): Promise<void> {
  await store.write(ofPartner(partnerId), async ({ db, outbox }) => {
    const selected = await selectGroups(db, partnerId, selection);
    concernsRecords(selected);
    for (const some of slicesOf(selected)) {
      await lockGroups(db, partnerId, some);
      requireEmpty(await contentsOfGroups(db, partnerId, some, clock.now()));
      await deleteGroupRows(db, partnerId, some);
      for (const groupId of some) {
        outbox.append(userEvents.groupDeleted, { subject: groupId, partnerId, data: { groupId } });
      }
      await outbox.flush();
    }
  });
}
