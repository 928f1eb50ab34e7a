import type { TenantDb } from './db.ts';
import type { Partner } from './generated/client.ts';

/** Partners of whose licences somebody is to be told by now, those that have waited longest first. */
export async function findDueReminders(
  db: TenantDb,
  { now, take }: { now: Date; take: number },
): Promise<number[]> {
  const partners = await db.partner.findMany({
    where: { nextReminderAt: { lte: now } },
    select: { id: true },
    orderBy: [{ nextReminderAt: 'asc' }, { id: 'asc' }],
    take,
  });
  return partners.map(({ id }) => id);
}

export async function setNextReminder(
  db: TenantDb,
  { id }: Pick<Partner, 'id'>,
  nextReminderAt: Date | null,
): Promise<void> {
  await db.partner.update({ where: { id }, data: { nextReminderAt }, select: { id: true } });
}
