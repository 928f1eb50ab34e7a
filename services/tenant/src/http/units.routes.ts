import { tenantRoutes } from '@portal/contracts';
import { findUnit } from '@portal/contracts/internal';
import { AppError, type Clock } from '@portal/kernel';
import { type Implementation, implement, type Store } from '@portal/service-kit';
import type { TenantDb } from '../data/db.ts';
import { listUnits, unitDetail, unitForServices, unitPartners } from '../data/unit-views.ts';
import { createUnit } from '../use-cases/create-unit.ts';
import { deleteUnit } from '../use-cases/delete-unit.ts';
import { updateUnit } from '../use-cases/update-unit.ts';

export function unitRoutes(deps: { store: Store<TenantDb>; clock: Clock }): Implementation[] {
  const { store } = deps;
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
    implement(tenantRoutes.createUnit, async ({ body }, { scope }) =>
      createUnit(
        deps,
        {
          name: body.name,
          allocatedLicense: body.allocatedLicense ?? 0,
          ownerPartnerid: body.ownerPartnerid ?? 0,
          canForceDistributeApp: body.canForceDistributeApp ?? false,
        },
        scope,
      ),
    ),

    implement(tenantRoutes.getUnit, async ({ params }, { scope }) => {
      const unit = await store.read(scope, (db) => unitDetail(db, params.id));
      if (!unit) throw new AppError('E40401');
      return unit;
    }),

    implement(tenantRoutes.updateUnit, async ({ params, body }, { scope }) => {
      await updateUnit(deps, params.id, body, scope);
      return {};
    }),

    implement(tenantRoutes.deleteUnit, async ({ params }, { scope }) => {
      await deleteUnit(deps, params.id, scope);
      return {};
    }),

    implement(tenantRoutes.listUnitPartners, async ({ params }, { scope }) => {
      const partners = await store.read(scope, (db) => unitPartners(db, params.id));
      if (!partners) throw new AppError('E40401');
      return partners;
    }),
  ];
}
