import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useBlocker } from 'react-router-dom';
import { hasUnsavedWork, leaveGuard, warnBeforeUnload } from '../../lib/unsaved-work.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';

const addressOf = ({ pathname, search }: Pick<Location, 'pathname' | 'search'>) => pathname + search;

/** Asks before a page with unsaved work is left. Once for all pages: a router heeds one blocker alone. */
export function LeaveQuestion() {
  const { t } = useTranslation('ui');
  const blocker = useBlocker(({ currentLocation: at, nextLocation: to }) => {
    const stays = addressOf(at) === addressOf(to);
    return !stays && hasUnsavedWork(addressOf(to));
  });
  useEffect(warnBeforeUnload, []);
  return (
    <LeaveDialog
      open={blocker.state === 'blocked'}
      to={blocker.location && addressOf(blocker.location)}
      leaveLabel={t('leave')}
      onLeave={() => blocker.proceed?.()}
      onStay={() => blocker.reset?.()}
    />
  );
}

interface LeaveDialogProps {
  open: boolean;
  /** Where leaving leads to within the product. */
  to?: string | undefined;
  /** A verb: what leaving does, unless the work itself has one. */
  leaveLabel: string;
  onLeave: () => void;
  onStay: () => void;
}

/** Asks whether the unsaved work of the page may be lost. */
export function LeaveDialog({ open, to, leaveLabel, onLeave, onStay }: LeaveDialogProps) {
  const { t } = useTranslation('ui');
  const guard = leaveGuard(to);
  return (
    <ConfirmDialog
      open={open}
      title={guard?.title ?? t('leaveTitle')}
      confirmLabel={guard?.leaveLabel ?? leaveLabel}
      cancelLabel={guard?.stayLabel ?? t('stay')}
      onConfirm={() => {
        guard?.onLeave();
        onLeave();
      }}
      onCancel={onStay}
    >
      {guard?.text ?? t('leaveText')}
    </ConfirmDialog>
  );
}
