import { AppError } from '@portal/kernel';
import { concernsRecord } from '@portal/service-kit';
import type { Editor } from '../../delivery/use-cases/distribution.ts';
import type { Dependencies } from '../../dependencies.ts';
import type { Change } from '../../files/data/changes.ts';
import { requireFile, saveFile } from '../../files/data/file-repository.ts';
import { appendUpdated } from '../../files/use-cases/append-updated.ts';
import { changeFiles } from '../../files/use-cases/change-files.ts';
import { dropFile } from '../../files/use-cases/delete-file.ts';
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
export async function abortUpload(deps: Dependencies, uploader: Editor, uploadId: string): Promise<void> {
  const version = await requireOwnUpload(deps, uploader, uploadId);
  await changeFiles(deps, uploader.partnerId, async (change) => {
    const found = await lockVersion(change, version.id);
    if (!found || found.status === 'aborted') return;
    if (found.status !== 'uploading') throw new AppError('E40034');
    await abortOpenVersion(change, found, deps.clock.now());
  });
}

/** An upload that is not over ends without a version. */
export async function abortOpenVersion(change: Change, version: Upload, now: Date): Promise<void> {
  await setVersion(change, version.id, { status: 'aborted' });
  await releaseObjects(change, version, now, now);
  if (version.fileId !== null) await undoOpening(change, version, now);
}

async function undoOpening(change: Change, { fileId, slot }: Version, now: Date): Promise<void> {
  const file = await requireFile(change.db, change.partnerId, fileId);
  concernsRecord(file);
  if (file.currentVersionId === null) {
    if ((await findOpenVersions(change, fileId)).length === 0) await dropFile(change, file, now);
    return;
  }
  if (slot === 'reserved' && file.reservedVersionId === null) {
    appendUpdated(change, await saveFile(change, { ...file, updateReservationAt: null, updatedAt: now }));
  }
}
