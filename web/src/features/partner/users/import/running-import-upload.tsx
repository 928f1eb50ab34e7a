import { useEffect, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import type { Uploader } from '../../../../components/upload/uploader.ts';
import { reportActivity } from '../../../../lib/activity.ts';
import { useUnsavedWork } from '../../../../lib/unsaved-work.ts';
import { ConfirmDialog } from '../../../../ui/feedback/confirm-dialog.tsx';
import { Panel } from '../../../../ui/page/panel.tsx';
import { UploadPanel } from '../../../../ui/upload/upload-panel.tsx';

/** The running upload. Leaving the page asks first, then aborts it. */
export function RunningImportUpload({ uploader, fileName }: { uploader: Uploader; fileName: string }) {
  const { t } = useTranslation(['userImport', 'ui']);
  const progress = useSyncExternalStore(uploader.subscribe, uploader.snapshot);
  const [cancelling, setCancelling] = useState(false);
  useUnsavedWork(
    () => uploader.snapshot().status !== 'complete',
    () => ({
      title: t('cancelUploadTitle'),
      text: t('cancelUploadText'),
      leaveLabel: t('cancelUpload'),
      stayLabel: t('ui:continueUpload'),
      onLeave: uploader.cancel,
    }),
  );
  // A running upload counts as activity, so that the session does not end during it.
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
        cancelLabel={t('ui:continueUpload')}
        onConfirm={uploader.cancel}
        onCancel={() => setCancelling(false)}
      >
        {t('cancelUploadText')}
      </ConfirmDialog>
    </Panel>
  );
}
