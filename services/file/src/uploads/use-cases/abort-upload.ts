import { type EventData, fileEvents } from '@portal/contracts';
import { AppError } from '@portal/kernel';
import { concernsRecord } from '@portal/service-kit';
import type { Uploader } from '../../delivery/use-cases/distribution.ts';
import type { Dependencies } from '../../dependencies.ts';
import type { Change } from '../../files/data/changes.ts';
import {
  type File,
  findDeletedToo,
  isApplication,
  requireFile,
  saveFile,
} from '../../files/data/file-repository.ts';
import { appendUpdated } from '../../files/use-cases/append-updated.ts';
import { changeFiles } from '../../files/use-cases/change-files.ts';
import { dropFile } from '../../files/use-cases/delete-file.ts';
import { isUpdatePending } from '../../updates/use-cases/apply-due-update.ts';
import {
  findOpenVersions,
  lockVersion,
  releaseObjects,
  setVersion,
  type Upload,
  type Version,
} from '../data/version-repository.ts';
import { requireOwnUpload } from './require-upload.ts';

/**
 * Aborts an upload. A file that never got its bytes is deleted with it, so that its name and its place in the limit are
 * free, and so is a reservation without a version. A repeat changes nothing.
 * @throws AppError `E40401`; `E40301` for a file that has groups, where `uploader` is no administrator; `E40034` when the upload is complete, or was completed and is being verified
 */
export async function abortUpload(deps: Dependencies, uploader: Uploader, uploadId: string): Promise<void> {
  const version = await requireOwnUpload(deps, uploader, uploadId);
  await changeFiles(deps, uploader.partnerId, async (change) => {
    const found = await lockVersion(change, version.id);
    if (!found || found.status === 'aborted') return;
    if (found.status !== 'uploading') throw new AppError('E40034');
    const isOwn = found.openedBy === uploader.accountId;
    await (isOwn
      ? abortOpenVersion(change, found, deps.clock.now())
      : failUpload(change, found, 'given_up', deps.clock.now()));
  });
}

/** An upload that is not over ends without a version. */
export async function abortOpenVersion(change: Change, version: Upload, now: Date): Promise<void> {
  await setVersion(change, version.id, { status: 'aborted' });
  await releaseObjects(change, version, now, now);
  if (version.fileId !== null) await undoOpening(change, version, now);
}

/** As `abortOpenVersion`, not by who began it: they are told. */
export async function failUpload(
  change: Change,
  upload: Upload,
  reason: EventData<typeof fileEvents.uploadFailed>['reason'],
  now: Date,
): Promise<void> {
  await abortOpenVersion(change, upload, now);
  const { fileId, openedBy, partnerId, uploadId } = upload;
  if (fileId === null) return;
  const file = await findDeletedToo(change.db, partnerId, fileId);
  const { deleted, fileName, name, unitId } = file;
  const isOfAdministrators = isApplication(file);
  change.outbox.append(fileEvents.uploadFailed, {
    subject: fileId,
    partnerId: isOfAdministrators ? null : partnerId,
    data: {
      fileId,
      uploadId,
      name,
      fileName,
      fileDeleted: deleted,
      openedBy,
      ...(isOfAdministrators && { publisher: { unitId } }),
      reason,
    },
  });
}

async function undoOpening(change: Change, version: Version, now: Date): Promise<void> {
  const { fileId, slot } = version;
  const file = await requireFile(change.db, change.partnerId, fileId);
  concernsRecord(file);
  if (file.currentVersionId === null) {
    if ((await findOpenVersions(change, fileId)).length === 0) await dropFile(change, file, now);
    return;
  }
  if (slot === 'reserved') await undoReservation(change, file, version, now);
}

/** The time of an update goes with its bytes, unless another update is reserved. */
export async function undoReservation(
  change: Change,
  file: File,
  version: Version,
  now: Date,
): Promise<void> {
  // The time of one that was to wait is not the file's.
  if (version.asked !== null || (await isUpdatePending(change, file))) return;
  appendUpdated(change, await saveFile(change, { ...file, updateReservationAt: null, updatedAt: now }));
}
