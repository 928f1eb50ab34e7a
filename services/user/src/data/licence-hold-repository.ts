import type { LicenceLimit } from '../domain/licence.ts';
import type { UserDb } from './db.ts';

interface Hold {
  readonly partnerId: number;
  readonly holdId: string;
}

/** The limits that are held for changes under way. */
export async function heldLimits(db: UserDb, partnerId: number): Promise<LicenceLimit[]> {
  const holds = await db.licenceHold.findMany({
    where: { partnerId },
    select: { licenseType: true, licenseCount: true },
  });
  return holds.map(({ licenseCount, licenseType }) => ({
    licenseType: licenseType === 'device' ? 'device' : 'user',
    licenseCount,
  }));
}

export async function insertLicenceHold(
  db: UserDb,
  { holdId, partnerId }: Hold,
  { licenseCount, licenseType }: LicenceLimit,
  heldAt: Date,
): Promise<void> {
  await db.licenceHold.create({ data: { partnerId, holdId, licenseType, licenseCount, heldAt } });
}

export async function deleteLicenceHold(db: UserDb, { holdId, partnerId }: Hold): Promise<void> {
  await db.licenceHold.deleteMany({ where: { partnerId, holdId } });
}

export async function deleteLicenceHoldsBefore(db: UserDb, time: Date): Promise<number> {
  return (await db.licenceHold.deleteMany({ where: { heldAt: { lt: time } } })).count;
}
