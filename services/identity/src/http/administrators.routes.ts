import type { PasswordQueue } from '@portal/accounts';
import { administratorRoutes as routes } from '@portal/contracts';
import { findAdministrator } from '@portal/contracts/internal';
import { AppError } from '@portal/kernel';
import { type AdminCaller, type Implementation, implement } from '@portal/service-kit';
import { findAdmin } from '../data/admin-repository.ts';
import { adminDetail, listAdmins, listUnitAdmins, unitAdminDetail } from '../data/admin-views.ts';
import { requireReach } from '../domain/admin.ts';
import { createAdmin } from '../use-cases/create-admin.ts';
import { knowUnit } from '../use-cases/know-unit.ts';
import { removeAdmin } from '../use-cases/remove-admin.ts';
import { updateAdmin } from '../use-cases/update-admin.ts';

type Dependencies = { readonly passwordQueue: PasswordQueue } & Omit<
  Parameters<typeof updateAdmin>[0] & Parameters<typeof knowUnit>[0],
  'passwords'
>;

/** Administrators of the platform and of units, administered by others. */
export function administratorRoutesOf(deps: Dependencies): Implementation[] {
  const { store } = deps;
  const forCaller = ({ address, caller }: { readonly address: string; readonly caller: AdminCaller }) => ({
    ...deps,
    passwords: deps.passwordQueue.of({ account: `admin ${caller.adminId}`, address }),
  });

  return [
    implement(routes.listAdmins, async ({ query }, { caller, scope }) => {
      requireReach(caller, null);
      return store.read(scope, (db) => listAdmins(db, query));
    }),

    implement(routes.createAdmin, async ({ body }, call) =>
      createAdmin(forCaller(call), { ...body, unitId: null }, call.caller, call.scope),
    ),

    implement(routes.getAdmin, async ({ params: { adminId } }, { caller, scope }) => {
      requireReach(caller, null);
      const admin = await store.read(scope, (db) => adminDetail(db, adminId));
      if (!admin) throw new AppError('E40401');
      return admin;
    }),

    implement(routes.updateAdmin, async ({ params: { adminId }, body }, call) => {
      await updateAdmin(forCaller(call), call, { adminId, unitId: null }, body);
      return {};
    }),

    implement(routes.deleteAdmin, async ({ params: { adminId } }, call) => {
      await removeAdmin(deps, call, { adminId, unitId: null });
      return {};
    }),

    implement(findAdministrator, async ({ body: { adminId } }, { systemScope }) => {
      const found = await store.read(systemScope('what an administrator made says who it was'), (db) =>
        findAdmin(db, adminId),
      );
      if (!found) throw new AppError('E40403');
      return { name: found.name };
    }),

    implement(routes.listUnitAdmins, async ({ params: { unitId } }, call) => {
      await knowUnit(deps, call, unitId);
      return { admins: await store.read(call.scope, (db) => listUnitAdmins(db, unitId)) };
    }),

    implement(routes.createUnitAdmin, async ({ params: { unitId }, body }, call) => {
      await knowUnit(deps, call, unitId);
      return createAdmin(forCaller(call), { ...body, unitId }, call.caller, call.scope);
    }),

    implement(routes.getUnitAdmin, async ({ params }, { caller, scope }) => {
      requireReach(caller, params.unitId);
      const admin = await store.read(scope, (db) => unitAdminDetail(db, params));
      if (!admin) throw new AppError('E40401');
      return admin;
    }),

    implement(routes.updateUnitAdmin, async ({ params, body }, call) => {
      await updateAdmin(forCaller(call), call, params, body);
      return {};
    }),

    implement(routes.deleteUnitAdmin, async ({ params }, call) => {
      await removeAdmin(deps, call, params);
      return {};
    }),
  ];
}
