import { chakra } from '@chakra-ui/react';
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import type { RunningUpload } from '../../../../components/upload/use-file-upload.ts';
import { reportActivity } from '../../../../lib/activity.ts';
import { ConfirmDialog } from '../../../../ui/feedback/confirm-dialog.tsx';
import { Notice } from '../../../../ui/feedback/notice.tsx';
import { useLeaveGuard } from '../../../../ui/flow/flow.tsx';
import { Panel } from '../../../../ui/page/panel.tsx';
import { UploadPanel } from '../../../../ui/upload/upload-panel.tsx';

/** The running upload, in place of the confirmation's buttons. Leaving the page asks first, then aborts it. */
export function RunningUploadPanel({ running }: { running: RunningUpload }) {
  const { t } = useTranslation(['files', 'ui']);
  const { upload, uploader } = running;
  const progress = useSyncExternalStore(uploader.subscribe, uploader.snapshot);
  const [cancelling, setCancelling] = useState(false);

  useLeaveGuard(
    useMemo(
      () => ({
        title: t('upload.leaveTitle'),
        text: t('upload.leaveText'),
        leaveLabel: t('upload.leave'),
        stayLabel: t('ui:continueUpload'),
        onLeave: running.abandon,
      }),
      [t, running],
    ),
  );
  // A running upload counts as activity, so that the session does not end during it.
  useEffect(() => reportActivity(), [progress.sent]);

  const message =
    progress.status === 'waiting'
      ? t('upload.waiting')
      : progress.timedOut
        ? t('upload.timedOut')
        : undefined;
  return (
    <chakra.section mt="5" aria-label={t('upload.title')}>
      <Panel p="5">
        <chakra.h2 fontWeight="semibold" mb="3">
          {t(`upload.slots.${upload.slot}`)}
        </chakra.h2>
        <UploadPanel
          fileName={upload.fileName}
          progress={progress}
          message={message}
          onPause={uploader.pause}
          onResume={uploader.resume}
          onCancel={() => setCancelling(true)}
        />
      </Panel>
      <chakra.div mt="3">
        <Notice tone="info">{t('upload.stay')}</Notice>
      </chakra.div>
      <ConfirmDialog
        open={cancelling}
        title={t('upload.cancelTitle')}
        confirmLabel={t('upload.cancel')}
        cancelLabel={t('ui:continueUpload')}
        onConfirm={uploader.cancel}
        onCancel={() => setCancelling(false)}
      >
        {t('upload.cancelText', { name: upload.fileName })}
      </ConfirmDialog>
    </chakra.section>
  );
}
