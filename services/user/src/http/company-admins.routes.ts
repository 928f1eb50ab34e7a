import { companyAdminRoutes as routes } from '@portal/contracts';
import { AppError } from '@portal/kernel';
import {
  type AdminCaller,
  type Implementation,
  implement,
  ofPartner,
  StreamReply,
} from '@portal/service-kit';
import { companyAdminDetail, listCompanyAdmins } from '../data/company-admin-views.ts';
import { knowPartner } from '../data/partner-repository.ts';
import type { Dependencies } from '../dependencies.ts';
import { createCompanyAdmin } from '../use-cases/create-company-admin.ts';
import { deleteCompanyAdmins } from '../use-cases/delete-people.ts';
import { exportCompanyAdmins } from '../use-cases/export-company-admins.ts';
import { updateCompanyAdmin } from '../use-cases/update-company-admin.ts';
import { forCaller } from './for-caller.ts';

export function companyAdminRoutes(dependencies: Dependencies): Implementation[] {
  const { store } = dependencies;

  async function detail(partnerId: number, adminId: number) {
    const admin = await store.read(ofPartner(partnerId), (db) => companyAdminDetail(db, partnerId, adminId));
    if (!admin) throw new AppError('E40401');
    return admin;
  }

  const csv = async (partnerId: number, timeZone: string) =>
    new StreamReply(await exportCompanyAdmins(dependencies, partnerId, timeZone), {
      contentType: 'text/csv; charset=utf-8',
      fileName: 'admins.csv',
    });

  /** A partner of another unit is none to an administrator of a unit. */
  async function requireOversight(partnerId: number, { unitId }: AdminCaller): Promise<void> {
    const partner = await knowPartner(dependencies, partnerId);
    if (unitId !== null && unitId !== partner.unitId) throw new AppError('E40402');
  }

  return [
    implement(routes.listCompanyAdmins, async ({ params, query }) =>
      store.read(ofPartner(params.pid), (db) => listCompanyAdmins(db, params.pid, query)),
    ),

    implement(routes.createCompanyAdmin, async ({ params, body }, call) => {
      await knowPartner(dependencies, params.pid);
      return createCompanyAdmin(forCaller(dependencies, call), params.pid, body);
    }),

    implement(routes.getCompanyAdmin, async ({ params }) => detail(params.pid, params.adminId)),

    implement(routes.updateCompanyAdmin, async ({ params, body }, call) => {
      const { caller } = call;
      const isSelf = caller.accountId === params.adminId;
      await updateCompanyAdmin(
        forCaller(dependencies, call),
        { partnerId: params.pid, id: params.adminId },
        body,
        isSelf ? caller.sessionId : undefined,
      );
      return {};
    }),

    implement(routes.deleteCompanyAdmins, async ({ params, body }, { caller }) => {
      await knowPartner(dependencies, params.pid);
      await deleteCompanyAdmins(dependencies, params.pid, body.ids, caller.accountId);
      return {};
    }),

    implement(routes.exportCompanyAdmins, async ({ params, query }) => csv(params.pid, query.tz)),

    implement(routes.listPartnerAdmins, async ({ params, query }, { caller }) => {
      await requireOversight(params.id, caller);
      return store.read(ofPartner(params.id), (db) => listCompanyAdmins(db, params.id, query));
    }),

    implement(routes.createPartnerAdmin, async ({ params, body }, call) => {
      await requireOversight(params.id, call.caller);
      return createCompanyAdmin(forCaller(dependencies, call), params.id, body);
    }),

    implement(routes.getPartnerAdmin, async ({ params }, { caller }) => {
      await requireOversight(params.id, caller);
      return detail(params.id, params.adminId);
    }),

    implement(routes.updatePartnerAdmin, async ({ params, body }, call) => {
      await requireOversight(params.id, call.caller);
      const target = { partnerId: params.id, id: params.adminId };
      await updateCompanyAdmin(forCaller(dependencies, call), target, body);
      return {};
    }),

    implement(routes.deletePartnerAdmins, async ({ params, body }, { caller }) => {
      await requireOversight(params.id, caller);
      await deleteCompanyAdmins(dependencies, params.id, body.ids, null);
      return {};
    }),

    implement(routes.exportPartnerAdmins, async ({ params, query }, { caller }) => {
      await requireOversight(params.id, caller);
      return csv(params.id, query.tz);
    }),
  ];
}
