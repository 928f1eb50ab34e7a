import { fileEvents, formatNullableDateTime } from '@portal/contracts';
import { AppError, newId } from '@portal/kernel';
import { concernsRecord } from '@portal/service-kit';
import { applicationState } from '../../applications/use-cases/application-state.ts';
import { changeDelivery } from '../../changes/use-cases/change-delivery.ts';
import type { Conduct, Waiting } from '../../changes/use-cases/conduct.ts';
import type { Version } from '../../data/generated/client.ts';
import { countReached } from '../../delivery/data/reach-counts.ts';
import { assertMayChangeDelivery, type Uploader } from '../../delivery/use-cases/distribution.ts';
import type { Dependencies } from '../../dependencies.ts';
import type { Change } from '../../files/data/changes.ts';
import { type File, isApplication, requireFile, saveFile } from '../../files/data/file-repository.ts';
import { appendUpdated } from '../../files/use-cases/append-updated.ts';
import { beginPlanning, type PlannedRollout, planVersion } from '../../rollouts/use-cases/plan-rollout.ts';
import { settleRollouts } from '../../rollouts/use-cases/settle-rollouts.ts';
import { assertStillAhead, reserveUpdate } from '../../updates/domain/schedule.ts';
import {
  appendReleased,
  applyDueUpdate,
  isUpdatePending,
  releaseVersion,
} from '../../updates/use-cases/apply-due-update.ts';
import { endOpenVersions } from '../../uploads/use-cases/open-upload.ts';
import { beginLife, copyVersion, findByNumber, hasBytes } from '../data/life-repository.ts';

/**
 * Makes the bytes of a former version a new version, at once or, with `at`, as a reservation, which takes the place of one that
 * there is. No byte is copied.
 * @returns its number; of a reserved one the number that it is to get
 * @throws AppError `E40404` for a pilot group that there is not; `E40405`; `E40401` for a number that no version has had; `E40301` for a file that has groups, where `editor` is no
 * administrator; `E40034` for the current, the reserved or a removed version; with `at`, `E40019` while the bytes of a reserved
 * upload are verified, and `E40002` or `E40025` on `updateReservationAt`
 */
export async function restoreVersion(
  deps: Dependencies,
  editor: Uploader,
  restored: { readonly fileId: number; readonly version: number },
  how: { readonly at: Date | undefined; readonly note: string; readonly rollout: PlannedRollout },
  conduct?: Conduct,
): Promise<number | Waiting> {
  const { at, note, rollout } = how;
  const { fileId, version: number } = restored;
  const { partnerId } = editor;
  const creator = await deps.creatorOf(editor);
  await deps.requirePilots({ partnerId, fileId }, rollout);
  return changeDelivery(deps, partnerId, conduct, async (change) => {
    await beginPlanning(change, rollout);
    const now = deps.clock.now();
    const before = await applyDueUpdate(change, await requireFile(change.db, partnerId, fileId), now);
    concernsRecord(before);
    const original = await requireFormer(change, before, number, now);
    await assertMayChangeDelivery(change, editor, fileId);
    const scheduled =
      at === undefined
        ? before
        : reserveUpdate(before, at, {
            now: conduct?.askedAt ?? now,
            updatePending: await isUpdatePending(change, before),
            withFile: true,
          });
    if (conduct?.askedAt) assertStillAhead(at, now);
    if (at !== undefined) {
      await endOpenVersions(change, fileId, 'reserved', now);
      await releaseVersion(change, before.reservedVersionId, now);
    }
    const { id } = await copyVersion(change, original, {
      uploadId: newId(),
      slot: at === undefined ? 'current' : 'reserved',
      note,
      openedBy: creator?.id ?? null,
      openedByName: creator?.name ?? null,
      restoredFrom: number,
      completedAt: now,
      now,
    });
    await planVersion(change, fileId, id, rollout, { now });
    const placed =
      at === undefined ? { currentVersionId: id, version: before.version + 1 } : { reservedVersionId: id };
    const file = await saveFile(change, { ...scheduled, ...placed, updatedAt: now });
    if (!isApplication(file)) await countReached(change, fileId, at ?? now);
    if (at === undefined) {
      await beginLife(change, file, now);
      await settleRollouts(change, file, now);
    }
    return tell(change, file, { original, at: at ?? null });
  });
}

async function requireFormer(change: Change, file: File, number: number, now: Date): Promise<Version> {
  const isReserved = file.reservedVersionId !== null && number === file.version + 1;
  if (isReserved || (number === file.version && number > 0)) throw new AppError('E40034');
  const version = await findByNumber(change, file.id, number);
  if (!version) throw new AppError('E40401');
  if (!hasBytes(version, now)) throw new AppError('E40034');
  return version;
}

async function tell(
  change: Change,
  file: File,
  { at, original }: { readonly original: Version; readonly at: Date | null },
): Promise<number> {
  const { outbox, partnerId } = change;
  if (isApplication(file)) {
    outbox.append(fileEvents.applicationPublished, {
      subject: file.id,
      partnerId: null,
      data: {
        ...(await applicationState(change.db, file)),
        fileSize: Number(original.size),
        sha256: original.sha256 ?? '',
      },
    });
    return file.version;
  }
  const version = at === null ? file.version : file.version + 1;
  outbox.append(fileEvents.fileVersionRestored, {
    subject: file.id,
    partnerId,
    data: {
      fileId: file.id,
      version,
      restoredFrom: original.number ?? 0,
      updateReservationAt: formatNullableDateTime(at),
      fileSize: Number(original.size),
    },
  });
  if (at === null) appendReleased(change, file);
  else appendUpdated(change, file);
  return version;
}
