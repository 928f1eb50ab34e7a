import { hasAnyRole, pushRoutes as routes, userRoleBits } from '@portal/contracts';
import { AppError } from '@portal/kernel';
import { type Implementation, implement, ofPartner } from '@portal/service-kit';
import { operator } from '@portal/storage';
import type { Dependencies } from '../../dependencies.ts';
import {
  certificationDetail,
  listCertifications,
  operatorCertification,
} from '../data/certification-views.ts';
import { createCertification } from '../use-cases/create-certification.ts';
import { deleteCertification } from '../use-cases/delete-certification.ts';
import { exportCertifications } from '../use-cases/export-certifications.ts';
import { readP12 } from '../use-cases/read-p12.ts';
import { updateCertification, updateOperatorCertification } from '../use-cases/update-certification.ts';

export function certificationsRoutes(deps: Dependencies): Implementation[] {
  const { store } = deps;
  return [
    implement(
      [routes.listCertifications, routes.listPartnerCertifications],
      async ({ params, query }, { caller }) => {
        // Who sends pushes chooses one by its name.
        const mayRead = caller.kind === 'admin' || hasAnyRole(caller.role, userRoleBits.admin);
        if (!mayRead && !query.all) throw new AppError('E40301');
        return store.read(ofPartner(params.pid), (db) => listCertifications(db, params.pid, query));
      },
    ),

    implement(routes.createCertification, async ({ body: { name, ...fields }, params }) =>
      createCertification(deps, { partnerId: params.pid, name }, fields),
    ),

    implement(routes.exportCertifications, async ({ params, query }) => ({
      content: await exportCertifications(deps, params.pid, query),
      fileName: 'certifications.csv',
    })),

    implement(routes.getCertification, async ({ params: { id, pid } }) => {
      const certification = await store.read(ofPartner(pid), (db) => certificationDetail(db, pid, id));
      if (!certification) throw new AppError('E40401');
      return certification;
    }),

    implement(routes.updateCertification, async ({ body, params: { id, pid } }) => {
      await updateCertification(deps, { partnerId: pid, id }, body);
      return {};
    }),

    implement(routes.deleteCertification, async ({ params: { id, pid } }) => {
      await deleteCertification(deps, { partnerId: pid, id });
      return {};
    }),

    implement(routes.getOperatorCertification, async (_, { scope }) => {
      const certification = await store.read(scope, operatorCertification);
      if (!certification) throw new AppError('E40401');
      return certification;
    }),

    implement(routes.createOperatorCertification, async ({ body }) =>
      createCertification(deps, { partnerId: operator, name: null }, body),
    ),

    implement(routes.updateOperatorCertification, async ({ body }) => {
      await updateOperatorCertification(deps, body);
      return {};
    }),

    implement(routes.readP12, async ({ body }, { caller }) =>
      readP12(
        deps,
        caller.kind === 'admin' ? `admin ${caller.adminId}` : `partner ${caller.partnerId}`,
        body,
      ),
    ),
  ];
}
