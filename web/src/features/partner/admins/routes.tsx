import { companyAdminRoutes } from '@portal/contracts';
import type { RouteObject } from 'react-router-dom';
import { page } from '../../../lib/route-page.ts';
import { FlowRoute } from '../../../ui/flow/flow.tsx';
import { adminCreateFlow, adminEditFlow } from './admin-flows.ts';

export const companyAdminPages: RouteObject[] = [
  {
    path: '/partner/admins',
    handle: { needs: companyAdminRoutes.listCompanyAdmins },
    ...page(() => import('./list-page.tsx'), 'CompanyAdminListPage'),
  },
  {
    element: <FlowRoute flow={adminCreateFlow} />,
    handle: { needs: companyAdminRoutes.createCompanyAdmin },
    children: [
      { path: '/partner/admins/create', ...page(() => import('./create-pages.tsx'), 'AdminCreatePage') },
      {
        path: '/partner/admins/confirm',
        ...page(() => import('./create-pages.tsx'), 'AdminCreateConfirmPage'),
      },
      {
        path: '/partner/admins/complete',
        ...page(() => import('./create-pages.tsx'), 'AdminCreateCompletePage'),
      },
    ],
  },
  {
    element: <FlowRoute flow={adminEditFlow} />,
    handle: { needs: companyAdminRoutes.updateCompanyAdmin },
    children: [
      { path: '/partner/admins/edit', ...page(() => import('./edit-pages.tsx'), 'AdminEditPage') },
      {
        path: '/partner/admins/edit/confirm',
        ...page(() => import('./edit-pages.tsx'), 'AdminEditConfirmPage'),
      },
      {
        path: '/partner/admins/edit/complete',
        ...page(() => import('./edit-pages.tsx'), 'AdminEditCompletePage'),
      },
    ],
  },
];
