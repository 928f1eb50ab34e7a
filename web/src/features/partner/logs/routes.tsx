import { page, withTexts } from '../../../lib/route-page.ts';

export const partnerLogPages = withTexts(
  ['operationLogs'],
  [
    {
      path: '/partner/operation-logs',
      handle: { needs: 'listOperationLogs' },
      ...page(() => import('./log-page.tsx'), 'PartnerLogPage'),
    },
  ],
);
