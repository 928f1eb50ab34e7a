import { userRoutes } from '@portal/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { countOf, selectionOf } from '../../../components/chosen.ts';
import { useNumberChanged } from '../../../components/use-number-changed.ts';
import { useApi } from '../../../lib/api.ts';
import { useFormat } from '../../../lib/format.ts';
import { usePartnerSession } from '../../../lib/session/use-session.ts';
import { useAction } from '../../../lib/use-action.ts';
import { useAnnouncer } from '../../../ui/feedback/announcer.tsx';
import { ConfirmDialog } from '../../../ui/feedback/confirm-dialog.tsx';
import { useErrorModal } from '../../../ui/feedback/error-modal.tsx';
import type { BulkDialogProps } from './change-groups.tsx';

/** Mails those selected who have no password yet the link to choose one again, after a question. */
export function SetupMails({ chosen, filter, onClose, onDone }: BulkDialogProps) {
  const { t } = useTranslation('users');
  const { number } = useFormat();
  const api = useApi();
  const client = useQueryClient();
  const { partner } = usePartnerSession();
  const { toast } = useAnnouncer();
  const { showError } = useErrorModal();
  const isNumberChanged = useNumberChanged([userRoutes.listUsers.id], onDone);

  const mail = useAction({
    mutationFn: () =>
      api.call(userRoutes.sendSetupMails, {
        params: { pid: partner.id },
        body: selectionOf(chosen, filter),
      }),
    async onSuccess({ count, skipped }) {
      const counts = { count: number(count), skipped: number(skipped) };
      if (skipped === 0) toast({ tone: 'success', message: t('setupMails.sent', counts) });
      // Why they were skipped takes longer to read than a success stays.
      else toast({ tone: 'warning', message: t('setupMails.skipped', counts) });
      onDone();
      await client.invalidateQueries({ queryKey: [userRoutes.listUsers.id] });
    },
    onError: (error) => isNumberChanged(error) || showError(error),
    onSettled: onClose,
  });

  return (
    <ConfirmDialog
      open
      title={t('setupMails.title')}
      confirmLabel={t('setupMails.confirm')}
      tone="accent"
      pending={mail.isPending}
      onConfirm={() => mail.mutate()}
      onCancel={onClose}
    >
      {t('setupMails.text', { count: number(countOf(chosen)) })}
    </ConfirmDialog>
  );
}
