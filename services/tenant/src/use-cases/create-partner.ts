import { tenantEvents } from '@portal/contracts';
import type { Scope } from '@portal/database';
import { type Clock, fieldError } from '@portal/kernel';
import type { Store } from '@portal/service-kit';
import type { TenantDb } from '../data/db.ts';
import { insertPartner } from '../data/partner-repository.ts';
import { lockLicences } from '../data/unit-repository.ts';
import { type NewPartner, openContract } from '../domain/partner.ts';
import { partnerStateOf } from '../domain/partner-state.ts';

/**
 * Opens a partner in a unit, with licences out of the unit's.
 * Throws `E40401` for an unknown unit, `E40014` when the code is taken, and what `openContract` refuses.
 */
export async function createPartner(
  { clock, store }: { store: Store<TenantDb>; clock: Clock },
  partner: NewPartner,
  scope: Scope,
): Promise<{ id: number }> {
  return store.write(scope, async ({ db, outbox }) => {
    const unit = await lockLicences(db, partner.unitId);
    if (!unit) throw fieldError('E40401', 'unitId', 'notFound');
    const now = clock.now();
    const contract = openContract(partner, unit, now);
    const { id, revision } = await insertPartner(db, contract, now);
    outbox.append(tenantEvents.partnerCreated, {
      subject: id,
      partnerId: id,
      data: partnerStateOf(id, { ...contract, revision }),
    });
    return { id };
  });
}
