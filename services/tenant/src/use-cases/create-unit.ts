import { tenantEvents } from '@portal/contracts';
import type { Clock } from '@portal/kernel';
import { everything, type Store } from '@portal/service-kit';
import type { TenantDb } from '../data/db.ts';
import { insertUnit } from '../data/unit-repository.ts';
import type { NewUnit } from '../domain/unit.ts';

/** Makes an outsourcing unit with the licences that its partners may share. */
export async function createUnit(
  { clock, store }: { store: Store<TenantDb>; clock: Clock },
  unit: NewUnit,
): Promise<{ id: number }> {
  return store.write(everything, async ({ db, outbox }) => {
    const id = await insertUnit(db, unit, clock.now());
    outbox.append(tenantEvents.unitCreated, {
      subject: id,
      partnerId: null,
      data: {
        unitId: id,
        name: unit.name,
        allocatedLicense: unit.allocatedLicense,
        ownerPartnerid: unit.ownerPartnerid,
        canForceDistributeApp: unit.canForceDistributeApp,
      },
    });
    return { id };
  });
}
