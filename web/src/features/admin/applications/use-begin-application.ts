import { newTraceId } from '@portal/api-client';
import { applicationRoutes } from '@portal/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { callsOf } from '../../../components/upload/upload-calls.ts';
import { useUploads } from '../../../components/upload/uploads.ts';
import { useApi } from '../../../lib/api.ts';

interface ApplicationToSend {
  readonly id: number;
  readonly name: string;
  readonly uploadId: string;
  readonly partSize: number;
  readonly file: File;
  readonly storedBytes: number;
}

/** Begins, or goes on with, the upload of an application, which goes on from page to page. */
export function useBeginApplication(): (application: ApplicationToSend) => Promise<void> {
  const api = useApi();
  const queries = useQueryClient();
  const uploads = useUploads();
  return async ({ file, id, name, partSize, storedBytes, uploadId }) => {
    const traceId = newTraceId();
    const store = await uploads.open();
    store.add({
      uploadId,
      fileId: id,
      name,
      bytes: { file, partSize, traceId, storedBytes },
      calls: callsOf(api, { uploadId, traceId }),
      follow: undefined,
      onSettled() {
        for (const route of [applicationRoutes.listApplications, applicationRoutes.getApplication])
          void queries.invalidateQueries({ queryKey: [route.id] });
      },
    });
  };
}
