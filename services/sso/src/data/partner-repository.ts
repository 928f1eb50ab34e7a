import { tenantEvents } from '@portal/contracts';
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
  knowPartner,
  subscriptions: partnerSubscriptions,
} = copyOfPartners(kept);

/** In the scope of all partners: whoever names a code is nobody yet. */
export async function findPartnerByCode(db: SsoDb, partnerCode: string) {
  // A code that has passed to another partner may stand at two for a moment.
  const found = await db.partner.findFirst({ where: { partnerCode }, orderBy: { partnerId: 'desc' } });
  return found && kept.parse(found);
}
