import { tenantEvents } from '@portal/contracts';
import { AppError } from '@portal/kernel';
import { copyOfPartners } from '@portal/service-kit';
import type { SsoDb } from './db.ts';

const kept = tenantEvents.partnerState.pick({
  partnerId: true,
  unitId: true,
  partnerCode: true,
  contractRank: true,
  licenseExpiredOn: true,
});

export const {
  contractReader,
  findPartner,
  keepTold,
  knowPartner,
  subscriptions: partnerSubscriptions,
} = copyOfPartners(kept);

/** What is kept of a partner, which stays so until the transaction ends. Null for one that is not there any more. */
export async function holdPartner(db: SsoDb, partnerId: number) {
  await db.$queryRaw`SELECT 1 FROM partners WHERE partner_id = ${partnerId} FOR SHARE`;
  return findPartner(db, partnerId);
}

/** The same for a call, which is refused with `E40402` where the partner is not there any more. */
export async function requirePartner(db: SsoDb, partnerId: number) {
  const partner = await holdPartner(db, partnerId);
  if (!partner) throw new AppError('E40402');
  return partner;
}

/** In the scope of all partners: whoever names a code is nobody yet. */
export async function findPartnerByCode(db: SsoDb, partnerCode: string) {
  // A code that has passed to another partner may stand at two for a moment.
  const found = await db.partner.findFirst({ where: { partnerCode }, orderBy: { partnerId: 'desc' } });
  return found && kept.parse(found);
}
