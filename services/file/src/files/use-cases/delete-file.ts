import { fileEvents, limits } from '@portal/contracts';
import { concernsRecord } from '@portal/service-kit';
import { cancelAnnouncements } from '../../assignments/data/assignment-repository.ts';
import { changeDelivery } from '../../changes/use-cases/change-delivery.ts';
import type { Conduct, Waiting } from '../../changes/use-cases/conduct.ts';
import { assertMayChangeDelivery, type Editor } from '../../delivery/use-cases/distribution.ts';
import type { Dependencies } from '../../dependencies.ts';
import { keepLayersFrom } from '../../rollouts/data/rollout-repository.ts';
import {
  findOpenVersions,
  releaseFile,
  releaseObjects,
  setVersion,
} from '../../uploads/data/version-repository.ts';
import type { Change } from '../data/changes.ts';
import { type File, isApplication, requireFile, saveFile } from '../data/file-repository.ts';

/**
 * Deletes a file, delivered or not. Its name and its place in the limit are free at once, players remove it, and its bytes
 * are deleted after seven days.
 * @throws AppError `E40405`; `E40301` for a file that has groups, where `editor` is no administrator
 */
export async function deleteFile(
  deps: Dependencies,
  editor: Editor,
  fileId: number,
  conduct?: Conduct,
): Promise<Waiting | void> {
  const { partnerId } = editor;
  return changeDelivery(deps, partnerId, conduct, async (change) => {
    const file = await requireFile(change.db, partnerId, fileId);
    concernsRecord(file);
    await assertMayChangeDelivery(change, editor, fileId);
    await dropFile(change, file, deps.clock.now());
  });
}

/** The row of a deleted file stays, so that players which were offline learn of the deletion. */
export async function dropFile(change: Change, file: File, now: Date): Promise<void> {
  const bytesGoAt = new Date(now.getTime() + limits.deletedBytesRetention);
  for (const version of await findOpenVersions(change, file.id)) {
    await setVersion(change, version.id, { status: 'aborted' });
    await releaseObjects(change, version, now, now);
  }
  await releaseFile(change, file.id, bytesGoAt);
  await cancelAnnouncements(change, file.id);
  if (file.isStaged) await keepLayersFrom(change, file.id, null);
  await saveFile(change, { ...file, deleted: true, liveFileName: null, updatedAt: now });
  if (isApplication(file)) {
    // Of one that was never complete nobody has heard.
    if (file.completedAt === null) return;
    change.outbox.append(fileEvents.applicationDeleted, {
      subject: file.id,
      partnerId: null,
      data: { applicationId: file.id },
    });
    return;
  }
  change.outbox.append(fileEvents.fileDeleted, {
    subject: file.id,
    partnerId: change.partnerId,
    data: { fileId: file.id },
  });
}
