import type { FileDb } from '../../data/db.ts';
import type { Removal } from '../../data/generated/client.ts';

export type { Removal };

/** Of all tenants: removals that are due. */
export async function findDueRemovals(db: FileDb, now: Date, limit: number): Promise<Removal[]> {
  return db.removal.findMany({ where: { dueAt: { lte: now } }, orderBy: { dueAt: 'asc' }, take: limit });
}

/** It is gone. */
export async function dropRemoval(db: FileDb, { id, partnerId }: Removal): Promise<void> {
  await db.removal.deleteMany({ where: { id, partnerId } });
}

/** The store failed; the removal is retried at `dueAt`. */
export async function postponeRemoval(db: FileDb, { id, partnerId }: Removal, dueAt: Date): Promise<void> {
  await db.removal.updateMany({ where: { id, partnerId }, data: { dueAt } });
}
