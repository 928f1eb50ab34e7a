import { approvalsPath } from '../../../components/approval-paths.ts';
import { page, withTexts } from '../../../lib/route-page.ts';

export const approvalPages = withTexts(
  ['approvals', 'effect', 'rollout', 'groups'],
  [
    {
      path: approvalsPath,
      handle: { needs: 'listApprovals' },
      ...page(() => import('./list-page.tsx'), 'ApprovalListPage'),
    },
    {
      path: `${approvalsPath}/detail`,
      handle: { needs: 'getApproval' },
      ...page(() => import('./detail-page.tsx'), 'ApprovalDetailPage'),
    },
  ],
);
