import { tenantRoutes } from '@portal/contracts';
import type { RouteObject } from 'react-router-dom';
import { page } from '../../../lib/route-page.ts';

export const summaryPages: RouteObject[] = [
  {
    path: '/partner/summary',
    handle: { needs: tenantRoutes.getSummary },
    ...page(() => import('./summary-page.tsx'), 'SummaryPage'),
  },
];
