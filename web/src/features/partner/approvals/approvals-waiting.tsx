import { chakra, VisuallyHidden } from '@chakra-ui/react';
import { approvalRoutes } from '@portal/contracts';
import { useTranslation } from 'react-i18next';
import { useApiQuery } from '../../../lib/api.ts';
import { useFormat } from '../../../lib/format.ts';
import { usePartnerSession } from '../../../lib/session/use-session.ts';

/** Milliseconds between two looks; a notice of a request tells sooner. */
const refetchEvery = 60_000;

/** How many changes wait for an administrator, beside the way to them. */
export function ApprovalsWaiting() {
  const { t } = useTranslation('shell');
  const { number } = useFormat();
  const { partner } = usePartnerSession();
  const { data } = useApiQuery(
    approvalRoutes.listApprovals,
    { params: { pid: partner.id }, query: { state: 'waiting', perPage: 1 } },
    { refetchInterval: refetchEvery },
  );
  if (!data || data.totalCount === 0) return null;
  const count = number(data.totalCount);
  return (
    <chakra.span
      ms="auto"
      px="1.5"
      borderRadius="full"
      bg="accent.solid"
      color="accent.contrast"
      fontSize="xs"
      fontVariantNumeric="tabular-nums"
    >
      <span aria-hidden>{count}</span>
      <VisuallyHidden>{t('waiting', { count: data.totalCount })}</VisuallyHidden>
    </chakra.span>
  );
}
