import { userEvents } from '@portal/contracts';
import { AppError } from '@portal/kernel';
import { concernsRecord, ofPartner } from '@portal/service-kit';
import { contentsOfGroups, deleteGroupRows, lockGroup } from '../data/group-repository.ts';
import type { Dependencies } from '../dependencies.ts';
import { requireEmpty } from '../domain/group.ts';

/**
 * Deletes a group. Throws `E40404` for a group that the partner does not have, `E40027` while it has users, `E40028`
 * while it has files, or is about to have one.
 */
export async function deleteGroup(
  { clock, store }: Pick<Dependencies, 'clock' | 'store'>,
  partnerId: number,
  groupId: number,
): Promise<void> {
  await store.write(ofPartner(partnerId), async ({ db, outbox }) => {
    const group = await lockGroup(db, partnerId, groupId);
    if (!group) throw new AppError('E40404');
    concernsRecord(group);
    requireEmpty(await contentsOfGroups(db, partnerId, [groupId], clock.now()));
    await deleteGroupRows(db, partnerId, [groupId]);
    outbox.append(userEvents.groupDeleted, { subject: groupId, partnerId, data: { groupId } });
  });
}
