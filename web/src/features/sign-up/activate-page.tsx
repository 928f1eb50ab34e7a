import { Flex } from '@chakra-ui/react';
import { ApiError } from '@portal/api-client';
import { signUpRoutes } from '@portal/contracts';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router-dom';
import { asApiError, useApi } from '../../lib/api.ts';
import { partnerLoginPath, rememberPartnerCode } from '../../lib/partner-code.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { ErrorState, PageSpinner } from '../../ui/feedback/states.tsx';
import { CompletePage } from '../../ui/page/complete-page.tsx';
import { PageHeader } from '../../ui/page/page-header.tsx';

type Outcome = { readonly partnerCode: string } | { readonly error: ApiError };

/** Each link once, however often the page is rendered: the second use would find it used. */
const outcomes = new Map<string, Promise<Outcome>>();

/** Where the link of the mail leads: the company is usable from then on. */
export function ActivatePage() {
  const { t } = useTranslation('signUp');
  const { search } = useLocation();
  const navigate = useNavigate();
  const api = useApi();
  const [token] = useState(() => new URLSearchParams(search).get('token') ?? '');
  const [outcome, setOutcome] = useState<Outcome>();
  const [tries, setTries] = useState(0);

  useEffect(() => {
    // Neither seen nor kept in a history of addresses.
    void navigate('/signup/activate', { replace: true });
    if (token === '') return undefined;
    let isShown = true;
    const activation =
      outcomes.get(token) ??
      api
        .call(signUpRoutes.activateSignUp, { body: { token } })
        .catch((error: unknown) => ({ error: asApiError(error) }));
    outcomes.set(token, activation);
    void activation.then((done) => {
      if ('partnerCode' in done) rememberPartnerCode(done.partnerCode);
      else if (done.error.code !== 'E40004') outcomes.delete(token);
      if (isShown) setOutcome(done);
    });
    return () => {
      isShown = false;
    };
  }, [api, navigate, token, tries]);

  if (outcome && 'partnerCode' in outcome) {
    return (
      <CompletePage
        title={t('activation.title')}
        message={t('activation.done')}
        notes={[t('code', { code: outcome.partnerCode })]}
        next={<ButtonLink to={partnerLoginPath()}>{t('toLogin')}</ButtonLink>}
      />
    );
  }
  if (token === '' || outcome?.error.code === 'E40004') {
    return (
      <>
        <PageHeader title={t('activation.over')} />
        <Notice tone="warning">{t('activation.overMessage')}</Notice>
        <Flex mt="6" gap="2" wrap="wrap">
          <ButtonLink to={partnerLoginPath()}>{t('toLogin')}</ButtonLink>
        </Flex>
      </>
    );
  }
  return (
    <>
      <PageHeader title={t('activation.title')} />
      {outcome ? (
        <ErrorState
          error={outcome.error}
          onRetry={() => {
            setOutcome(undefined);
            setTries(tries + 1);
          }}
        />
      ) : (
        <PageSpinner />
      )}
    </>
  );
}
