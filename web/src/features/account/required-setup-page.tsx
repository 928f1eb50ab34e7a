import { identityRoutes } from '@portal/contracts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useTwoFactor } from '../../components/account/own-account.ts';
import { TwoFactorSetup } from '../../components/account/two-factor-setup.tsx';
import { useApi } from '../../lib/api.ts';
import { useSessionStore, useSignedIn } from '../../lib/session/use-session.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { useErrorModal } from '../../ui/feedback/error-modal.tsx';
import { LeaveQuestion } from '../../ui/feedback/leave-question.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { ErrorState, PageSpinner } from '../../ui/feedback/states.tsx';
import { PageHeader } from '../../ui/page/page-header.tsx';
import { Panel } from '../../ui/page/panel.tsx';

/** The page of somebody who may do nothing else before two factors are set up. */
export function RequiredSetupPage() {
  const { t } = useTranslation('account');
  return (
    <>
      <LeaveQuestion />
      <PageHeader title={t('required.title')} lead={t(`required.lead.${useSignedIn().kind}`)} />
      <Panel p={{ base: '4', md: '6' }}>
        <RequiredSetup />
      </Panel>
    </>
  );
}

/** The set-up, after which the session is a whole one. */
export function RequiredSetup() {
  const { t } = useTranslation('account');
  const api = useApi();
  const store = useSessionStore();
  const { showError } = useErrorModal();
  const query = useTwoFactor();
  const [wasOff, setWasOff] = useState(false);
  if (query.data && !query.data.enabled && !wasOff) setWasOff(true);

  const goOn = useAction({
    async mutationFn() {
      const { accessToken, expiresIn } = await api.call(identityRoutes.refreshToken, {});
      await store.renew(accessToken, expiresIn, true);
    },
    onError: showError,
  });

  if (query.error && !query.data)
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <PageSpinner />;
  // Done before, in another tab or before a reload.
  if (query.data.enabled && !wasOff) {
    return (
      <>
        <Notice tone="success">{t('required.already')}</Notice>
        <Button mt="4" size="md" pending={goOn.isPending} onClick={() => goOn.mutate()}>
          {t('required.goOn')}
        </Button>
      </>
    );
  }
  return (
    <TwoFactorSetup doneLabel={t('required.goOn')} pending={goOn.isPending} onDone={() => goOn.mutate()} />
  );
}
