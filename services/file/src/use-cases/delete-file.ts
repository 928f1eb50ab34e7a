import { fileEvents, limits } from '@portal/contracts';
import { announceNever } from '../data/assignment-repository.ts';
import type { Change } from '../data/changes.ts';
import { type File, requireFile, saveFile } from '../data/file-repository.ts';
import { findOpenVersions, releaseObjects, setVersion } from '../data/version-repository.ts';
import { assertMayChangeDelivery, type Editor } from './distribution.ts';
import { changeFiles, type FileTools } from './file-use-cases.ts';
import { releaseVersionAt } from './settle-update.ts';

/**
 * Deletes a file, delivered or not. Its name and its place in the limit are free at once, players are told, and its bytes
 * go away after seven days.
 * @throws AppError `E40405`; `E40301` for a file that has groups, where `editor` is no administrator
 */
export async function deleteFile(tools: FileTools, editor: Editor, fileId: number): Promise<void> {
  const { partnerId } = editor;
  await changeFiles(tools, partnerId, async (change) => {
    const file = await requireFile(change.db, partnerId, fileId);
    await assertMayChangeDelivery(change, editor, fileId);
    await dropFile(change, file, tools.clock.now());
  });
}

/** What is left of a file is its row, so that players which were away can be told. */
export async function dropFile(change: Change, file: File, now: Date): Promise<void> {
  const bytesGoAt = new Date(now.getTime() + limits.deletedBytesRetention);
  for (const version of await findOpenVersions(change, file.id)) {
    await setVersion(change, version.id, { status: 'aborted' });
    await releaseObjects(change, version, now, now);
  }
  await releaseVersionAt(change, file.currentVersionId, now, bytesGoAt);
  await releaseVersionAt(change, file.reservedVersionId, now, bytesGoAt);
  await announceNever(change, file.id);
  await saveFile(change, { ...file, deleted: true, liveFileName: null, updatedAt: now });
  change.outbox.append(fileEvents.fileDeleted, {
    subject: file.id,
    partnerId: change.partnerId,
    data: { fileId: file.id },
  });
}
