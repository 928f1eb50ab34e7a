import { page, withTexts } from '../../../lib/route-page.ts';

export const adminLogPages = withTexts(
  ['operationLogs'],
  [
    {
      path: '/admin/operation-logs',
      handle: { needs: 'listAllOperationLogs' },
      ...page(() => import('./log-page.tsx'), 'AdminLogPage'),
    },
  ],
);
