import type { UserDb } from './db.ts';
import type { Group } from './generated/client.ts';

const groups = 'groups';

/** Up to which id groups were told once more; undefined where that is not due, or another instance is at it. */
export async function lockGroupRetelling(db: UserDb, now: Date): Promise<number | undefined> {
  const [due] = await db.$queryRaw<{ toldUpTo: number }[]>`
    SELECT told_up_to AS "toldUpTo" FROM retellings WHERE thing = ${groups} AND due_at <= ${now}
    FOR UPDATE SKIP LOCKED`;
  return due?.toldUpTo;
}

export async function groupsAfter(db: UserDb, id: number, most: number): Promise<Group[]> {
  return db.group.findMany({ where: { id: { gt: id } }, orderBy: { id: 'asc' }, take: most });
}

export async function noteGroupsTold(db: UserDb, upTo: number): Promise<void> {
  await db.retelling.update({ where: { thing: groups }, data: { toldUpTo: upTo } });
}

export async function endGroupRetelling(db: UserDb): Promise<void> {
  await db.retelling.deleteMany({ where: { thing: groups } });
}
