import { tenantEvents } from '@portal/contracts';
import type { z } from 'zod';
import type { BatchDb } from './db.ts';

/** What this service keeps of a partner. */
const knownPartner = tenantEvents.partnerState.pick({
  partnerId: true,
  unitId: true,
  contractRank: true,
  operationLogDownloadFlag: true,
});
export type KnownPartner = z.output<typeof knownPartner>;

export async function keepPartner(db: BatchDb, partner: KnownPartner): Promise<void> {
  const { partnerId, ...kept } = knownPartner.parse(partner);
  await db.partner.upsert({ where: { partnerId }, create: { partnerId, ...kept }, update: kept });
}

export async function findPartner(db: BatchDb, partnerId: number): Promise<KnownPartner | null> {
  const partner = await db.partner.findUnique({ where: { partnerId } });
  return partner && knownPartner.parse(partner);
}
