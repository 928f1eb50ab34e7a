import { userRoutes } from '@portal/contracts';
import { useSearchParams } from 'react-router-dom';
import { useApiQuery } from '../../../lib/api.ts';
import { idOf } from '../../../lib/edit-link.ts';
import { usePartnerSession } from '../../../lib/session/use-session.ts';

/** The group whose `id` stands in the address. */
export function useGroup() {
  const { partner } = usePartnerSession();
  const [params] = useSearchParams();
  return useApiQuery(userRoutes.getGroup, { params: { pid: partner.id, id: idOf(params) } });
}
