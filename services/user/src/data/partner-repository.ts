import { tenantEvents } from '@portal/contracts';
import { AppError } from '@portal/kernel';
import { copyOfPartners } from '@portal/service-kit';
import type { z } from 'zod';
import type { Licences } from '../domain/licence.ts';
import type { UserDb } from './db.ts';
import { heldLimits } from './licence-hold-repository.ts';

const known = tenantEvents.partnerState.pick({
  partnerId: true,
  unitId: true,
  contractRank: true,
  licenseType: true,
  licenseCount: true,
  licenseExpiredOn: true,
  userDeviceLimit: true,
});

export const {
  contractOf,
  findPartner,
  knowPartner,
  subscriptions: partnerSubscriptions,
} = copyOfPartners(known);

/**
 * Holds the partner until the transaction ends: whoever counts its licences or its admins does so alone. The first lock
 * that a transaction takes. Throws `E40402` for a partner that is not known.
 */
export async function lockPartner(db: UserDb, partnerId: number): Promise<z.output<typeof known> & Licences> {
  await db.$queryRaw`SELECT 1 FROM partners WHERE partner_id = ${partnerId} FOR UPDATE`;
  const partner = await findPartner(db, partnerId);
  if (!partner) throw new AppError('E40402');
  return { ...partner, held: await heldLimits(db, partnerId) };
}
