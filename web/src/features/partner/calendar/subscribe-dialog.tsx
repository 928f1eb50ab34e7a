import { Box, chakra } from '@chakra-ui/react';
import { calendarRoutes } from '@portal/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { Ban, Link2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ShownOnceDialog } from '../../../components/shown-once-dialog.tsx';
import { useApi, useApiQuery } from '../../../lib/api.ts';
import { useFormat } from '../../../lib/format.ts';
import { usePartnerSession } from '../../../lib/session/use-session.ts';
import { useAction } from '../../../lib/use-action.ts';
import { Button } from '../../../ui/button.tsx';
import { useAnnouncer } from '../../../ui/feedback/announcer.tsx';
import { ConfirmDialog } from '../../../ui/feedback/confirm-dialog.tsx';
import { Dialog } from '../../../ui/feedback/dialog.tsx';
import { useErrorModal } from '../../../ui/feedback/error-modal.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { DetailSkeleton, ErrorState } from '../../../ui/feedback/states.tsx';
import { DescriptionList } from '../../../ui/page/description-list.tsx';

/** The address under which a calendar program finds the calendar: made, renewed and revoked here, and shown once. */
export function SubscribeDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['calendar', 'ui']);
  const api = useApi();
  const queries = useQueryClient();
  const { dateTime } = useFormat();
  const { partner } = usePartnerSession();
  const { toast } = useAnnouncer();
  const { showError } = useErrorModal();
  const [url, setUrl] = useState<string>();
  const [asking, setAsking] = useState<'renew' | 'revoke'>();
  const params = { pid: partner.id };
  const { data, error, refetch } = useApiQuery(calendarRoutes.getCalendarToken, { params });
  const isNone = error?.status === 404;
  const changed = async () => queries.resetQueries({ queryKey: [calendarRoutes.getCalendarToken.id] });
  const making = useAction({
    mutationFn: () => api.call(calendarRoutes.createCalendarToken, { params }),
    async onSuccess(made) {
      setAsking(undefined);
      setUrl(made.url);
      await changed();
    },
    onError(failure) {
      setAsking(undefined);
      showError(failure);
    },
  });
  const revoking = useAction({
    mutationFn: () => api.call(calendarRoutes.deleteCalendarToken, { params }),
    async onSuccess() {
      setAsking(undefined);
      toast({ tone: 'success', message: t('subscribe.revoked') });
      await changed();
    },
    onError(failure) {
      setAsking(undefined);
      showError(failure);
    },
  });
  if (url !== undefined) {
    return (
      <ShownOnceDialog
        title={t('subscribe.made')}
        text={t('subscribe.madeText')}
        value={url}
        label={t('subscribe.url')}
        copyLabel={t('subscribe.copy')}
        doneLabel={t('subscribe.done')}
        leaving={{
          title: t('subscribe.leaveTitle'),
          text: t('subscribe.leaveText'),
          leaveLabel: t('subscribe.leave'),
        }}
        onClose={onClose}
      />
    );
  }
  if (asking) {
    return (
      <ConfirmDialog
        open
        title={t(`subscribe.${asking}Title`)}
        confirmLabel={t(`subscribe.${asking}`)}
        tone={asking === 'renew' ? 'accent' : 'danger'}
        pending={making.isPending || revoking.isPending}
        onConfirm={() => (asking === 'renew' ? making.mutate() : revoking.mutate())}
        onCancel={() => setAsking(undefined)}
      >
        {t(`subscribe.${asking}Text`)}
      </ConfirmDialog>
    );
  }
  return (
    <Dialog
      open
      // What is made is shown once: it is too late to cancel.
      persistent={making.isPending}
      title={t('subscribe.title')}
      width="36rem"
      onClose={onClose}
      actions={
        <>
          <Button variant="outline" colorPalette="gray" disabled={making.isPending} onClick={onClose}>
            {t('ui:close')}
          </Button>
          {data && (
            <Button
              variant="outline"
              colorPalette="danger"
              icon={<Ban />}
              onClick={() => setAsking('revoke')}
            >
              {t('subscribe.revoke')}
            </Button>
          )}
          {(data || isNone) && (
            <Button
              icon={<Link2 />}
              pending={making.isPending}
              onClick={() => (data ? setAsking('renew') : making.mutate())}
            >
              {data ? t('subscribe.renew') : t('subscribe.create')}
            </Button>
          )}
        </>
      }
    >
      <chakra.p mb="3">{t('subscribe.lead')}</chakra.p>
      <Notice tone="info">{t('subscribe.secret')}</Notice>
      <Box mt="3">
        {isNone && <p>{t('subscribe.none')}</p>}
        {error && !isNone && <ErrorState error={error} onRetry={() => void refetch()} />}
        {!error && !data && <DetailSkeleton rows={2} />}
        {data && !error && (
          <Box mx="-5">
            <DescriptionList
              items={[
                { label: t('subscribe.createdAt'), value: dateTime(data.createdAt) },
                {
                  label: t('subscribe.lastUsedAt'),
                  value: data.lastUsedAt === null ? t('subscribe.neverUsed') : dateTime(data.lastUsedAt),
                },
              ]}
            />
          </Box>
        )}
      </Box>
    </Dialog>
  );
}
