import { AppError } from '@portal/kernel';
import { appendUpdated, requireFile, saveFile } from '../data/file-repository.ts';
import type { Version } from '../data/version-repository.ts';
import { reserveUpdate as reserve } from '../domain/schedule.ts';
import { assertMayChangeDelivery, type Editor } from './distribution.ts';
import { changeFiles, type FileTools } from './file-use-cases.ts';
import { openUpload } from './open-upload.ts';
import { isUpdatePending, settleUpdate } from './settle-update.ts';
import { assertNewVersion, type NewVersion } from './update-file.ts';

/**
 * Reserves an update: from `at` on players get the new version, or from when its upload is complete, if that is later.
 * Without `newVersion` only the time of a reserved update moves. A version that was reserved before stays so until the
 * new one is complete.
 * @throws AppError `E40405`; `E40301` for a file that has groups, where `editor` is no administrator; `E40019` while the
 * file has no complete version; `E40003` where neither is reserved nor comes a version; `E40002` on `file`; `E40002` or
 * `E40025` on `updateReservationAt`
 */
export async function reserveUpdate(
  tools: FileTools,
  editor: Editor,
  fileId: number,
  reservation: { at: Date; newVersion: NewVersion | undefined },
): Promise<Version | undefined> {
  const { at, newVersion } = reservation;
  const { partnerId } = editor;
  const quota = newVersion ? await tools.quotaOf(partnerId) : 0;
  return changeFiles(tools, partnerId, async (change) => {
    const now = tools.clock.now();
    const before = await settleUpdate(change, await requireFile(change.db, partnerId, fileId), now);
    if (before.currentVersionId === null) throw new AppError('E40019');
    if (newVersion) assertNewVersion(before.fileName, newVersion);
    const scheduled = reserve(before, at, {
      now,
      updatePending: await isUpdatePending(change, before),
      withFile: newVersion !== undefined,
    });
    if (scheduled === before) return undefined;
    if (newVersion || at.getTime() !== before.updateReservationAt?.getTime()) {
      await assertMayChangeDelivery(change, editor, fileId);
    }
    const file = await saveFile(change, { ...scheduled, updatedAt: now });
    appendUpdated(change, file);
    if (!newVersion) return undefined;
    return openUpload(tools, change, { file, slot: 'reserved', size: newVersion.fileSize, quota });
  });
}
