import { batchRoutes } from '@portal/contracts';
import type { RouteObject } from 'react-router-dom';
import { page } from '../../../lib/route-page.ts';

export const partnerLogPages: RouteObject[] = [
  {
    path: '/partner/operation-logs',
    handle: { needs: batchRoutes.createOperationLogsCsv },
    ...page(() => import('./log-page.tsx'), 'PartnerLogPage'),
  },
];
