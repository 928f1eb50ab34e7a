import { tenantEvents } from '@portal/contracts';
import type { z } from 'zod';
import type { MailDb } from './db.ts';

/** What this service keeps of a partner. */
const knownPartner = tenantEvents.partnerState.pick({ partnerId: true, name: true, lang: true });
export type KnownPartner = z.output<typeof knownPartner>;

export async function keepPartner(db: MailDb, partner: KnownPartner): Promise<void> {
  const { partnerId, ...kept } = knownPartner.parse(partner);
  await db.partner.upsert({ where: { partnerId }, create: { partnerId, ...kept }, update: kept });
}

export async function findPartner(db: MailDb, partnerId: number): Promise<KnownPartner | null> {
  const partner = await db.partner.findUnique({ where: { partnerId } });
  return partner && knownPartner.parse(partner);
}
