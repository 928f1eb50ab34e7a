import { page, withTexts } from '../../../lib/route-page.ts';

export const adminLogPages = withTexts(
  ['operationLogs'],
  [
    {
      path: '/admin/operation-logs',
      handle: { needs: 'createAllOperationLogsCsv' },
      ...page(() => import('./log-page.tsx'), 'AdminLogPage'),
    },
  ],
);
