import { userEvents } from '@portal/contracts';
import { AppError } from '@portal/kernel';
import { ofPartner } from '@portal/service-kit';
import { contentsOfGroup, deleteGroupRow, lockGroup } from '../data/group-repository.ts';
import type { Dependencies } from '../dependencies.ts';
import { requireEmpty } from '../domain/group.ts';

/**
 * Deletes a group. Throws `E40404` for a group that the partner does not have, `E40027` while it has users, `E40028`
 * while it has files.
 */
export async function deleteGroup(
  { store }: Pick<Dependencies, 'store'>,
  partnerId: number,
  groupId: number,
): Promise<void> {
  await store.write(ofPartner(partnerId), async ({ db, outbox }) => {
    if (!(await lockGroup(db, partnerId, groupId))) throw new AppError('E40404');
    requireEmpty(await contentsOfGroup(db, partnerId, groupId));
    await deleteGroupRow(db, partnerId, groupId);
    outbox.append(userEvents.groupDeleted, { subject: groupId, partnerId, data: { groupId } });
  });
}
