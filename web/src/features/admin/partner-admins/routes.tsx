import type { RouteObject } from 'react-router-dom';
import { NeedsTenantOf } from '../../../components/needs-tenant.tsx';
import { recordRoutes } from '../../../components/record/record-routes.tsx';
import { partnerAdminPaths } from './admin-paths.ts';

const pages = recordRoutes({
  paths: partnerAdminPaths,
  texts: ['companyAdmins', 'users', 'partners'],
  needs: { list: 'listPartnerAdmins', create: 'createPartnerAdmin', update: 'updatePartnerAdmin' },
  memoryOnly: ['password'],
  load: () => import('./admin-record.tsx'),
});

export const partnerAdminPages: RouteObject = {
  element: <NeedsTenantOf paths={partnerAdminPaths} />,
  children: [pages],
};
