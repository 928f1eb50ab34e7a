import { AppError } from '@portal/kernel';
import { concernsRecord } from '@portal/service-kit';
import { changeDelivery } from '../../changes/use-cases/change-delivery.ts';
import type { Conduct, Waiting } from '../../changes/use-cases/conduct.ts';
import { assertMayChangeDelivery, type Editor } from '../../delivery/use-cases/distribution.ts';
import type { Dependencies } from '../../dependencies.ts';
import { requireFile, saveFile } from '../../files/data/file-repository.ts';
import { appendUpdated } from '../../files/use-cases/append-updated.ts';
import { findOpenVersions, releaseObjects, setVersion } from '../../uploads/data/version-repository.ts';
import { applyDueUpdate, isUpdatePending, releaseVersion } from './apply-due-update.ts';

/**
 * Takes a reserved update back: the current version stays. Where nothing was ever reserved nothing happens.
 * @throws AppError `E40405`; `E40301` for a file that has groups, where `editor` is no administrator; `E40034` when the
 * update has taken effect
 */
export async function cancelUpdate(
  deps: Dependencies,
  editor: Editor,
  fileId: number,
  conduct?: Conduct,
): Promise<Waiting | void> {
  const { partnerId } = editor;
  return changeDelivery(deps, partnerId, conduct, async (change) => {
    const now = deps.clock.now();
    const file = await applyDueUpdate(change, await requireFile(change.db, partnerId, fileId), now);
    concernsRecord(file);
    if (file.updateReservationAt === null) return;
    await assertMayChangeDelivery(change, editor, fileId);
    if (!(await isUpdatePending(change, file))) throw new AppError('E40034');
    for (const version of await findOpenVersions(change, fileId, 'reserved')) {
      await setVersion(change, version.id, { status: 'aborted' });
      await releaseObjects(change, version, now, now);
    }
    await releaseVersion(change, file.reservedVersionId, now);
    const restored = await saveFile(change, {
      ...file,
      reservedVersionId: null,
      updateReservationAt: null,
      updatedAt: now,
    });
    appendUpdated(change, restored);
  });
}
