import type { RouteContract } from '@portal/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../lib/use-action.ts';
import { useAnnouncer } from '../../ui/feedback/announcer.tsx';
import { ConfirmDialog } from '../../ui/feedback/confirm-dialog.tsx';
import { useErrorModal } from '../../ui/feedback/error-modal.tsx';

interface RemoveTwoFactorProps {
  open: boolean;
  /** Whose they are. */
  name: string;
  remove: () => Promise<unknown>;
  /** What tells whether they have two factors. */
  stale: readonly RouteContract[];
  onClose: () => void;
}

/** Takes the two factors of somebody away who has lost them, after a question. */
export function RemoveTwoFactor({ open, name, remove, stale, onClose }: RemoveTwoFactorProps) {
  const { t } = useTranslation('users');
  const queries = useQueryClient();
  const { toast } = useAnnouncer();
  const { showError } = useErrorModal();
  const action = useAction({
    mutationFn: remove,
    onSuccess: () => toast({ tone: 'success', message: t('twoFactor.removed', { name }) }),
    onError: showError,
    async onSettled() {
      onClose();
      await Promise.all(stale.map(({ id }) => queries.invalidateQueries({ queryKey: [id] })));
    },
  });
  return (
    <ConfirmDialog
      open={open}
      title={t('twoFactor.removeTitle')}
      confirmLabel={t('twoFactor.remove')}
      pending={action.isPending}
      onConfirm={() => action.mutate()}
      onCancel={onClose}
    >
      {t('twoFactor.removeText', { name })}
    </ConfirmDialog>
  );
}
