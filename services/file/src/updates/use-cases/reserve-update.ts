import { AppError } from '@portal/kernel';
import { concernsRecord } from '@portal/service-kit';
import { mayWait } from '../../approvals/data/approval-repository.ts';
import { changeDelivery } from '../../changes/use-cases/change-delivery.ts';
import type { Conduct, Waiting } from '../../changes/use-cases/conduct.ts';
import { assertMayChangeDelivery, type Uploader } from '../../delivery/use-cases/distribution.ts';
import type { Dependencies } from '../../dependencies.ts';
import type { Change } from '../../files/data/changes.ts';
import { type File, requireFile, saveFile } from '../../files/data/file-repository.ts';
import { appendUpdated } from '../../files/use-cases/append-updated.ts';
import { assertNewVersion, fileRequired, type NewVersion } from '../../files/use-cases/update-file.ts';
import { beginPlanning, type PlannedRollout, planVersion } from '../../rollouts/use-cases/plan-rollout.ts';
import type { Version } from '../../uploads/data/version-repository.ts';
import { openUpload } from '../../uploads/use-cases/open-upload.ts';
import { noteVersion } from '../../versions/use-cases/note-version.ts';
import { assertStillAhead, reserveUpdate as reserve } from '../domain/schedule.ts';
import { applyDueUpdate, findReservedUploads, isUpdatePending } from './apply-due-update.ts';

/**
 * Reserves an update: from `at` on players get the new version, or from when its upload is complete, if that is later.
 * Without `newVersion` only the time of a reserved update moves. A version that was reserved before stays so until the
 * new one is complete.
 * @throws AppError `E40405`; `E40301` for a file that has groups, where `editor` is no administrator; `E40019` while the
 * file has no complete version; `E40003` where neither is reserved nor comes a version; `E40002` on `file`; `E40002` or
 * `E40025` on `updateReservationAt`
 */
export async function reserveUpdate(
  deps: Dependencies,
  editor: Uploader,
  fileId: number,
  reservation: {
    at: Date;
    newVersion: NewVersion | undefined;
    /** What is said of the new version or, without one, of the one that is reserved. */
    versionNote: string | undefined;
    /** The stages of that version; absent: those of the reserved one stay. */
    rollout: PlannedRollout;
  },
  conduct?: Conduct,
): Promise<Version | undefined | Waiting> {
  const { at, newVersion, rollout, versionNote } = reservation;
  const { partnerId } = editor;
  const quota = newVersion ? await deps.quotaOf(partnerId) : 0;
  const creator = newVersion ? await deps.creatorOf(editor) : null;
  await deps.requirePilots({ partnerId, fileId }, rollout);
  return changeDelivery(deps, partnerId, conduct, async (change) => {
    await beginPlanning(change, rollout);
    const now = deps.clock.now();
    const before = await applyDueUpdate(change, await requireFile(change.db, partnerId, fileId), now);
    concernsRecord(before);
    if (before.currentVersionId === null) throw new AppError('E40019');
    if (newVersion) assertNewVersion(before.fileName, newVersion);
    const scheduled = reserve(before, at, {
      now: conduct?.askedAt ?? now,
      updatePending: await isUpdatePending(change, before),
      withFile: newVersion !== undefined,
    });
    if (conduct?.askedAt) assertStillAhead(at, now);
    if (!newVersion) await noteVersion(change, before, 'reserved', versionNote);
    if (scheduled === before) {
      if (rollout) throw fileRequired();
      return undefined;
    }
    if (newVersion || rollout !== undefined || at.getTime() !== before.updateReservationAt?.getTime()) {
      await assertMayChangeDelivery(change, editor, fileId);
    }
    // What another admin is to approve goes with the bytes.
    const waits = newVersion !== undefined && (await mayWait(change, fileId));
    const file = await saveFile(change, { ...(waits ? before : scheduled), updatedAt: now });
    if (!waits) appendUpdated(change, file);
    const reserved = await reservedIds(change, before);
    if (!newVersion) {
      for (const id of reserved)
        await planVersion(change, fileId, id, rollout, { replaces: before.reservedVersionId, now });
      return undefined;
    }
    const { fileSize: size, fingerprint } = newVersion;
    const version = await openUpload(deps, change, {
      file,
      slot: 'reserved',
      size,
      fingerprint,
      quota,
      creator,
      note: versionNote ?? '',
      asked: waits
        ? { what: 'reservation', body: { updateReservationAt: at, ...newVersion, versionNote, rollout } }
        : undefined,
    });
    await planVersion(change, fileId, version.id, rollout, {
      from: reserved.at(-1) ?? null,
      replaces: before.reservedVersionId,
      now,
    });
    return version;
  });
}

/** The versions that are reserved: the complete one, and then that whose bytes are to take its place. */
async function reservedIds(change: Change, { id, reservedVersionId }: File): Promise<number[]> {
  const open = await findReservedUploads(change, id);
  return [...(reservedVersionId === null ? [] : [reservedVersionId]), ...open.map((version) => version.id)];
}
