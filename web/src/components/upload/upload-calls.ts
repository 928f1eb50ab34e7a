import type { ApiClient } from '@portal/api-client';
import { fileRoutes, type RouteReply } from '@portal/contracts';
import type { UploadCalls } from './uploader.ts';

interface OfUpload {
  readonly traceId: string;
  readonly uploadId: string;
  readonly onCompleted?: (reply: RouteReply<typeof fileRoutes.completeUpload>) => void;
}

/** The calls of the upload `uploadId`, in one trace. */
export function callsOf(api: ApiClient, { onCompleted, traceId, uploadId }: OfUpload): UploadCalls {
  const params = { uploadId };
  return {
    sign: async (partNumbers, signal) =>
      (await api.call(fileRoutes.signParts, { params, body: { partNumbers }, signal, traceId })).parts,
    stored: (signal) => api.call(fileRoutes.getUpload, { params, signal, traceId }),
    async complete(parts, signal) {
      const reply = await api.call(fileRoutes.completeUpload, { params, body: { parts }, signal, traceId });
      onCompleted?.(reply);
    },
    abort: () => api.call(fileRoutes.abortUpload, { params, traceId }),
  };
}
