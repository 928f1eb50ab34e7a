import { fileRoutes } from '@portal/contracts';
import type { PendingStore } from '../../../../components/upload/pending-upload.ts';
import { useApi } from '../../../../lib/api.ts';

/** Aborts an unfinished upload. If this fails, the server removes it after a day. */
export function useDiscard(store: PendingStore): () => void {
  const api = useApi();
  return () => {
    const upload = store.get();
    store.clear();
    if (!upload) return;
    void api.call(fileRoutes.abortUpload, { params: { uploadId: upload.uploadId } }).catch(() => undefined);
  };
}
