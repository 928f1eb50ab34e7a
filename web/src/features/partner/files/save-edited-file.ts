import { type ApiClient, newTraceId } from '@portal/api-client';
import { fileRoutes, type RouteReply } from '@portal/contracts';
import { chosenFileOf } from '../../../components/upload/chosen-file.ts';
import { atFields, ofFile, ofUpdateFile } from './field-errors.ts';
import type { FileEditValues } from './file-flows.ts';
import type { UploadToBegin } from './upload/use-begin-upload.ts';

interface EditedFile {
  readonly pid: number;
  readonly id: number;
  /** An update waits for its time already. */
  readonly updatePending: boolean;
  readonly begin: (upload: UploadToBegin) => Promise<void>;
  /** Told when the upload of the new version has begun, so that a later refusal does not begin it again. */
  readonly onBegun: () => void;
}

/**
 * Saves an edited file: what is known of it, a new version, the update reservation. The uploads begin and go on from page to page;
 * the reservation does not wait for the first, so that a refusal is told at once and a reload loses nothing.
 */
export async function saveEditedFile(
  api: ApiClient,
  { begin, id, onBegun, pid, updatePending }: EditedFile,
  values: FileEditValues,
): Promise<number> {
  const { name, note, file, deliverReservationAt, updateFile, updateNote, updateReservationAt, versionNote } =
    values;
  const params = { pid, id };
  const traceId = newTraceId();

  const send = async (chosen: File, upload: RouteReply<typeof fileRoutes.updateFile>) => {
    if (!('uploadId' in upload)) return;
    const { partSize, uploadId } = upload;
    const bytes = { file: chosen, partSize, traceId, storedBytes: 0 };
    await begin({
      fileId: id,
      name,
      uploadId,
      traceId,
      bytes,
      groupIds: [],
      notifyEmail: false,
      notifyPush: false,
    });
  };

  await atFields(ofFile, async () => {
    const body = {
      name,
      note,
      deliverReservationAt: deliverReservationAt || null,
      ...(file && { ...(await chosenFileOf(file)), versionNote }),
    };
    const upload = await api.call(fileRoutes.updateFile, { params, body, traceId });
    if (!file) return;
    await send(file, upload);
    onBegun();
  });

  if (updateReservationAt === '' || !(updatePending || updateFile)) return id;
  await atFields(ofUpdateFile, async () => {
    const body = {
      updateReservationAt,
      ...(updateFile && { ...(await chosenFileOf(updateFile)), versionNote: updateNote }),
    };
    const upload = await api.call(fileRoutes.reserveUpdate, { params, body, traceId });
    if (updateFile) await send(updateFile, upload);
  });
  return id;
}
