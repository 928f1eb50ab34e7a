import { tenantEvents } from '@portal/contracts';
import type { Scope } from '@portal/database';
import { AppError } from '@portal/kernel';
import { concernsRecord, type Store } from '@portal/service-kit';
import type { TenantDb } from '../data/db.ts';
import { deleteUnitRow, isUnitInUse, lockUnit } from '../data/unit-repository.ts';

/** Deletes a unit. Throws `E40401` for an unknown one, `E40031` while it has partners or administrators. */
export async function deleteUnit(
  { store }: { readonly store: Store<TenantDb> },
  id: number,
  scope: Scope,
): Promise<void> {
  await store.write(scope, async ({ db, outbox }) => {
    const unit = await lockUnit(db, id);
    if (!unit) throw new AppError('E40401');
    if (await isUnitInUse(db, id)) throw new AppError('E40031');
    concernsRecord({ id, name: unit.name });
    await deleteUnitRow(db, id);
    outbox.append(tenantEvents.unitDeleted, { subject: id, partnerId: null, data: { unitId: id } });
  });
}
