import { tenantRoutes } from '@portal/contracts';
import { everything, type Implementation, implement, type Store } from '@portal/service-kit';
import type { TenantDb } from '../data/db.ts';
import { listUnits } from '../data/unit-views.ts';

export function unitRoutes({ store }: { store: Store<TenantDb> }): Implementation[] {
  return [
    implement(tenantRoutes.listUnits, async ({ query }, { caller }) =>
      store.read(everything, (db) => listUnits(db, query, caller.unitId)),
    ),
  ];
}
