import { tenantEvents } from '@portal/contracts';
import { AppError } from '@portal/kernel';
import type { z } from 'zod';
import type { UserDb } from './db.ts';

/** What this service keeps of a partner. */
const knownPartner = tenantEvents.partnerState.pick({
  partnerId: true,
  unitId: true,
  contractRank: true,
  licenseType: true,
  licenseCount: true,
  userDeviceLimit: true,
});
export type KnownPartner = z.output<typeof knownPartner>;

export async function keepPartner(db: UserDb, partner: KnownPartner): Promise<void> {
  const { partnerId, ...kept } = knownPartner.parse(partner);
  await db.partner.upsert({ where: { partnerId }, create: { partnerId, ...kept }, update: kept });
}

export async function findPartner(db: UserDb, partnerId: number): Promise<KnownPartner | null> {
  const partner = await db.partner.findUnique({ where: { partnerId } });
  return partner && knownPartner.parse(partner);
}

/**
 * Holds the partner until the transaction ends: whoever counts its licences or its admins does so alone. The first lock
 * that a transaction takes. Throws `E40402` for a partner that is not known.
 */
export async function lockPartner(db: UserDb, partnerId: number): Promise<KnownPartner> {
  await db.$queryRaw`SELECT 1 FROM partners WHERE partner_id = ${partnerId} FOR UPDATE`;
  const partner = await findPartner(db, partnerId);
  if (!partner) throw new AppError('E40402');
  return partner;
}
