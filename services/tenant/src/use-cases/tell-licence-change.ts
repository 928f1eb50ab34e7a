import { tenantEvents } from '@portal/contracts';
import type { Transaction } from '@portal/service-kit';
import type { TenantDb } from '../data/db.ts';
import { type Changer, insertLicenceChange } from '../data/licence-change-repository.ts';
import { licenceChangeOf } from '../domain/licence-terms.ts';
import type { Contract } from '../domain/partner.ts';

/** Keeps and tells of a change of the licences of a partner, where there is one. */
export async function tellLicenceChange(
  { db, outbox }: Transaction<TenantDb>,
  { after, before, id }: { id: number; before: Contract | null; after: Contract },
  by: Changer,
  now: Date,
): Promise<void> {
  const change = licenceChangeOf(before, after);
  if (!change) return;
  await insertLicenceChange(db, { id, name: after.name }, change, by, now);
  outbox.append(tenantEvents.partnerLicenceChanged, {
    subject: id,
    partnerId: id,
    data: { partnerId: id, adminId: 'adminId' in by ? by.adminId : null, ...change },
  });
}
