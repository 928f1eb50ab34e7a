import type { FileDb } from '../../data/db.ts';
import { Prisma } from '../../data/generated/client.ts';
import type { Change } from '../../files/data/changes.ts';
import { type DueShares, findDue } from '../../files/data/due-shares.ts';

export async function assignedGroups(
  { db, partnerId }: Pick<Change, 'db' | 'partnerId'>,
  fileId: number,
): Promise<number[]> {
  const rows = await db.assignment.findMany({
    where: { partnerId, fileId, removedIn: null },
    select: { groupId: true },
    orderBy: { groupId: 'asc' },
  });
  return rows.map(({ groupId }) => groupId);
}

export async function addAssignments(
  change: Change,
  fileId: number,
  groupIds: readonly number[],
  addedAt: Date,
): Promise<void> {
  const { db, number, partnerId } = change;
  await db.assignment.createMany({
    data: groupIds.map((groupId) => ({ partnerId, fileId, groupId, addedIn: number, addedAt })),
  });
}

/** Ends the assignment to these groups of one file, or of all where `fileId` is left out. */
export async function endAssignments(
  { db, number, partnerId }: Change,
  ended: { fileId?: number; groupIds: readonly number[] },
): Promise<void> {
  await db.assignment.updateMany({
    where: {
      partnerId,
      ...(ended.fileId === undefined ? {} : { fileId: ended.fileId }),
      groupId: { in: [...ended.groupIds] },
      removedIn: null,
    },
    data: { removedIn: number, announced: null },
  });
}

/** Whether the delivery of the file is still to be announced to a group. */
export async function isUnannounced({ db, partnerId }: Change, fileId: number): Promise<boolean> {
  return (await db.assignment.count({ where: { partnerId, fileId, announced: false } })) > 0;
}

/** Groups for which the delivery of the file is not yet announced. */
export async function claimUnannounced({ db, partnerId }: Change, fileId: number): Promise<number[]> {
  const rows = await db.assignment.updateManyAndReturn({
    where: { partnerId, fileId, announced: false },
    data: { announced: true },
    select: { groupId: true },
  });
  return rows.map(({ groupId }) => groupId).sort((a, b) => a - b);
}

/** What was delivered is so no more, until its new time. */
export async function announceAgain({ db, partnerId }: Change, fileId: number): Promise<void> {
  await db.assignment.updateMany({
    where: { partnerId, fileId, removedIn: null },
    data: { announced: false },
  });
}

/** A deleted file is not announced. */
export async function cancelAnnouncements({ db, partnerId }: Change, fileId: number): Promise<void> {
  await db.assignment.updateMany({ where: { partnerId, fileId }, data: { announced: null } });
}

/** Of all tenants: files with a delivery that is not yet announced to a group, the one that has been due for longest first. */
export async function findDueDeliveries(
  db: FileDb,
  now: Date,
  shares: DueShares,
): Promise<{ id: number; partnerId: number }[]> {
  return findDue(
    db,
    {
      at: Prisma.sql`due_at`,
      from: Prisma.sql`(
        SELECT file.id, file.partner_id, greatest(file.deliver_reservation_at, min(assignment.added_at)) AS due_at
        FROM assignments assignment JOIN files file ON file.id = assignment.file_id
        WHERE NOT assignment.announced AND (assignment.waits_until IS NULL OR assignment.waits_until <= ${now})
          AND NOT file.deleted AND file.current_version_id IS NOT NULL
          AND (file.deliver_reservation_at IS NULL OR file.deliver_reservation_at <= ${now})
        GROUP BY file.id) AS file`,
      where: Prisma.sql`true`,
    },
    shares,
  );
}

export async function wasEverAssigned(db: FileDb, partnerId: number, fileId: number): Promise<boolean> {
  return (await db.assignment.count({ where: { partnerId, fileId } })) > 0;
}
