import { chakra, Stack } from '@chakra-ui/react';
import { companyAdminRoutes, deliveryRoutes, type RouteReply } from '@portal/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { approvalOf, useSentForApproval } from '../../../components/effect/use-sent-for-approval.ts';
import { useApi, useApiQuery } from '../../../lib/api.ts';
import { usePartnerSession } from '../../../lib/session/use-session.ts';
import { useAction } from '../../../lib/use-action.ts';
import { Button } from '../../../ui/button.tsx';
import { useAnnouncer } from '../../../ui/feedback/announcer.tsx';
import { ConfirmDialog } from '../../../ui/feedback/confirm-dialog.tsx';
import { useErrorModal } from '../../../ui/feedback/error-modal.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { Link } from '../../../ui/link.tsx';
import { Panel } from '../../../ui/page/panel.tsx';
import { Section } from '../../../ui/page/section.tsx';

interface TwoPeopleProps {
  settings: RouteReply<typeof deliveryRoutes.getDeliverySettings>;
}

/** Whether a second administrator approves what one changes, and the way to change that: off it goes by two people, too. */
export function TwoPeople({ settings }: TwoPeopleProps) {
  const { t } = useTranslation('deliverySettings');
  const api = useApi();
  const queries = useQueryClient();
  const { partner } = usePartnerSession();
  const { toast } = useAnnouncer();
  const { showError } = useErrorModal();
  const tellSent = useSentForApproval();
  const [asking, setAsking] = useState(false);
  const params = { pid: partner.id };
  const admins = useApiQuery(companyAdminRoutes.listCompanyAdmins, { params, query: { perPage: 1 } });
  const isOn = settings.approvalRequired;
  const isAlone = !isOn && admins.data !== undefined && admins.data.totalCount < 2;
  const which = isOn ? 'off' : 'on';

  const change = useAction({
    mutationFn: () =>
      api.call(deliveryRoutes.updateDeliverySettings, {
        params,
        body: { approvalRequired: !isOn },
      }),
    onSuccess(reply) {
      const approvalId = approvalOf(reply);
      if (approvalId === undefined) toast({ tone: 'success', message: t('twoPeople.isOn') });
      else tellSent([approvalId]);
    },
    onError: showError,
    async onSettled() {
      setAsking(false);
      const stale = [deliveryRoutes.getDeliverySettings, companyAdminRoutes.listCompanyAdmins];
      await Promise.all(stale.map(({ id }) => queries.invalidateQueries({ queryKey: [id] })));
    },
  });

  return (
    <Section title={t('twoPeople.title')}>
      <Panel p={{ base: '4', md: '6' }}>
        <Stack gap="4">
          <chakra.p fontWeight="semibold">{t(isOn ? 'twoPeople.stateOn' : 'twoPeople.stateOff')}</chakra.p>
          <chakra.p color="fg.muted">{t('twoPeople.explanation')}</chakra.p>
          <chakra.p color="fg.muted">{t('twoPeople.rule')}</chakra.p>
          {isAlone && (
            <Notice tone="warning">
              {t('twoPeople.alone')} <Link to="/partner/admins/create">{t('twoPeople.addAdmin')}</Link>
            </Notice>
          )}
          <div>
            <Button
              variant={isOn ? 'outline' : 'solid'}
              colorPalette={isOn ? 'danger' : 'accent'}
              disabled={isAlone}
              onClick={() => setAsking(true)}
            >
              {t(`twoPeople.${which}.action`)}
            </Button>
          </div>
        </Stack>
      </Panel>
      <ConfirmDialog
        open={asking}
        title={t(`twoPeople.${which}.title`)}
        confirmLabel={t(`twoPeople.${which}.confirm`)}
        tone={isOn ? 'danger' : 'accent'}
        pending={change.isPending}
        onConfirm={() => change.mutate()}
        onCancel={() => setAsking(false)}
      >
        {t(`twoPeople.${which}.text`)}
      </ConfirmDialog>
    </Section>
  );
}
