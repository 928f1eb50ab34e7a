import { Badge } from '@chakra-ui/react';
import type { approvalRoutes, RouteReply } from '@portal/contracts';
import { useTranslation } from 'react-i18next';

export type Approval = RouteReply<typeof approvalRoutes.getApproval>;

const tones: Readonly<Record<Approval['state'], string>> = {
  waiting: 'warning',
  approved: 'success',
  declined: 'danger',
  expired: 'gray',
  stale: 'gray',
};

/** Whether who asked has taken it back. */
export const isTakenBack = ({ by, decidedBy, state }: Approval): boolean =>
  state === 'declined' && decidedBy?.id === by.id;

export function ApprovalState({ approval }: { approval: Approval }) {
  const { t } = useTranslation('approvals');
  const { state } = approval;
  return (
    <Badge colorPalette={isTakenBack(approval) ? 'gray' : tones[state]}>
      {isTakenBack(approval) ? t('takenBack') : t(`states.${state}`)}
    </Badge>
  );
}

/** What is asked for, by the name of the file. */
export function useApprovalName(): (approval: Approval) => string {
  const { t } = useTranslation('approvals');
  return ({ file, what }) =>
    file ? t('named', { what: t(`what.${what}`), name: file.name }) : t(`what.${what}`);
}
