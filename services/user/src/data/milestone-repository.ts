import type { UserDb } from './db.ts';

/** Whether something was done once and for all. */
export async function isDone(db: UserDb, name: string): Promise<boolean> {
  return (await db.milestone.findUnique({ where: { name } })) !== null;
}

export async function markDone(db: UserDb, name: string, now: Date): Promise<void> {
  await db.milestone.upsert({ where: { name }, create: { name, at: now }, update: {} });
}
