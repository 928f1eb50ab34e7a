import { companyAdminRoutes as routes } from '@portal/contracts';
import { AppError } from '@portal/kernel';
import { type Implementation, implement, ofPartner } from '@portal/service-kit';
import { companyAdminDetail, listCompanyAdmins } from '../data/company-admin-views.ts';
import { knowPartner } from '../data/partner-repository.ts';
import type { Dependencies } from '../dependencies.ts';
import { createCompanyAdmin } from '../use-cases/create-company-admin.ts';
import { deleteCompanyAdmins } from '../use-cases/delete-people.ts';
import { exportCompanyAdmins } from '../use-cases/export-company-admins.ts';
import { updateCompanyAdmin } from '../use-cases/update-company-admin.ts';
import { forCaller } from './for-caller.ts';

export function companyAdminRoutes(deps: Dependencies): Implementation[] {
  const { store } = deps;

  // Each call is one of the company's own admins, and one of administrators.
  return [
    implement([routes.listCompanyAdmins, routes.listPartnerAdmins], async ({ params, query }) =>
      store.read(ofPartner(params.pid), (db) => listCompanyAdmins(db, params.pid, query)),
    ),

    implement([routes.createCompanyAdmin, routes.createPartnerAdmin], async ({ params, body }, call) => {
      await knowPartner(deps, params.pid);
      return createCompanyAdmin(forCaller(deps, call), params.pid, body);
    }),

    implement([routes.getCompanyAdmin, routes.getPartnerAdmin], async ({ params }) => {
      const { adminId, pid } = params;
      const admin = await store.read(ofPartner(pid), (db) => companyAdminDetail(db, pid, adminId));
      if (!admin) throw new AppError('E40401');
      return admin;
    }),

    implement([routes.updateCompanyAdmin, routes.updatePartnerAdmin], async ({ params, body }, call) => {
      const { caller } = call;
      const isSelf = caller.kind === 'tenant' && caller.accountId === params.adminId;
      await updateCompanyAdmin(
        forCaller(deps, call),
        { partnerId: params.pid, id: params.adminId },
        body,
        isSelf ? caller.sessionId : undefined,
      );
      return {};
    }),

    implement(
      [routes.deleteCompanyAdmins, routes.deletePartnerAdmins],
      async ({ params, body }, { caller }) => {
        await knowPartner(deps, params.pid);
        const self = caller.kind === 'tenant' ? caller.accountId : null;
        await deleteCompanyAdmins(deps, params.pid, body.ids, self);
        return {};
      },
    ),

    implement([routes.exportCompanyAdmins, routes.exportPartnerAdmins], async ({ params, query }) => ({
      content: await exportCompanyAdmins(deps, params.pid, query),
      fileName: 'admins.csv',
    })),
  ];
}
