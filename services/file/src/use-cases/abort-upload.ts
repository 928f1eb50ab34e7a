import { limits } from '@portal/contracts';
import { AppError } from '@portal/kernel';
import { everything } from '@portal/service-kit';
import type { Change } from '../data/changes.ts';
import { appendUpdated, requireFile, saveFile } from '../data/file-repository.ts';
import {
  findOpenVersions,
  findVersionsByStatus,
  lockVersion,
  releaseObjects,
  setVersion,
  type Upload,
  type Version,
} from '../data/version-repository.ts';
import { dropFile } from './delete-file.ts';
import type { Editor } from './distribution.ts';
import { changeFiles, type FileTools } from './file-use-cases.ts';
import { requireOwnUpload } from './uploads.ts';

/**
 * Takes an upload back. A file that never got its bytes goes with it, so that its name and its place in the limit are
 * free; a reservation without a version is none any more. Aborting twice is aborting once.
 * @throws AppError `E40401`; `E40301` for a file that has groups, where `uploader` is no administrator; `E40034` when the upload is complete, or was completed and is being verified
 */
export async function abortUpload(tools: FileTools, uploader: Editor, uploadId: string): Promise<void> {
  const version = await requireOwnUpload(tools, uploader, uploadId);
  await changeFiles(tools, uploader.partnerId, async (change) => {
    const found = await lockVersion(change, version.id);
    if (!found || found.status === 'aborted') return;
    if (found.status !== 'uploading') throw new AppError('E40034');
    await takeBack(change, found, tools.clock.now());
  });
}

const batch = 100;

/** Aborts uploads that were opened 24 hours ago and never got their bytes. */
export async function expireUploads(tools: FileTools): Promise<void> {
  const { clock, store } = tools;
  const openedBefore = new Date(clock.now().getTime() - limits.uploadLifetime);
  const expired = await store.read(everything, async (db) =>
    findVersionsByStatus(db, { status: 'uploading', openedBefore, limit: batch }),
  );
  for (const { id, partnerId } of expired) {
    await changeFiles(tools, partnerId, async (change) => {
      const version = await lockVersion(change, id);
      if (version?.status === 'uploading') await takeBack(change, version, clock.now());
    });
  }
}

/** An upload that is not over ends without a version. */
export async function takeBack(change: Change, version: Upload, now: Date): Promise<void> {
  await setVersion(change, version.id, { status: 'aborted' });
  await releaseObjects(change, version, now, now);
  if (version.fileId !== null) await undoOpening(change, version, now);
}

async function undoOpening(change: Change, { fileId, slot }: Version, now: Date): Promise<void> {
  const file = await requireFile(change.db, change.partnerId, fileId);
  if (file.currentVersionId === null) {
    if ((await findOpenVersions(change, fileId)).length === 0) await dropFile(change, file, now);
    return;
  }
  if (slot === 'reserved' && file.reservedVersionId === null) {
    appendUpdated(change, await saveFile(change, { ...file, updateReservationAt: null, updatedAt: now }));
  }
}
