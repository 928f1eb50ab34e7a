import type { FileDb } from '../../data/db.ts';
import type { Membership } from '../../data/generated/client.ts';
import type { Change } from '../../files/data/changes.ts';

/** The groups that these people are in now. */
export async function currentMemberships(
  db: FileDb,
  partnerId: number,
  userIds: readonly number[],
): Promise<Pick<Membership, 'groupId' | 'id' | 'userId'>[]> {
  return db.$queryRaw`
    SELECT id, group_id AS "groupId", user_id AS "userId" FROM memberships
    WHERE partner_id = ${partnerId} AND user_id = ANY(${[...userIds]}::integer[]) AND removed_in IS NULL`;
}

export async function addMemberships(
  { db, number, partnerId }: Change,
  added: readonly { readonly userId: number; readonly groupId: number; readonly addedAt: Date }[],
): Promise<void> {
  await db.membership.createMany({ data: added.map((one) => ({ ...one, partnerId, addedIn: number })) });
}

export async function endMemberships(
  { db, number, partnerId }: Change,
  which: { readonly ids: readonly number[] } | { readonly groupId: number },
): Promise<void> {
  await db.membership.updateMany({
    where: {
      partnerId,
      ...('ids' in which ? { id: { in: [...which.ids] } } : { groupId: which.groupId }),
      removedIn: null,
    },
    data: { removedIn: number },
  });
}
