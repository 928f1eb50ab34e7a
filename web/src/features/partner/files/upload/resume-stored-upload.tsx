import { newTraceId } from '@portal/api-client';
import { fileRoutes } from '@portal/contracts';
import { useNavigate } from 'react-router-dom';
import { type FileDetail, fileDetailPath } from '../../../../components/files/file.ts';
import { begunUploads, forgetUpload } from '../../../../components/upload/begun-uploads.ts';
import { uploadOwner } from '../../../../components/upload/begun-uploads-key.ts';
import { wantedFileOf } from '../../../../components/upload/chosen-file.ts';
import { ResumeUpload } from '../../../../components/upload/resume-upload.tsx';
import { useDiscard } from '../../../../components/upload/use-discard.ts';
import { useApi } from '../../../../lib/api.ts';
import { editLink } from '../../../../lib/edit-link.ts';
import { usePartnerSession } from '../../../../lib/session/use-session.ts';
import { useAction } from '../../../../lib/use-action.ts';
import { useErrorModal } from '../../../../ui/feedback/error-modal.tsx';
import { fileListPath } from '../file-flows.ts';
import { useFilesChanged } from '../use-files-changed.ts';
import { useBeginUpload } from './use-begin-upload.ts';

interface ResumeStoredUploadProps {
  file: FileDetail & { upload: { fileSize: number } };
}

/** An upload that was begun elsewhere, or by somebody else: it goes on here with the same file. */
export function ResumeStoredUpload({ file }: ResumeStoredUploadProps) {
  const api = useApi();
  const navigate = useNavigate();
  const filesChanged = useFilesChanged();
  const session = usePartnerSession();
  const { showError } = useErrorModal();
  const begin = useBeginUpload();
  const { id, name, upload } = file;
  const { storedBytes, uploadId } = upload;
  const owner = uploadOwner(session);
  const params = { uploadId };

  const resume = useAction({
    async mutationFn(chosen: File) {
      const traceId = newTraceId();
      const { partSize } = await api.call(fileRoutes.getUpload, { params, traceId });
      const {
        groupIds = [],
        notifyEmail = false,
        notifyPush = false,
      } = begunUploads(owner).find((one) => one.uploadId === uploadId) ?? {};
      const bytes = { file: chosen, partSize, traceId, storedBytes };
      await begin({ fileId: id, uploadId, name, bytes, traceId, groupIds, notifyEmail, notifyPush });
    },
    onSuccess: () => navigate(editLink(fileDetailPath, id, session.partner.name)),
    onError: showError,
  });
  const discard = useDiscard({
    async onDiscarded() {
      forgetUpload(owner, uploadId);
      // A file that never had bytes is gone with its upload.
      if (file.uploadStatus !== 'complete') await navigate(fileListPath, { replace: true });
    },
    changed: filesChanged,
  });

  return (
    <ResumeUpload
      pending={wantedFileOf(upload)}
      storedBytes={storedBytes}
      onResume={(chosen) => resume.mutate(chosen)}
      onDiscard={() => discard.mutate({ uploadId, name: upload.fileName })}
    />
  );
}
