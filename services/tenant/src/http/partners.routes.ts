import { tenantRoutes } from '@portal/contracts';
import { findPartner } from '@portal/contracts/internal';
import { AppError } from '@portal/kernel';
import { everything, type Implementation, implement, type Store } from '@portal/service-kit';
import type { TenantDb } from '../data/db.ts';
import { listPartners, partnerDetail, partnerForServices } from '../data/partner-views.ts';

export function partnerRoutes({ store }: { store: Store<TenantDb> }): Implementation[] {
  return [
    implement(tenantRoutes.listPartners, async ({ query }, { caller }) =>
      store.read(everything, (db) => listPartners(db, query, caller.unitId)),
    ),

    implement(tenantRoutes.getPartner, async ({ params }, { caller }) => {
      const partner = await store.read(everything, (db) => partnerDetail(db, params.id));
      if (!partner) throw new AppError('E40402');
      if (caller.unitId !== null && caller.unitId !== partner.unitId) throw new AppError('E40305');
      return partner;
    }),

    implement(findPartner, async ({ body }) => {
      const partner = await store.read(everything, (db) => partnerForServices(db, body));
      if (!partner) throw new AppError('E40402');
      return partner;
    }),
  ];
}
