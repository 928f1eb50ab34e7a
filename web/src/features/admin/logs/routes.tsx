import { NeedsTenant } from '../../../components/needs-tenant.tsx';
import { partnerOperationLogPath } from '../../../components/partner-links.ts';
import { page, withTexts } from '../../../lib/route-page.ts';

export const adminLogPages = withTexts(
  ['operationLogs', 'partners'],
  [
    {
      path: '/admin/operation-logs',
      handle: { needs: 'listAllOperationLogs' },
      ...page(() => import('./log-page.tsx'), 'AdminLogPage'),
    },
    {
      element: <NeedsTenant />,
      children: [
        {
          path: partnerOperationLogPath,
          handle: { needs: 'listOperationLogs' },
          ...page(() => import('./partner-log-page.tsx'), 'PartnerLogPage'),
        },
      ],
    },
  ],
);
