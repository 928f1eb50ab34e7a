import { identityRoutes } from '@portal/contracts';
import { useApi } from '../lib/api.ts';
import { usePartnerSession } from '../lib/session/use-session.ts';

/** Asks the server whether it would take a password; none at all is fine. */
export function usePasswordCheck(): (password: string) => Promise<boolean> {
  const api = useApi();
  const { partner } = usePartnerSession();
  return async (password) => {
    if (password === '') return true;
    const request = { params: { pid: partner.id }, body: { password } };
    return (await api.call(identityRoutes.validatePassword, request)).valid;
  };
}
