import { tenantRoutes } from '@portal/contracts';
import { findPartner } from '@portal/contracts/internal';
import { AppError, type Clock, fieldError } from '@portal/kernel';
import {
  type DirectStore,
  type Implementation,
  implement,
  ofPartner,
  type Seals,
  type Store,
} from '@portal/service-kit';
import { listBounces } from '../data/bounce-views.ts';
import type { TenantDb } from '../data/db.ts';
import { hasData, listPartners, partnerDetail, partnerForServices } from '../data/partner-views.ts';
import { createPartner } from '../use-cases/create-partner.ts';
import { deletePartner } from '../use-cases/delete-partner.ts';
import { updatePartner } from '../use-cases/update-partner.ts';

export function partnerRoutes(deps: {
  store: Store<TenantDb>;
  direct: DirectStore;
  clock: Clock;
  seals: Seals;
}): Implementation[] {
  const { clock, direct, store } = deps;
  return [
    implement(tenantRoutes.listPartners, async ({ query }, { scope }) =>
      store.read(scope, (db) => listPartners(db, query, clock.now())),
    ),

    implement(tenantRoutes.getPartner, async ({ params }, { scope }) => {
      const partner = await store.read(scope, (db) => partnerDetail(db, params.pid, clock.now()));
      if (!partner) throw new AppError('E40402');
      // Users and groups are of no unit: in its scope there are none.
      return {
        ...partner,
        hasData: await store.read(ofPartner(params.pid), (db) => hasData(db, params.pid)),
      };
    }),

    implement(tenantRoutes.createPartner, async ({ body }, { caller, scope }) => {
      const { partnerCode, unitId, ...partner } = body;
      return createPartner(
        deps,
        {
          ...partner,
          unitId: requireUnit(caller.unitId ?? unitId),
          // Empty and null are absent, as forms send them.
          partnerCode: partnerCode || undefined,
        },
        { scope, by: { adminId: caller.adminId } },
      );
    }),

    implement(tenantRoutes.updatePartner, async ({ params, body }, { caller, scope }) => {
      const { unitId, ...changes } = body;
      const moves = caller.unitId === null && unitId !== undefined;
      await updatePartner(deps, params.pid, moves ? { ...changes, unitId: requireUnit(unitId) } : changes, {
        scope,
        by: { adminId: caller.adminId },
      });
      return {};
    }),

    implement(tenantRoutes.deletePartner, async ({ params }) => {
      await deletePartner(deps, params.pid);
      return {};
    }),

    implement(tenantRoutes.listBounces, async ({ params, query }) =>
      store.read(ofPartner(params.pid), (db) => listBounces(db, params.pid, query)),
    ),

    implement(findPartner, async ({ body }, { systemScope }) => {
      const scope = systemScope('a service knows a partner by its code');
      const partner = await partnerForServices(direct.statements(scope), body);
      if (!partner) throw new AppError('E40402');
      return partner;
    }),
  ];
}

/** The unit that a platform administrator names; that of a unit administrator is their own. */
function requireUnit(unitId: number | null | undefined): number {
  if (unitId == null) throw fieldError('E40003', 'unitId', 'required');
  return unitId;
}
