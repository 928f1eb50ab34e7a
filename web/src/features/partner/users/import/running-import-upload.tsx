import { useEffect, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { reportActivity } from '../../../../lib/activity.ts';
import { useUnsavedWork } from '../../../../lib/unsaved-work.ts';
import { ConfirmDialog } from '../../../../ui/feedback/confirm-dialog.tsx';
import { Panel } from '../../../../ui/page/panel.tsx';
import { UploadPanel } from '../../../../ui/upload/upload-panel.tsx';
import type { Uploader } from '../../files/upload/uploader.ts';

/** The upload under way. Leaving the page asks, and takes it back. */
export function RunningImportUpload({ uploader, fileName }: { uploader: Uploader; fileName: string }) {
  const { t } = useTranslation('userImport');
  const progress = useSyncExternalStore(uploader.subscribe, uploader.snapshot);
  const [cancelling, setCancelling] = useState(false);
  useUnsavedWork(
    () => uploader.snapshot().status !== 'complete',
    () => ({
      title: t('cancelUploadTitle'),
      text: t('cancelUploadText'),
      leaveLabel: t('cancelUpload'),
      onLeave: uploader.cancel,
    }),
  );
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
        open={cancelling}
        title={t('cancelUploadTitle')}
        confirmLabel={t('cancelUpload')}
        onConfirm={uploader.cancel}
        onCancel={() => setCancelling(false)}
      >
        {t('cancelUploadText')}
      </ConfirmDialog>
    </Panel>
  );
}
