import { chakra, VisuallyHidden } from '@chakra-ui/react';
import { approvalRoutes } from '@portal/contracts';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApiQuery } from '../../../lib/api.ts';
import { useFormat } from '../../../lib/format.ts';
import { usePartnerSession } from '../../../lib/session/use-session.ts';

/** Milliseconds in which a browser's few connections to the server are the first screen's. */
const beginAfter = 3_000;
/** Milliseconds between two looks; a notice of a request tells sooner. */
const refetchEvery = 60_000;

/** How many changes wait for an administrator, beside the way to them. */
export function ApprovalsWaiting() {
  const { t } = useTranslation('shell');
  const { number } = useFormat();
  const { partner } = usePartnerSession();
  const [isBegun, setIsBegun] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsBegun(true), beginAfter);
    return () => clearTimeout(timer);
  }, []);
  const { data } = useApiQuery(
    approvalRoutes.listApprovals,
    { params: { pid: partner.id }, query: { state: 'waiting', perPage: 1 } },
    { enabled: isBegun, refetchInterval: refetchEvery },
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
