import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useNavigate } from 'react-router-dom';
import { useTwoFactor } from '../../components/account/own-account.ts';
import { TwoFactorSetup } from '../../components/account/two-factor-setup.tsx';
import { accountPath } from '../../components/account-paths.ts';
import { useSignedIn } from '../../lib/session/use-session.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { useAnnouncer } from '../../ui/feedback/announcer.tsx';
import { PageHeader } from '../../ui/page/page-header.tsx';
import { Panel } from '../../ui/page/panel.tsx';

/** Turns two factors on. Who has them already is led back to the account. */
export function TwoFactorPage() {
  const { t } = useTranslation(['account', 'shell', 'ui']);
  const navigate = useNavigate();
  const { toast } = useAnnouncer();
  const { kind } = useSignedIn();
  const account = accountPath(kind);
  const { data, isFetchedAfterMount } = useTwoFactor();
  const [wasOff, setWasOff] = useState(false);
  if (data && !data.enabled && !wasOff) setWasOff(true);
  if (data?.enabled && isFetchedAfterMount && !wasOff) return <Navigate to={account} replace />;
  return (
    <>
      <PageHeader
        title={t('twoFactor.turnOn')}
        crumbs={[
          { label: t('shell:home'), to: `/${kind}/menu` },
          { label: t('title'), to: account },
          { label: t('twoFactor.turnOn') },
        ]}
      />
      <Panel maxW="form" p={{ base: '4', md: '6' }}>
        <TwoFactorSetup
          doneLabel={t('setup.done')}
          onDone={() => {
            toast({ tone: 'success', message: t('setup.isOn') });
            void navigate(account, { replace: true });
          }}
          cancel={
            <ButtonLink to={account} size="md" variant="outline" colorPalette="gray">
              {t('ui:cancel')}
            </ButtonLink>
          }
        />
      </Panel>
    </>
  );
}
