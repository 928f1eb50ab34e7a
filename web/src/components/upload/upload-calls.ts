import type { ApiClient } from '@portal/api-client';
import { fileRoutes } from '@portal/contracts';
import type { UploadCalls } from './uploader.ts';

/** The calls of the upload `uploadId`, in one trace. */
export function callsOf(
  api: ApiClient,
  { traceId, uploadId }: { traceId: string; uploadId: string },
): UploadCalls {
  const params = { uploadId };
  return {
    sign: async (partNumbers, signal) =>
      (await api.call(fileRoutes.signParts, { params, body: { partNumbers }, signal, traceId })).parts,
    stored: (signal) => api.call(fileRoutes.getUpload, { params, signal, traceId }),
    complete: (parts, signal) =>
      api.call(fileRoutes.completeUpload, { params, body: { parts }, signal, traceId }),
    abort: () => api.call(fileRoutes.abortUpload, { params, traceId }),
  };
}
