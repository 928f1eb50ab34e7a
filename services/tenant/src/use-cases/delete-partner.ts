import { isLicenceOver, tenantEvents } from '@portal/contracts';
import { AppError, type Clock } from '@portal/kernel';
import { concernsRecord, ofPartner, type Store } from '@portal/service-kit';
import type { TenantDb } from '../data/db.ts';
import { deletePartnerRow, lockPartner } from '../data/partner-repository.ts';
import { hasData } from '../data/partner-views.ts';

/**
 * Deletes a partner; every service then lets go of what it has of it. Throws `E40402` for an unknown partner, `E40032` while the
 * licence lasts and there are users, groups or files.
 */
export async function deletePartner(
  { clock, store }: { readonly store: Store<TenantDb>; readonly clock: Clock },
  id: number,
): Promise<void> {
  await store.write(ofPartner(id), async ({ db, outbox }) => {
    const partner = await lockPartner(db, id);
    if (!partner) throw new AppError('E40402');
    if (!isLicenceOver(partner.licenseExpiredOn, clock.now()) && (await hasData(db, id))) {
      throw new AppError('E40032');
    }
    concernsRecord({ id, name: partner.name });
    await deletePartnerRow(db, id);
    outbox.append(tenantEvents.partnerDeleted, { subject: id, partnerId: id, data: { partnerId: id } });
  });
}
