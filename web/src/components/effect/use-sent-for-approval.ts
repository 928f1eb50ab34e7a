import { approvalRoutes } from '@portal/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { usePartnerSession } from '../../lib/session/use-session.ts';
import { useAnnouncer } from '../../ui/feedback/announcer.tsx';
import { approvalLink, approvalsPath } from '../approval-paths.ts';

/** The answer to a change that became a request. */
export interface Sent {
  readonly approvalId: number;
}

/** The request that a change became, where two people decide. */
export const approvalOf = (reply: object | undefined): number | undefined =>
  reply && 'approvalId' in reply && typeof reply.approvalId === 'number' ? reply.approvalId : undefined;

/** Says that changes were sent for approval, and leads to them. */
export function useSentForApproval(): (ids: readonly number[]) => void {
  const { t } = useTranslation('effect');
  const { partner } = usePartnerSession();
  const { toast } = useAnnouncer();
  const navigate = useNavigate();
  const queries = useQueryClient();
  return (ids) => {
    // No notice tells of them whoever asked.
    void queries.invalidateQueries({ queryKey: [approvalRoutes.listApprovals.id] });
    const [only] = ids.length === 1 ? ids : [];
    const close = toast({
      // It stays: what was meant to happen has not.
      tone: 'warning',
      message: only === undefined ? t('askedMany', { count: ids.length }) : t('asked'),
      action: {
        label: t(only === undefined ? 'toApprovals' : 'toApproval'),
        onPress() {
          close();
          void navigate(only === undefined ? approvalsPath : approvalLink(only, partner.name));
        },
      },
    });
  };
}
