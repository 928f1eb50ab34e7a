import { ssoSignInRoutes } from '@portal/contracts';
import { useApiQuery } from '../../../lib/api.ts';

/** Whether the people of a company sign in by single sign-on; of none, and until it is known, not. */
export function useHasSso(partner: { readonly partnerCode: string } | undefined): boolean {
  const { data } = useApiQuery(
    ssoSignInRoutes.checkSso,
    { query: { partnerCode: partner?.partnerCode ?? '' } },
    { enabled: partner !== undefined },
  );
  return data?.useSsoFlag === true;
}
