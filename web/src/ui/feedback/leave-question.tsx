import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useBlocker } from 'react-router-dom';
import { hasUnsavedWork, leaveGuard, warnBeforeUnload } from '../../lib/unsaved-work.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';

/** Asks before a page with unsaved work is left. Once for all pages: a router heeds one blocker alone. */
export function LeaveQuestion() {
  const { t } = useTranslation('ui');
  const blocker = useBlocker(({ currentLocation: at, nextLocation: to }) => {
    const stays = at.pathname === to.pathname && at.search === to.search;
    return !stays && hasUnsavedWork(to.pathname);
  });
  useEffect(warnBeforeUnload, []);

  const guard = leaveGuard();
  return (
    <ConfirmDialog
      open={blocker.state === 'blocked'}
      title={guard?.title ?? t('leaveTitle')}
      confirmLabel={guard?.leaveLabel ?? t('leave')}
      onConfirm={() => {
        guard?.onLeave();
        blocker.proceed?.();
      }}
      onCancel={() => blocker.reset?.()}
    >
      {guard?.text ?? t('leaveText')}
    </ConfirmDialog>
  );
}
