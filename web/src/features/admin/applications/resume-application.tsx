import { applicationRoutes, fileRoutes } from '@portal/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router-dom';
import { wantedFileOf } from '../../../components/upload/chosen-file.ts';
import { ResumeUpload } from '../../../components/upload/resume-upload.tsx';
import { useDiscard } from '../../../components/upload/use-discard.ts';
import { useIsUploadedHere } from '../../../components/upload/use-is-uploaded-here.ts';
import { useApi } from '../../../lib/api.ts';
import { useAction } from '../../../lib/use-action.ts';
import { useErrorModal } from '../../../ui/feedback/error-modal.tsx';
import { applicationPaths } from './application-paths.ts';
import type { Application } from './application-rules.ts';
import { useBeginApplication } from './use-begin-application.ts';

/** An upload that stopped, or was begun elsewhere: it goes on here with the same file, or is given up. */
export function ResumeApplication({ application }: { application: Application }) {
  const api = useApi();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { showError } = useErrorModal();
  const begin = useBeginApplication();
  const isUploadedHere = useIsUploadedHere();
  const { id, name, status, upload } = application;

  const resume = useAction({
    async mutationFn({ file, uploadId }: { file: File; uploadId: string }) {
      const { partSize } = await api.call(fileRoutes.getUpload, { params: { uploadId } });
      await begin({ id, name, uploadId, partSize, file, storedBytes: upload?.storedBytes ?? 0 });
    },
    onError: showError,
  });
  const discard = useDiscard({
    // An application that never had bytes is gone with its upload.
    onDiscarded: () => status === 'uploading' && navigate(applicationPaths.list, { replace: true }),
    changed: () =>
      Promise.all(
        [applicationRoutes.listApplications, applicationRoutes.getApplication].map((route) =>
          queries.invalidateQueries({ queryKey: [route.id] }),
        ),
      ),
  });

  if (!upload || upload.fileSize === null || isUploadedHere(application)) return null;
  const { fileSize, storedBytes, uploadId } = upload;
  return (
    <ResumeUpload
      key={uploadId}
      pending={wantedFileOf({ ...upload, fileSize })}
      storedBytes={storedBytes}
      onResume={(file) => resume.mutate({ file, uploadId })}
      onDiscard={() => discard.mutate({ uploadId, name: upload.fileName })}
    />
  );
}
