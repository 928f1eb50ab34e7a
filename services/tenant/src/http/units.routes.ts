import { tenantRoutes } from '@portal/contracts';
import { type Implementation, implement, type Store } from '@portal/service-kit';
import type { TenantDb } from '../data/db.ts';
import { listUnits } from '../data/unit-views.ts';

export function unitRoutes({ store }: { store: Store<TenantDb> }): Implementation[] {
  return [
    implement(tenantRoutes.listUnits, async ({ query }, { scope }) =>
      store.read(scope, (db) => listUnits(db, query)),
    ),
  ];
}
