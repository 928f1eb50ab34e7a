import { useEffect, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { useBlocker } from 'react-router-dom';
import { reportActivity } from '../../../../lib/activity.ts';
import { ConfirmDialog } from '../../../../ui/feedback/confirm-dialog.tsx';
import { Panel } from '../../../../ui/page/panel.tsx';
import { UploadPanel } from '../../../../ui/upload/upload-panel.tsx';
import type { Uploader } from '../../files/upload/uploader.ts';

/** The upload under way. Leaving the page asks, and takes it back. */
export function RunningImportUpload({ uploader, fileName }: { uploader: Uploader; fileName: string }) {
  const { t } = useTranslation('userImport');
  const progress = useSyncExternalStore(uploader.subscribe, uploader.snapshot);
  const [cancelling, setCancelling] = useState(false);
  const blocker = useBlocker(progress.status !== 'complete');

  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, []);
  // Bytes that move are work: the session is not to end over them.
  useEffect(() => reportActivity(), [progress.sent]);

  return (
    <Panel p="5">
      <UploadPanel
        fileName={fileName}
        progress={progress}
        message={progress.timedOut ? t('timedOut') : undefined}
        onPause={uploader.pause}
        onResume={uploader.resume}
        onCancel={() => setCancelling(true)}
      />
      <ConfirmDialog
        open={cancelling || blocker.state === 'blocked'}
        title={t('cancelUploadTitle')}
        confirmLabel={t('cancelUpload')}
        onConfirm={() => {
          uploader.cancel();
          blocker.proceed?.();
        }}
        onCancel={() => {
          setCancelling(false);
          blocker.reset?.();
        }}
      >
        {t('cancelUploadText')}
      </ConfirmDialog>
    </Panel>
  );
}
