import type { FileDb } from './db.ts';
import type { Removal } from './generated/client.ts';

export type { Removal };

/** Of all tenants: what is to go away by now. */
export async function findDueRemovals(db: FileDb, now: Date, limit: number): Promise<Removal[]> {
  return db.removal.findMany({ where: { dueAt: { lte: now } }, orderBy: { dueAt: 'asc' }, take: limit });
}

/** It is gone. */
export async function dropRemoval(db: FileDb, { id, partnerId }: Removal): Promise<void> {
  await db.removal.deleteMany({ where: { id, partnerId } });
}

/** The store did not do it; once more at `dueAt`. */
export async function postponeRemoval(db: FileDb, { id, partnerId }: Removal, dueAt: Date): Promise<void> {
  await db.removal.updateMany({ where: { id, partnerId }, data: { dueAt } });
}
