import { ApiError } from '@portal/api-client';
import { fileRoutes } from '@portal/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { PendingStore } from '../../../components/upload/pending-upload.ts';
import { UploadCancelled } from '../../../components/upload/upload-cancelled.ts';
import {
  type FileUpload,
  useFileUpload,
  usePendingStore,
} from '../../../components/upload/use-file-upload.ts';
import { useAction } from '../../../lib/use-action.ts';
import { type Flow, useFlow } from '../../../ui/flow/flow.tsx';
import type { FileCreateValues } from './file-flows.ts';
import { useDiscard } from './upload/use-discard.ts';

/** The tools of a confirmation whose submit uploads. */
export interface SavingTools<V extends FileCreateValues = FileCreateValues> {
  readonly flow: Flow<V>;
  readonly pending: PendingStore;
  readonly uploads: FileUpload;
}

/**
 * Submits a flow whose `save` uploads; it resolves with the file's id. An upload that a reload interrupted goes on at
 * once. A cancelled one leads back to the form, a failed one too, with what was wrong; both are taken back.
 */
export function useSaveWithUpload<V extends FileCreateValues>(
  flowName: string,
  save: (values: V, tools: SavingTools<V>) => Promise<number>,
) {
  const queries = useQueryClient();
  const flow = useFlow<V>();
  const pending = usePendingStore(flowName);
  const discard = useDiscard(pending);
  const uploads = useFileUpload(pending);

  const submit = useAction({
    mutationFn: (values: V) => save(values, { flow, pending, uploads }),
    onSuccess: (id, { name }) => flow.finish(name, id),
    async onError(error) {
      // Who signs in again can go on with it.
      const sessionEnded = error instanceof ApiError && error.status === 401;
      if (error instanceof UploadCancelled) {
        pending.clear();
        await flow.back();
        return;
      }
      if (!sessionEnded) discard();
      await flow.fail(error);
    },
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: [fileRoutes.listFiles.id] }),
        queries.invalidateQueries({ queryKey: [fileRoutes.getStorageUse.id] }),
        queries.invalidateQueries({ queryKey: [fileRoutes.getFile.id] }),
      ]),
  });

  const resumed = useRef(false);
  // Once: a user who comes here with an unfinished upload has chosen to continue it.
  useEffect(() => {
    if (resumed.current || !pending.get() || !flow.values) return;
    resumed.current = true;
    submit.mutate(flow.values);
  }, []);

  return { flow, submit, running: uploads.running };
}
