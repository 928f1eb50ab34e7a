import type { LicenceEnd } from '../domain/licence-end.ts';
import type { TenantDb } from './db.ts';

const select = { id: true, licenseExpiredOn: true, licenceToldFor: true, licenceToldDays: true } as const;

/** Partners whose licences end after `from` and by `until`, in the order of their ids, those after `after`. */
export async function findEndingLicences(
  db: TenantDb,
  { after, from, take, until }: { after: number; from: Date; until: Date; take: number },
): Promise<(LicenceEnd & { id: number })[]> {
  return db.partner.findMany({
    where: { id: { gt: after }, licenseExpiredOn: { gt: from, lte: until } },
    select,
    orderBy: { id: 'asc' },
    take,
  });
}

/** A partner until the end of the transaction: of two instances that tell at one moment the later sees what the earlier told. */
export async function lockLicenceEnd(db: TenantDb, partnerId: number): Promise<LicenceEnd | null> {
  await db.$executeRaw`SELECT FROM partners WHERE partner_id = ${partnerId} FOR UPDATE`;
  return db.partner.findUnique({ where: { id: partnerId }, select });
}

export async function markLicenceTold(
  db: TenantDb,
  partnerId: number,
  { days, end }: { days: number; end: Date },
): Promise<void> {
  await db.partner.update({
    where: { id: partnerId },
    data: { licenceToldFor: end, licenceToldDays: days },
    select: { id: true },
  });
}
