import { userEvents } from '@portal/contracts';
import { AppError } from '@portal/kernel';
import { ofPartner } from '@portal/service-kit';
import { lockGroup, saveGroup } from '../data/group-repository.ts';
import type { Dependencies } from '../dependencies.ts';
import { groupStateOf } from '../domain/group.ts';

/**
 * Changes a group; what is absent stays, a null note is cleared.
 * Throws `E40404` for a group that the partner does not have, `E40029` on a name that another one has.
 */
export async function updateGroup(
  { clock, store }: Pick<Dependencies, 'clock' | 'store'>,
  partnerId: number,
  groupId: number,
  changes: { name?: string | undefined; note?: string | null | undefined; role?: number | undefined },
): Promise<void> {
  await store.write(ofPartner(partnerId), async ({ db, outbox }) => {
    const group = await lockGroup(db, partnerId, groupId);
    if (!group) throw new AppError('E40404');
    const fields = {
      name: changes.name ?? group.name,
      note: changes.note === undefined ? group.note : (changes.note ?? ''),
      role: changes.role ?? group.role,
    };
    const saved = await saveGroup(db, group, fields, clock.now());
    outbox.append(userEvents.groupUpdated, { subject: groupId, partnerId, data: groupStateOf(saved) });
  });
}
