import { type ApiClient, newTraceId } from '@portal/api-client';
import { fileRoutes, type RouteReply } from '@portal/contracts';
import { approvalOf } from '../../../components/effect/use-sent-for-approval.ts';
import type { EditBodies } from './edit-bodies.ts';
import { atFields, ofFile, ofUpdateFile } from './field-errors.ts';
import type { FileEditValues } from './file-flows.ts';
import type { UploadToBegin } from './upload/use-begin-upload.ts';

interface EditedFile {
  readonly pid: number;
  readonly id: number;
  readonly bodies: EditBodies;
  /** Of the effect that was told; undefined where nobody gets anything else. */
  readonly previewToken: string | undefined;
  /** The same of the reservation, once the file itself is saved: the effect that was told is to be still the same. */
  readonly reservationToken: () => Promise<string | undefined>;
  readonly begin: (upload: UploadToBegin) => Promise<void>;
  /** Told when the file itself is saved, so that a later refusal does not do it again. */
  readonly onSaved: () => void;
}

/**
 * Saves an edited file: what is known of it, a new version, the update reservation. The uploads begin and go on from page to page;
 * the reservation does not wait for the first, so that a refusal is told at once and a reload loses nothing.
 * @returns the requests that it became, where two people decide
 */
export async function saveEditedFile(
  api: ApiClient,
  { begin, bodies, id, onSaved, pid, previewToken, reservationToken }: EditedFile,
  { file, name, updateFile }: Pick<FileEditValues, 'file' | 'name' | 'updateFile'>,
): Promise<number[]> {
  const params = { pid, id };
  const traceId = newTraceId();
  const approvals: number[] = [];

  const send = async (chosen: File | undefined, reply: RouteReply<typeof fileRoutes.updateFile>) => {
    const approvalId = approvalOf(reply);
    if (approvalId !== undefined) approvals.push(approvalId);
    if (!chosen || !('uploadId' in reply)) return;
    const { partSize, uploadId } = reply;
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
    const body = { ...bodies.file, ...(bodies.changesDelivery && { previewToken }) };
    await send(file, await api.call(fileRoutes.updateFile, { params, body, traceId }));
    onSaved();
  });

  const { reservation } = bodies;
  if (!reservation) return approvals;
  await atFields(ofUpdateFile, async () => {
    const body = { ...reservation, previewToken: await reservationToken() };
    await send(updateFile, await api.call(fileRoutes.reserveUpdate, { params, body, traceId }));
  });
  return approvals;
}
