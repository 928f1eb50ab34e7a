import { fileRoutes } from '@portal/contracts';
import { useApi } from '../../../../lib/api.ts';
import type { PendingStore } from './pending-upload.ts';

/** Takes an unfinished upload back. What this does not reach is swept by the server after a day. */
export function useDiscard(store: PendingStore): () => void {
  const api = useApi();
  return () => {
    const upload = store.get();
    store.clear();
    if (!upload) return;
    void api.call(fileRoutes.abortUpload, { params: { uploadId: upload.uploadId } }).catch(() => undefined);
  };
}
