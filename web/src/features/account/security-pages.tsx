import { chakra, Stack } from '@chakra-ui/react';
import { twoFactorRoutes } from '@portal/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useTwoFactor } from '../../components/account/own-account.ts';
import { twoFactorPath } from '../../components/account-paths.ts';
import { useApi, useApiQuery } from '../../lib/api.ts';
import { useAdminSession, usePartnerSession, useSignedIn } from '../../lib/session/use-session.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { useAnnouncer } from '../../ui/feedback/announcer.tsx';
import { ConfirmDialog } from '../../ui/feedback/confirm-dialog.tsx';
import { useErrorModal } from '../../ui/feedback/error-modal.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { DetailSkeleton, ErrorState } from '../../ui/feedback/states.tsx';
import { Link } from '../../ui/link.tsx';
import { PageHeader } from '../../ui/page/page-header.tsx';
import { Panel } from '../../ui/page/panel.tsx';
import { Section } from '../../ui/page/section.tsx';

export function PartnerSecurityPage() {
  const api = useApi();
  const { partner } = usePartnerSession();
  const params = { pid: partner.id };
  const { getSecuritySettings, updateSecuritySettings } = twoFactorRoutes;
  return (
    <SecuritySettings
      query={useApiQuery(getSecuritySettings, { params })}
      queryId={getSecuritySettings.id}
      save={(body) => api.call(updateSecuritySettings, { params, body })}
    />
  );
}

export function AdminSecurityPage() {
  useAdminSession();
  const api = useApi();
  const { getPlatformSecuritySettings, updatePlatformSecuritySettings } = twoFactorRoutes;
  return (
    <SecuritySettings
      query={useApiQuery(getPlatformSecuritySettings, {})}
      queryId={getPlatformSecuritySettings.id}
      save={(body) => api.call(updatePlatformSecuritySettings, { body })}
    />
  );
}

interface Settings {
  twoFactorRequired: boolean;
}

interface SecuritySettingsProps {
  query: ReturnType<typeof useApiQuery<typeof twoFactorRoutes.getPlatformSecuritySettings>>;
  queryId: string;
  save: (settings: Settings) => Promise<unknown>;
}

function SecuritySettings({ query, queryId, save }: SecuritySettingsProps) {
  const { t } = useTranslation(['account', 'shell']);
  const { kind } = useSignedIn();
  return (
    <>
      <PageHeader
        title={t('shell:nav.security')}
        crumbs={[{ label: t('shell:home'), to: `/${kind}/menu` }, { label: t('shell:nav.security') }]}
      />
      <chakra.div maxW="form">
        <Section title={t('twoFactor.title')}>
          <Panel p="5">
            {query.data && (
              <Requirement required={query.data.twoFactorRequired} queryId={queryId} save={save} />
            )}
            {!query.data && query.error && (
              <ErrorState error={query.error} onRetry={() => void query.refetch()} />
            )}
            {!query.data && !query.error && <DetailSkeleton rows={3} />}
          </Panel>
        </Section>
      </chakra.div>
    </>
  );
}

interface RequirementProps extends Pick<SecuritySettingsProps, 'queryId' | 'save'> {
  required: boolean;
}

/** Whether everybody needs two factors, and the change of it with what follows. */
function Requirement({ required, queryId, save }: RequirementProps) {
  const { t } = useTranslation('account');
  const { kind } = useSignedIn();
  const queries = useQueryClient();
  const { toast } = useAnnouncer();
  const { showError } = useErrorModal();
  const own = useTwoFactor();
  const [asking, setAsking] = useState(false);
  const change = useAction({
    mutationFn: () => save({ twoFactorRequired: !required }),
    async onSuccess() {
      await Promise.all([queries.invalidateQueries({ queryKey: [queryId] }), own.refetch()]);
      toast({ tone: 'success', message: t(required ? 'security.isFree' : 'security.isRequired') });
    },
    onError: showError,
    onSettled: () => setAsking(false),
  });
  const which = required ? 'free' : 'require';
  return (
    <Stack gap="4">
      <chakra.p fontWeight="semibold">
        {t(required ? `security.required.${kind}` : `security.notRequired.${kind}`)}
      </chakra.p>
      <chakra.p color="fg.muted">{t(`security.consequence.${kind}`)}</chakra.p>
      {own.data && !own.data.enabled && (
        <Notice tone="warning">
          {t('security.ownMissing')} <Link to={twoFactorPath(kind)}>{t('twoFactor.turnOn')}</Link>
        </Notice>
      )}
      <div>
        <Button
          variant={required ? 'outline' : 'solid'}
          colorPalette={required ? 'danger' : 'accent'}
          onClick={() => setAsking(true)}
        >
          {t(`security.${which}.action`)}
        </Button>
      </div>
      <ConfirmDialog
        open={asking}
        title={t(`security.${which}.title`)}
        confirmLabel={t(`security.${which}.action`)}
        tone={required ? 'danger' : 'accent'}
        pending={change.isPending}
        onConfirm={() => change.mutate()}
        onCancel={() => setAsking(false)}
      >
        {t(`security.${which}.text.${kind}`)}
      </ConfirmDialog>
    </Stack>
  );
}
