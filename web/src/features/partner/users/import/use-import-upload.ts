import { newTraceId } from '@portal/api-client';
import { fileRoutes, userRoutes } from '@portal/contracts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { callsOf } from '../../../../components/upload/upload-calls.ts';
import type { Uploader } from '../../../../components/upload/uploader.ts';
import { useApi } from '../../../../lib/api.ts';
import { useReloadHold } from '../../../../lib/reload-hold.ts';
import { usePartnerSession } from '../../../../lib/session/use-session.ts';

/** Sends the file of an import, which is then checked and waits for confirmation. Leaving the page aborts it. */
export function useImportUpload() {
  const api = useApi();
  const { partner } = usePartnerSession();
  const [uploader, setUploader] = useState<Uploader>();
  const current = useRef<Uploader>(undefined);
  useReloadHold(uploader !== undefined);
  useEffect(() => () => current.current?.abandon(), []);

  /** Resolves with the import's id; rejects as `Uploader.finished` does. */
  const send = useCallback(
    async (file: File): Promise<number> => {
      const traceId = newTraceId();
      const params = { pid: partner.id };
      const body = { fileName: file.name, fileSize: file.size, preview: true };
      const { batchProcessId, partSize, uploadId } = await api.call(fileRoutes.createUserImport, {
        params,
        body,
        traceId,
      });
      const { createUploader } = await import('../../../../components/upload/uploader.ts');
      const begun = createUploader({ file, partSize, traceId, calls: callsOf(api, { uploadId, traceId }) });
      current.current = begun;
      setUploader(begun);
      begun.start();
      try {
        await begun.finished;
      } catch (error) {
        await api
          .call(userRoutes.cancelUserImport, { params, body: { batchProcessId } })
          .catch(() => undefined);
        throw error;
      } finally {
        current.current = undefined;
        setUploader(undefined);
      }
      return batchProcessId;
    },
    [api, partner.id],
  );
  return { send, uploader };
}
