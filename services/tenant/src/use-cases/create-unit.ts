import { tenantEvents } from '@portal/contracts';
import type { Scope } from '@portal/database';
import type { Clock } from '@portal/kernel';
import type { Store } from '@portal/service-kit';
import type { TenantDb } from '../data/db.ts';
import { insertUnit } from '../data/unit-repository.ts';
import type { NewUnit } from '../domain/unit.ts';

/** Makes an outsourcing unit with the licences that its partners may share. */
export async function createUnit(
  { clock, store }: { store: Store<TenantDb>; clock: Clock },
  unit: NewUnit,
  scope: Scope,
): Promise<{ id: number }> {
  return store.write(scope, async ({ db, outbox }) => {
    const { id, revision } = await insertUnit(db, unit, clock.now());
    outbox.append(tenantEvents.unitCreated, {
      subject: id,
      partnerId: null,
      data: {
        unitId: id,
        revision,
        name: unit.name,
        allocatedLicense: unit.allocatedLicense,
        ownerPartnerid: unit.ownerPartnerid,
        canForceDistributeApp: unit.canForceDistributeApp,
      },
    });
    return { id };
  });
}
