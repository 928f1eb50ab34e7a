import { type ApiClient, clientError } from '@portal/api-client';
import { fileRoutes } from '@portal/contracts';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useApi } from '../../lib/api.ts';
import { currentLanguage } from '../../lib/i18n.ts';
import { useReloadHold } from '../../lib/reload-hold.ts';
import { createPendingStore, type PendingStore, type PendingUpload } from './pending-upload.ts';
import type { UploadCalls, Uploader } from './uploader.ts';

/** The calls of the upload `uploadId`, in one trace. */
export function callsOf(
  api: ApiClient,
  { traceId, uploadId }: Pick<PendingUpload, 'traceId' | 'uploadId'>,
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

/** The code that uploads is a chunk of its own: most visits upload nothing. */
function loadUploader() {
  return import('./uploader.ts').catch((cause: unknown) => {
    throw clientError('NETWORK', currentLanguage(), { cause });
  });
}

/** The unfinished upload of the flow `name` for the record of the address. */
export function usePendingStore(name: string): PendingStore {
  const [params] = useSearchParams();
  const id = params.get('id') ?? '';
  return useMemo(() => createPendingStore(name, id), [name, id]);
}

export interface RunningUpload {
  readonly upload: PendingUpload;
  readonly uploader: Uploader;
  /** Takes the upload back because the page is left. */
  abandon(): void;
}

export interface FileUpload {
  /** The one under way. */
  readonly running: RunningUpload | undefined;
  /** Sends `file` for `upload`, which is remembered until it is complete. Rejects as `Uploader.finished` does. */
  send(file: File, upload: PendingUpload): Promise<void>;
}

/** Uploads of one page, one after the other. Leaving the page stops what runs. */
export function useFileUpload(pending: PendingStore): FileUpload {
  const api = useApi();
  const [running, setRunning] = useState<RunningUpload>();
  const current = useRef<Uploader>(undefined);
  useReloadHold(running !== undefined);
  useEffect(() => {
    // What fails here fails again, and is told, when it is needed.
    void loadUploader().catch(() => undefined);
    return () => current.current?.stop();
  }, []);

  return useMemo(
    () => ({
      running,
      async send(file, upload) {
        pending.set(upload);
        const { createUploader } = await loadUploader();
        const uploader = createUploader({
          file,
          partSize: upload.partSize,
          calls: callsOf(api, upload),
          traceId: upload.traceId,
        });
        current.current = uploader;
        setRunning({
          upload,
          uploader,
          abandon() {
            pending.clear();
            uploader.abandon();
          },
        });
        uploader.start();
        try {
          await uploader.finished;
        } finally {
          current.current = undefined;
          setRunning(undefined);
        }
        pending.clear();
      },
    }),
    [api, pending, running],
  );
}
