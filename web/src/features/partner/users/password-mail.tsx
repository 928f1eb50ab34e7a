import { identityRoutes } from '@portal/contracts';
import { Mail } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../../lib/api.ts';
import { usePartnerSession } from '../../../lib/session/use-session.ts';
import { useAction } from '../../../lib/use-action.ts';
import { Button } from '../../../ui/button.tsx';
import { useAnnouncer } from '../../../ui/feedback/announcer.tsx';
import { ConfirmDialog } from '../../../ui/feedback/confirm-dialog.tsx';
import { useErrorModal } from '../../../ui/feedback/error-modal.tsx';

/** Mails a user the link to choose a password, after a question. */
export function PasswordMail({ email, id, name }: { id: number; name: string; email: string }) {
  const { t } = useTranslation('users');
  const api = useApi();
  const { partner } = usePartnerSession();
  const { toast } = useAnnouncer();
  const { showError } = useErrorModal();
  const [asking, setAsking] = useState(false);

  const mail = useAction({
    mutationFn: () => api.call(identityRoutes.sendResetMailTo, { params: { pid: partner.id, id } }),
    onSuccess: () => toast({ tone: 'success', message: t('passwordMail.sent') }),
    onError: showError,
    onSettled: () => setAsking(false),
  });

  return (
    <>
      <Button variant="outline" icon={<Mail />} onClick={() => setAsking(true)}>
        {t('passwordMail.send')}
      </Button>
      <ConfirmDialog
        open={asking}
        title={t('passwordMail.title')}
        confirmLabel={t('passwordMail.confirm')}
        tone="accent"
        pending={mail.isPending}
        onConfirm={() => mail.mutate()}
        onCancel={() => setAsking(false)}
      >
        {t('passwordMail.text', { name, email })}
      </ConfirmDialog>
    </>
  );
}
