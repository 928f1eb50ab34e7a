import type { Change } from './changes.ts';
import type { FileDb } from './db.ts';

export async function currentGroupsOf(db: FileDb, partnerId: number, userId: number): Promise<number[]> {
  const rows = await db.membership.findMany({
    where: { partnerId, userId, removedIn: null },
    select: { groupId: true },
  });
  return rows.map(({ groupId }) => groupId);
}

export async function addMemberships(
  { db, number, partnerId }: Change,
  userId: number,
  groupIds: readonly number[],
  addedAt: Date,
): Promise<void> {
  await db.membership.createMany({
    data: groupIds.map((groupId) => ({ partnerId, userId, groupId, addedIn: number, addedAt })),
  });
}

export async function endMemberships(
  { db, number, partnerId }: Change,
  ended: { userId?: number; groupIds: readonly number[] },
): Promise<void> {
  await db.membership.updateMany({
    where: {
      partnerId,
      ...(ended.userId === undefined ? {} : { userId: ended.userId }),
      groupId: { in: [...ended.groupIds] },
      removedIn: null,
    },
    data: { removedIn: number },
  });
}
