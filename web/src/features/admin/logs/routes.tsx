import { batchRoutes } from '@portal/contracts';
import type { RouteObject } from 'react-router-dom';
import { page } from '../../../lib/route-page.ts';

export const adminLogPages: RouteObject[] = [
  {
    path: '/admin/operation-logs',
    handle: { needs: batchRoutes.createAllOperationLogsCsv },
    ...page(() => import('./log-page.tsx'), 'AdminLogPage'),
  },
];
