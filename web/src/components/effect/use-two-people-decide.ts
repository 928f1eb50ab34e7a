import { deliveryRoutes } from '@portal/contracts';
import { useApiQuery } from '../../lib/api.ts';
import { useMay, usePartnerSession } from '../../lib/session/use-session.ts';

/** Whether changes of what people get wait for a second administrator; until that is known they do not. */
export function useTwoPeopleDecide(): boolean {
  const may = useMay();
  const { partner } = usePartnerSession();
  const settings = useApiQuery(
    deliveryRoutes.getDeliverySettings,
    { params: { pid: partner.id } },
    { enabled: may('getDeliverySettings') },
  );
  return settings.data?.approvalRequired ?? false;
}
