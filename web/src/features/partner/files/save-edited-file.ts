import { type ApiClient, newTraceId } from '@portal/api-client';
import { fileRoutes } from '@portal/contracts';
import { chosenFileOf } from '../../../components/upload/pending-upload.ts';
import { atFields, ofFile, ofUpdateFile } from './field-errors.ts';
import type { FileEditValues } from './file-flows.ts';
import type { SavingTools } from './use-save-with-upload.ts';

interface EditedFile {
  readonly pid: number;
  readonly id: number;
  /** An update waits for its time already. */
  readonly updatePending: boolean;
  /** Told when the new version is stored, so that a later failure does not send it again. */
  readonly onVersionStored: () => void;
}

/**
 * Saves an edited file in the order of the product: what is known of it, then the bytes of a new version, then the update
 * reservation with its bytes. An upload that was interrupted is taken up where it stands in that order.
 */
export async function saveEditedFile(
  api: ApiClient,
  { pid, id, updatePending, onVersionStored }: EditedFile,
  values: FileEditValues,
  { pending, uploads }: Pick<SavingTools, 'pending' | 'uploads'>,
): Promise<number> {
  const { name, note, file, deliverReservationAt, updateFile, updateReservationAt } = values;
  const interrupted = pending.get();
  const params = { pid, id };
  const traceId = interrupted?.traceId ?? newTraceId();

  if (interrupted?.slot !== 'reserved') {
    await atFields(ofFile, async () => {
      const chosen = file && (await chosenFileOf(file));
      const upload =
        interrupted ??
        (await api.call(fileRoutes.updateFile, {
          params,
          body: {
            name,
            note,
            deliverReservationAt: deliverReservationAt || null,
            ...chosen,
          },
          traceId,
        }));
      if (!file || !chosen || !('uploadId' in upload)) return;
      const { uploadId, partSize } = upload;
      await uploads.send(file, {
        fileId: id,
        uploadId,
        partSize,
        slot: 'current',
        traceId,
        ...chosen,
        ...(updateFile && { next: await chosenFileOf(updateFile) }),
      });
      onVersionStored();
    });
  }

  if (updateReservationAt === '' || !(updatePending || updateFile)) return id;
  await atFields(ofUpdateFile, async () => {
    const chosen = updateFile && (await chosenFileOf(updateFile));
    const upload =
      interrupted?.slot === 'reserved'
        ? interrupted
        : await api.call(fileRoutes.reserveUpdate, {
            params,
            body: { updateReservationAt, ...chosen },
            traceId,
          });
    if (!updateFile || !chosen || !('uploadId' in upload)) return;
    const { uploadId, partSize } = upload;
    await uploads.send(updateFile, {
      fileId: id,
      uploadId,
      partSize,
      slot: 'reserved',
      traceId,
      ...chosen,
    });
  });
  return id;
}
