import { sessionRoutes, twoFactorRoutes, userRoutes } from '@portal/contracts';
import { LogOut, ShieldOff } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useTenant } from '../../../components/tenant.ts';
import { RemoveTwoFactor } from '../../../components/users/remove-two-factor.tsx';
import type { UserDetail } from '../../../components/users/user.ts';
import { useApi } from '../../../lib/api.ts';
import { useMay } from '../../../lib/session/use-session.ts';
import { useAction } from '../../../lib/use-action.ts';
import { Button } from '../../../ui/button.tsx';
import { useAnnouncer } from '../../../ui/feedback/announcer.tsx';
import { ConfirmDialog } from '../../../ui/feedback/confirm-dialog.tsx';
import { useErrorModal } from '../../../ui/feedback/error-modal.tsx';

/** What an admin does about how somebody else signs in. */
export function SignInActions({ user }: { user: UserDetail }) {
  const { t } = useTranslation('users');
  const may = useMay();
  const api = useApi();
  const { id: pid } = useTenant();
  const { toast } = useAnnouncer();
  const { showError } = useErrorModal();
  const [asking, setAsking] = useState<'sessions' | 'twoFactor'>();
  const close = () => setAsking(undefined);
  const params = { pid, id: user.id };

  const end = useAction({
    mutationFn: () => api.call(sessionRoutes.endUserSessions, { params }),
    onSuccess: () => toast({ tone: 'success', message: t('sessions.ended', { name: user.name }) }),
    onError: showError,
    onSettled: close,
  });

  return (
    <>
      {may('endUserSessions') && (
        <Button
          variant="outline"
          colorPalette="danger"
          icon={<LogOut />}
          onClick={() => setAsking('sessions')}
        >
          {t('sessions.end')}
        </Button>
      )}
      {may('removeUserTwoFactor') && user.twoFactor && (
        <Button
          variant="outline"
          colorPalette="danger"
          icon={<ShieldOff />}
          onClick={() => setAsking('twoFactor')}
        >
          {t('twoFactor.remove')}
        </Button>
      )}
      <ConfirmDialog
        open={asking === 'sessions'}
        title={t('sessions.endTitle')}
        confirmLabel={t('sessions.end')}
        pending={end.isPending}
        onConfirm={() => end.mutate()}
        onCancel={close}
      >
        {t('sessions.endText', { name: user.name })}
      </ConfirmDialog>
      <RemoveTwoFactor
        open={asking === 'twoFactor'}
        name={user.name}
        remove={() => api.call(twoFactorRoutes.removeUserTwoFactor, { params })}
        stale={[userRoutes.getUser, userRoutes.listUsers]}
        onClose={close}
      />
    </>
  );
}
