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
  contractReader,
  findPartner,
  knowPartner,
  subscriptions: partnerSubscriptions,
} = copyOfPartners(known);

/** Whether the company is to have two admins at least: what one of them changes, another one approves. */
export async function needsTwoAdmins(db: UserDb, partnerId: number): Promise<boolean> {
  const [row] = await db.$queryRaw<{ needs: boolean }[]>`
    SELECT two_admins AS needs FROM partners WHERE partner_id = ${partnerId}`;
  return row?.needs ?? false;
}

/** Since or until `at`; what was said at a later time stays. */
export async function setTwoAdmins(
  db: UserDb,
  partnerId: number,
  { at, needed }: { readonly needed: boolean; readonly at: Date },
): Promise<void> {
  await db.$executeRaw`
    UPDATE partners SET two_admins = ${needed}, two_admins_at = ${at}
    WHERE partner_id = ${partnerId} AND coalesce(two_admins_at <= ${at}, true)`;
}

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
