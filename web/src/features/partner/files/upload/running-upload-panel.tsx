import { chakra } from '@chakra-ui/react';
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { reportActivity } from '../../../../lib/activity.ts';
import { ConfirmDialog } from '../../../../ui/feedback/confirm-dialog.tsx';
import { Notice } from '../../../../ui/feedback/notice.tsx';
import { useLeaveGuard } from '../../../../ui/flow/flow.tsx';
import { Panel } from '../../../../ui/page/panel.tsx';
import { UploadPanel } from '../../../../ui/upload/upload-panel.tsx';
import type { RunningUpload } from './use-file-upload.ts';

/** The upload under way, in the place of the confirmation's buttons. Leaving the page asks, and takes it back. */
export function RunningUploadPanel({ running }: { running: RunningUpload }) {
  const { t } = useTranslation('files');
  const { upload, uploader } = running;
  const progress = useSyncExternalStore(uploader.subscribe, uploader.snapshot);
  const [cancelling, setCancelling] = useState(false);

  useLeaveGuard(
    useMemo(
      () => ({
        title: t('upload.leaveTitle'),
        text: t('upload.leaveText'),
        leaveLabel: t('upload.leave'),
        onLeave: running.abandon,
      }),
      [t, running],
    ),
  );
  // Bytes that move are work: the session is not to end over them.
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
        onConfirm={uploader.cancel}
        onCancel={() => setCancelling(false)}
      >
        {t('upload.cancelText', { name: upload.fileName })}
      </ConfirmDialog>
    </chakra.section>
  );
}
