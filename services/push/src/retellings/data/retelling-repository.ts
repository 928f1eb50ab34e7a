import type { PushDb } from '../../data/db.ts';
import type { Certification, Notification } from '../../data/generated/client.ts';

/** What is told once more after an upgrade, for services that keep it only since then. */
export type RetoldThing = 'certifications' | 'notifications';

/** Up to which id these were told once more; undefined where that is not due, or another instance is at it. */
export async function lockRetelling(db: PushDb, thing: RetoldThing, now: Date): Promise<number | undefined> {
  const [due] = await db.$queryRaw<{ toldUpTo: number }[]>`
    SELECT told_up_to AS "toldUpTo" FROM retellings WHERE thing = ${thing} AND due_at <= ${now}
    FOR UPDATE SKIP LOCKED`;
  return due?.toldUpTo;
}

export async function certificationsAfter(db: PushDb, id: number, most: number): Promise<Certification[]> {
  return db.certification.findMany({ where: { id: { gt: id } }, orderBy: { id: 'asc' }, take: most });
}

/** Those that wait. */
export async function notificationsAfter(db: PushDb, id: number, most: number): Promise<Notification[]> {
  return db.notification.findMany({
    where: { id: { gt: id }, status: 'waiting' },
    orderBy: { id: 'asc' },
    take: most,
  });
}

export async function noteTold(db: PushDb, thing: RetoldThing, upTo: number): Promise<void> {
  await db.retelling.update({ where: { thing }, data: { toldUpTo: upTo } });
}

export async function endRetelling(db: PushDb, thing: RetoldThing): Promise<void> {
  await db.retelling.deleteMany({ where: { thing } });
}
