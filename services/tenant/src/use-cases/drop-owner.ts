import { tenantEvents } from '@portal/contracts';
import type { Transaction } from '@portal/service-kit';
import type { TenantDb } from '../data/db.ts';
import { lockUnit, saveUnit, unitsOwnedBy } from '../data/unit-repository.ts';
import { unitStateOf } from '../domain/unit.ts';

/** A partner is deleted: the units that it owned have no owner any more. */
export async function dropOwner(
  { db, outbox }: Transaction<TenantDb>,
  partnerId: number,
  now: Date,
): Promise<void> {
  for (const id of await unitsOwnedBy(db, partnerId)) {
    const unit = await lockUnit(db, id);
    if (unit?.ownerPartnerid !== partnerId) continue;
    const { allocatedLicense, canForceDistributeApp, name } = unit;
    const ownerless = { name, allocatedLicense, ownerPartnerid: 0, canForceDistributeApp };
    const { revision } = await saveUnit(db, id, ownerless, now);
    outbox.append(tenantEvents.unitUpdated, {
      subject: id,
      partnerId: null,
      data: unitStateOf(id, { ...ownerless, revision }),
    });
  }
}
