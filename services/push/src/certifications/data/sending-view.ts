import { plans } from '@portal/contracts';
import { operator } from '@portal/storage';
import type { PushDb } from '../../data/db.ts';
import { findPartner } from '../../data/partner-repository.ts';

/** Whether there is a certificate to send the pushes of a tenant with: its own, where its contract has that, or the operator's. */
export async function canSend(db: PushDb, partnerId: number): Promise<boolean> {
  const partner = await findPartner(db, partnerId);
  const hasOwn = partner !== null && plans[partner.contractRank].apis.includes('certification');
  const found = await db.certification.findFirst({
    where: { partnerId: { in: hasOwn ? [partnerId, operator] : [operator] } },
    select: { id: true },
  });
  return found !== null;
}
