import { page, withTexts } from '../../../lib/route-page.ts';

export const partnerLogPages = withTexts(
  ['operationLogs'],
  [
    {
      path: '/partner/operation-logs',
      handle: { needs: 'createOperationLogsCsv' },
      ...page(() => import('./log-page.tsx'), 'PartnerLogPage'),
    },
  ],
);
