import { tenantEvents } from '@portal/contracts';
import type { Scope } from '@portal/database';
import { AppError, type Clock } from '@portal/kernel';
import type { Store } from '@portal/service-kit';
import type { TenantDb } from '../data/db.ts';
import { lockUnit, saveUnit } from '../data/unit-repository.ts';
import { type NewUnit, requireAllocation, unitStateOf } from '../domain/unit.ts';
import { holdOwner, unknownOwner } from './create-unit.ts';

/**
 * Changes a unit; what is absent stays. Throws `E40401` for an unknown unit, `E40402` on ownerPartnerid for an unknown owner,
 * `E40016` for fewer licences than its partners have, `E40029` when the name is taken.
 */
export async function updateUnit(
  { clock, store }: { readonly store: Store<TenantDb>; readonly clock: Clock },
  id: number,
  changes: { readonly [K in keyof NewUnit]?: NewUnit[K] | undefined },
  scope: Scope,
): Promise<void> {
  await store.write(scope, async ({ db, outbox }) => {
    // Before the unit, as whoever changes a partner of it locks them.
    const hasOwner = await holdOwner(db, changes.ownerPartnerid ?? 0);
    const present = await lockUnit(db, id);
    if (!present) throw new AppError('E40401');
    const unit: NewUnit = {
      name: changes.name ?? present.name,
      allocatedLicense: changes.allocatedLicense ?? present.allocatedLicense,
      ownerPartnerid: changes.ownerPartnerid ?? present.ownerPartnerid,
      canForceDistributeApp: changes.canForceDistributeApp ?? present.canForceDistributeApp,
    };
    requireAllocation(unit.allocatedLicense, present.consumed);
    if (!hasOwner && unit.ownerPartnerid !== present.ownerPartnerid) throw unknownOwner();
    const { revision } = await saveUnit(db, id, unit, clock.now());
    outbox.append(tenantEvents.unitUpdated, {
      subject: id,
      partnerId: null,
      data: unitStateOf(id, { ...unit, revision }),
    });
  });
}
