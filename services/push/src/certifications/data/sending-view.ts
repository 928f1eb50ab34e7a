import type { PushDb } from '../../data/db.ts';

/** In `partnerId`: of the operator. */
const operator = 0;

/** Whether there is a certificate to send the pushes of a tenant with, its own or the operator's. */
export async function canSend(db: PushDb, partnerId: number): Promise<boolean> {
  const found = await db.certification.findFirst({
    where: { partnerId: { in: [partnerId, operator] } },
    select: { id: true },
  });
  return found !== null;
}
