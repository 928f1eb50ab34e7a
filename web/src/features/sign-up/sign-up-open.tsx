import { chakra } from '@chakra-ui/react';
import { type RouteReply, signUpRoutes } from '@portal/contracts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useApiQuery } from '../../lib/api.ts';
import { partnerLoginPath } from '../../lib/partner-code.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { ErrorState, PageSpinner } from '../../ui/feedback/states.tsx';
import { Link } from '../../ui/link.tsx';

export interface OpenSignUp extends Pick<RouteReply<typeof signUpRoutes.getSignUpSettings>, 'termsUrl'> {
  readonly signupKey: string;
}

/** Shows `children` where people may sign up, and else that they may not. */
export function WhereOpen({ children }: { children: (settings: OpenSignUp) => ReactNode }) {
  const { t } = useTranslation('signUp');
  const { data, error, refetch } = useApiQuery(signUpRoutes.getSignUpSettings, {});
  if (!data) return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <PageSpinner />;
  const { signupKey, termsUrl } = data;
  if (signupKey !== null) return children({ signupKey, termsUrl });
  return (
    <>
      <Notice tone="warning">{t('off')}</Notice>
      <chakra.p mt="6">
        <Link to={partnerLoginPath()}>{t('toLogin')}</Link>
      </chakra.p>
    </>
  );
}
