import { createHash } from 'node:crypto';
import { formatNullableDateTime, tenantRoutes } from '@portal/contracts';
import { AppError, fieldError } from '@portal/kernel';
import { type Implementation, implement, type Store } from '@portal/service-kit';
import type { TenantDb } from '../data/db.ts';
import { listLicenceChanges } from '../data/licence-change-views.ts';
import { licenceOfCode } from '../data/partner-views.ts';
import { exportLicenceChanges } from '../use-cases/export-licence-changes.ts';

const fileName = 'license_updated_logs.csv';

export function licenceRoutes(deps: { store: Store<TenantDb> }): Implementation[] {
  const { store } = deps;
  return [
    implement(tenantRoutes.listLicenceChanges, async ({ query }, { scope }) =>
      store.read(scope, (db) => listLicenceChanges(db, query)),
    ),

    implement(tenantRoutes.listPartnerLicenceChanges, async ({ params, query }, { scope }) =>
      store.read(scope, (db) => listLicenceChanges(db, { ...query, partnerId: params.pid })),
    ),

    implement(tenantRoutes.exportLicenceChanges, async ({ query }, { scope }) => ({
      content: await exportLicenceChanges(deps, scope, query),
      fileName,
    })),

    implement(tenantRoutes.exportPartnerLicenceChanges, async ({ params, query }, { scope }) => ({
      content: await exportLicenceChanges(deps, scope, { ...query, partnerId: params.pid }),
      fileName,
    })),

    implement(tenantRoutes.checkLicence, async ({ query }, { systemScope }) => {
      const { key, partnerCode } = query;
      if (key !== createHash('md5').update(partnerCode).digest('hex')) {
        throw fieldError('E40002', 'key', 'invalidValue');
      }
      const scope = systemScope('a program knows a partner by its code');
      const licence = await store.read(scope, (db) => licenceOfCode(db, partnerCode));
      if (!licence) throw new AppError('E40402');
      return { ...licence, licenseExpiredOn: formatNullableDateTime(licence.licenseExpiredOn) };
    }),
  ];
}
