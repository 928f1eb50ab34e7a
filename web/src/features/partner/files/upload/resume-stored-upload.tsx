import { newTraceId } from '@portal/api-client';
import { fileRoutes } from '@portal/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { type FileDetail, fileDetailPath } from '../../../../components/files/file.ts';
import { UploadCancelled } from '../../../../components/upload/upload-cancelled.ts';
import { useFileUpload, usePendingStore } from '../../../../components/upload/use-file-upload.ts';
import { useApi } from '../../../../lib/api.ts';
import { editLink } from '../../../../lib/edit-link.ts';
import { usePartnerSession } from '../../../../lib/session/use-session.ts';
import { useAction } from '../../../../lib/use-action.ts';
import { useAnnouncer } from '../../../../ui/feedback/announcer.tsx';
import { useErrorModal } from '../../../../ui/feedback/error-modal.tsx';
import { fileListPath } from '../file-flows.ts';
import { ResumeUpload } from './resume-upload.tsx';
import { RunningUploadPanel } from './running-upload-panel.tsx';

interface ResumeStoredUploadProps {
  file: FileDetail & { upload: { fileSize: number } };
}

/** An upload that was begun elsewhere, or by somebody else: it goes on here with the same file. */
export function ResumeStoredUpload({ file }: ResumeStoredUploadProps) {
  const { t } = useTranslation('files');
  const api = useApi();
  const navigate = useNavigate();
  const { toast } = useAnnouncer();
  const queries = useQueryClient();
  const { partner } = usePartnerSession();
  const { showError } = useErrorModal();
  const pending = usePendingStore('file-resume');
  const uploads = useFileUpload(pending);
  const { upload } = file;
  const { fileName, fileSize, uploadId } = upload;
  const wanted = {
    fileName,
    fileSize,
    ...(upload.fingerprint !== null && { fingerprint: upload.fingerprint }),
  };
  const params = { uploadId };

  const refresh = () =>
    Promise.all(
      [fileRoutes.listFiles, fileRoutes.getFile, fileRoutes.getStorageUse].map(({ id }) =>
        queries.invalidateQueries({ queryKey: [id] }),
      ),
    );
  /** A file that never had bytes is gone with its upload. */
  const leaveIfGone = () => file.uploadStatus !== 'complete' && navigate(fileListPath, { replace: true });

  const resume = useAction({
    async mutationFn(chosen: File) {
      const traceId = newTraceId();
      const { partSize } = await api.call(fileRoutes.getUpload, { params, traceId });
      await uploads.send(chosen, {
        fileId: file.id,
        uploadId,
        partSize,
        slot: 'current',
        traceId,
        ...wanted,
      });
    },
    async onSuccess() {
      toast({ tone: 'success', message: t('upload.resumed', { name: fileName }) });
      await refresh();
      await navigate(editLink(fileDetailPath, file.id, partner.name));
    },
    async onError(error) {
      if (error instanceof UploadCancelled) {
        pending.clear();
        // Its end is under way already; what follows is to see it.
        await api.call(fileRoutes.abortUpload, { params }).catch(() => undefined);
        await leaveIfGone();
      } else showError(error);
      await refresh();
    },
  });
  const discard = useAction({
    mutationFn: () => api.call(fileRoutes.abortUpload, { params }),
    async onSuccess() {
      await leaveIfGone();
      await refresh();
    },
    onError: showError,
  });

  const { running } = uploads;
  if (running) {
    // Who leaves leaves the upload as it is: somebody began it, and it can go on from there.
    const abandon = () => {
      pending.clear();
      running.uploader.stop();
    };
    return <RunningUploadPanel running={{ ...running, abandon }} />;
  }
  return (
    <ResumeUpload
      pending={wanted}
      storedBytes={upload.storedBytes}
      onResume={(chosen) => resume.mutate(chosen)}
      onDiscard={() => discard.mutate(undefined)}
    />
  );
}
