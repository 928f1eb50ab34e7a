import type { UserDb } from './db.ts';
import type { Account, Device, Group } from './generated/client.ts';

/** What is told once more after an upgrade, for services that keep it only since then. */
export type RetoldThing = 'devices' | 'groups' | 'people' | 'push-tokens';

/** Up to which id these were told once more; undefined where that is not due, or another instance is at it. */
export async function lockRetelling(db: UserDb, thing: RetoldThing, now: Date): Promise<number | undefined> {
  const [due] = await db.$queryRaw<{ toldUpTo: number }[]>`
    SELECT told_up_to AS "toldUpTo" FROM retellings WHERE thing = ${thing} AND due_at <= ${now}
    FOR UPDATE SKIP LOCKED`;
  return due?.toldUpTo;
}

export async function groupsAfter(db: UserDb, id: number, most: number): Promise<Group[]> {
  return db.group.findMany({ where: { id: { gt: id } }, orderBy: { id: 'asc' }, take: most });
}

export async function peopleAfter(db: UserDb, id: number, most: number): Promise<Account[]> {
  return db.account.findMany({ where: { id: { gt: id } }, orderBy: { id: 'asc' }, take: most });
}

/**
 * Devices by the numbers of their registrations, which stay as they are until the transaction ends: their events have no revisions, and
 * what is told of one is not to come behind its removal.
 */
export async function devicesAfter(db: UserDb, registration: number, most: number): Promise<Device[]> {
  const held = await db.$queryRaw<{ registration: number }[]>`
    SELECT registration FROM devices WHERE registration > ${registration}
    ORDER BY registration LIMIT ${most} FOR SHARE`;
  return db.device.findMany({
    where: { registration: { in: held.map((device) => device.registration) } },
    orderBy: { registration: 'asc' },
  });
}

export async function noteTold(db: UserDb, thing: RetoldThing, upTo: number): Promise<void> {
  await db.retelling.update({ where: { thing }, data: { toldUpTo: upTo } });
}

export async function endRetelling(db: UserDb, thing: RetoldThing): Promise<void> {
  await db.retelling.deleteMany({ where: { thing } });
}
