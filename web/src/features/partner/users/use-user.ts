import { userRoutes } from '@portal/contracts';
import { useSearchParams } from 'react-router-dom';
import { useTenant } from '../../../components/tenant.ts';
import { useApiQuery } from '../../../lib/api.ts';
import { idOf } from '../../../lib/edit-link.ts';

/** The user whose `id` stands in the address. */
export function useUser() {
  const { id: pid } = useTenant();
  const [params] = useSearchParams();
  return useApiQuery(userRoutes.getUser, { params: { pid, id: idOf(params) } });
}
