import { tenantRoutes } from '@portal/contracts';
import { findPartner } from '@portal/contracts/internal';
import { AppError } from '@portal/kernel';
import { type Implementation, implement, type Store } from '@portal/service-kit';
import type { TenantDb } from '../data/db.ts';
import { listPartners, partnerDetail, partnerForServices } from '../data/partner-views.ts';

export function partnerRoutes({ store }: { store: Store<TenantDb> }): Implementation[] {
  return [
    implement(tenantRoutes.listPartners, async ({ query }, { scope }) =>
      store.read(scope, (db) => listPartners(db, query)),
    ),

    implement(tenantRoutes.getPartner, async ({ params }, { scope }) => {
      const partner = await store.read(scope, (db) => partnerDetail(db, params.pid));
      if (!partner) throw new AppError('E40402');
      return partner;
    }),

    implement(findPartner, async ({ body }, { systemScope }) => {
      const scope = systemScope('a service knows a partner by its code');
      const partner = await store.read(scope, (db) => partnerForServices(db, body));
      if (!partner) throw new AppError('E40402');
      return partner;
    }),
  ];
}
