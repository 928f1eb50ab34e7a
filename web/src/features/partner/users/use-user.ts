import { userRoutes } from '@portal/contracts';
import { useSearchParams } from 'react-router-dom';
import { useApiQuery } from '../../../lib/api.ts';
import { idOf } from '../../../lib/edit-link.ts';
import { usePartnerSession } from '../../../lib/session/use-session.ts';

/** The user whose `id` stands in the address. */
export function useUser() {
  const { partner } = usePartnerSession();
  const [params] = useSearchParams();
  return useApiQuery(userRoutes.getUser, { params: { pid: partner.id, id: idOf(params) } });
}
