import { tenantRoutes } from '@portal/contracts';
import type { RouteObject } from 'react-router-dom';
import { page } from '../../../lib/route-page.ts';

export const unitPages: RouteObject[] = [
  {
    path: '/admin/outsourcing',
    handle: { needs: tenantRoutes.listUnits },
    ...page(() => import('./list-page.tsx'), 'UnitListPage'),
  },
];
