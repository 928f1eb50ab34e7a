import { userRoutes } from '@portal/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { Mail } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../../lib/api.ts';
import { useFormat } from '../../../lib/format.ts';
import { usePartnerSession } from '../../../lib/session/use-session.ts';
import { useAction } from '../../../lib/use-action.ts';
import { Button } from '../../../ui/button.tsx';
import { useAnnouncer } from '../../../ui/feedback/announcer.tsx';
import { ConfirmDialog } from '../../../ui/feedback/confirm-dialog.tsx';
import { useErrorModal } from '../../../ui/feedback/error-modal.tsx';

/** Mails those selected who have no password yet the link to choose one again, after a question. */
export function SetupMails({ ids, onSent }: { ids: readonly number[]; onSent: () => void }) {
  const { t } = useTranslation('users');
  const { number } = useFormat();
  const api = useApi();
  const client = useQueryClient();
  const { partner } = usePartnerSession();
  const { toast } = useAnnouncer();
  const { showError } = useErrorModal();
  const [asking, setAsking] = useState(false);

  const mail = useAction({
    mutationFn: () =>
      api.call(userRoutes.sendSetupMails, { params: { pid: partner.id }, body: { ids: [...ids] } }),
    async onSuccess({ count, skipped }) {
      const counts = { count: number(count), skipped: number(skipped) };
      toast({
        tone: 'success',
        message: t(skipped === 0 ? 'setupMails.sent' : 'setupMails.skipped', counts),
      });
      onSent();
      await client.invalidateQueries({ queryKey: [userRoutes.listUsers.id] });
    },
    onError: showError,
    onSettled: () => setAsking(false),
  });

  return (
    <>
      <Button size="xs" variant="outline" icon={<Mail />} onClick={() => setAsking(true)}>
        {t('setupMails.send')}
      </Button>
      <ConfirmDialog
        open={asking}
        title={t('setupMails.title')}
        confirmLabel={t('setupMails.confirm')}
        tone="accent"
        pending={mail.isPending}
        onConfirm={() => mail.mutate()}
        onCancel={() => setAsking(false)}
      >
        {t('setupMails.text', { count: number(ids.length) })}
      </ConfirmDialog>
    </>
  );
}
