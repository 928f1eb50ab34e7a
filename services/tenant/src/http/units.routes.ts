import { tenantRoutes } from '@portal/contracts';
import { findUnit } from '@portal/contracts/internal';
import { AppError } from '@portal/kernel';
import { type Implementation, implement, type Store } from '@portal/service-kit';
import type { TenantDb } from '../data/db.ts';
import { listUnits, unitForServices } from '../data/unit-views.ts';

export function unitRoutes({ store }: { store: Store<TenantDb> }): Implementation[] {
  return [
    implement(tenantRoutes.listUnits, async ({ query }, { scope }) =>
      store.read(scope, (db) => listUnits(db, query)),
    ),

    implement(findUnit, async ({ body: { unitId } }, { systemScope }) => {
      const scope = systemScope('a service knows a unit by its id');
      const unit = await store.read(scope, (db) => unitForServices(db, unitId));
      if (!unit) throw new AppError('E40401');
      return unit;
    }),
  ];
}
