import { userEvents } from '@portal/contracts';
import { ofPartner } from '@portal/service-kit';
import { insertGroup } from '../data/group-repository.ts';
import type { Dependencies } from '../dependencies.ts';
import { groupStateOf } from '../domain/group.ts';

/** Makes a group. Throws `E40029` on a name that the partner's groups have already, ignoring case. */
export async function createGroup(
  { clock, store }: Pick<Dependencies, 'clock' | 'store'>,
  partnerId: number,
  fields: { name: string; note?: string | null | undefined; role?: number | undefined },
): Promise<{ id: number }> {
  return store.write(ofPartner(partnerId), async ({ db, outbox }) => {
    const group = await insertGroup(
      db,
      partnerId,
      { name: fields.name, note: fields.note ?? '', role: fields.role ?? 0 },
      clock.now(),
    );
    outbox.append(userEvents.groupCreated, {
      subject: group.id,
      partnerId,
      data: groupStateOf(group),
    });
    return { id: group.id };
  });
}
