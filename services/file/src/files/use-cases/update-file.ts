import { AppError } from '@portal/kernel';
import { mayWait } from '../../approvals/data/approval-repository.ts';
import { announceAgain } from '../../assignments/data/assignment-repository.ts';
import { changeDelivery } from '../../changes/use-cases/change-delivery.ts';
import type { Conduct, Waiting } from '../../changes/use-cases/conduct.ts';
import { announceDelivery } from '../../delivery/use-cases/announce-delivery.ts';
import { assertMayChangeDelivery, type Uploader } from '../../delivery/use-cases/distribution.ts';
import type { Dependencies } from '../../dependencies.ts';
import { beginPlanning, type PlannedRollout, planVersion } from '../../rollouts/use-cases/plan-rollout.ts';
import { assertStillAhead, isDelivered, reserveDelivery } from '../../updates/domain/schedule.ts';
import { applyDueUpdate, isUpdatePending } from '../../updates/use-cases/apply-due-update.ts';
import type { Version } from '../../uploads/data/version-repository.ts';
import { openUpload } from '../../uploads/use-cases/open-upload.ts';
import { noteVersion } from '../../versions/use-cases/note-version.ts';
import { requireFile, saveFile } from '../data/file-repository.ts';
import { assertPackage, assertSameName } from '../domain/package.ts';
import { appendUpdated } from './append-updated.ts';

export interface NewVersion {
  readonly fileName: string;
  /** Bytes. */
  readonly fileSize: number;
  readonly fingerprint: string | undefined;
}

/** The file that comes with an update, whose name and size belong together: `E40003` on the one that is missing. */
export function newVersionOf(given: {
  fileName?: string | undefined;
  fileSize?: number | undefined;
  fingerprint?: string | undefined;
}): NewVersion | undefined {
  const { fileName, fileSize, fingerprint } = given;
  if (fileName === undefined && fileSize === undefined) return undefined;
  if (fileName === undefined) throw new AppError('E40003', [{ field: 'fileName', message: 'required' }]);
  if (fileSize === undefined) throw new AppError('E40003', [{ field: 'fileSize', message: 'required' }]);
  return { fileName, fileSize, fingerprint };
}

/** What a call says of a version; null clears it, and what is absent stays. */
export const noteOf = ({ versionNote }: { versionNote?: string | null | undefined }): string | undefined =>
  versionNote === null ? '' : versionNote;

/**
 * Changes what is known of a file; undefined leaves a value as it is. With `newVersion` it opens an upload, whose bytes
 * take the place of the current ones when they are complete.
 * @throws AppError `E40003` for stages without bytes; `E40404` for a pilot group that there is not; `E40405`; `E40301` for other bytes or another time of a file that has groups, where `editor` is no
 * administrator; `E40002` on `file`; `E40002` or `E40025` on `updateReservationAt`; `E40019`
 */
export async function updateFile(
  deps: Dependencies,
  editor: Uploader,
  fileId: number,
  changes: {
    name: string | undefined;
    note: string | undefined;
    deliverReservationAt: Date | null | undefined;
    newVersion: NewVersion | undefined;
    /** What is said of the new version or, without one, of the current one. */
    versionNote: string | undefined;
    /** The stages of the new version. */
    rollout: PlannedRollout;
  },
  conduct?: Conduct,
): Promise<Version | undefined | Waiting> {
  const { deliverReservationAt, name, newVersion, note, rollout, versionNote } = changes;
  if (!newVersion && rollout !== undefined) throw fileRequired();
  const { partnerId } = editor;
  const quota = newVersion ? await deps.quotaOf(partnerId) : 0;
  const creator = newVersion ? await deps.creatorOf(editor) : null;
  await deps.requirePilots({ partnerId, fileId }, rollout);
  return changeDelivery(deps, partnerId, conduct, async (change) => {
    await beginPlanning(change, rollout);
    const now = deps.clock.now();
    const before = await applyDueUpdate(change, await requireFile(change.db, partnerId, fileId), now);
    if (newVersion) assertNewVersion(before.fileName, newVersion);
    const scheduled =
      deliverReservationAt === undefined
        ? before
        : reserveDelivery(before, deliverReservationAt, {
            now: conduct?.askedAt ?? now,
            updatePending: await isUpdatePending(change, before),
          });
    if (conduct?.askedAt) assertStillAhead(deliverReservationAt, now);
    if (newVersion || scheduled !== before) await assertMayChangeDelivery(change, editor, fileId);
    // What another admin is to approve goes with the bytes.
    const waits = newVersion !== undefined && (await mayWait(change, fileId));
    const file = await saveFile(change, {
      ...(waits ? before : scheduled),
      name: name ?? before.name,
      note: note ?? before.note,
      updatedAt: now,
    });
    if (isDelivered(before, now) && !isDelivered(file, now)) await announceAgain(change, fileId);
    appendUpdated(change, file);
    await announceDelivery(change, file, now);
    if (!newVersion) {
      await noteVersion(change, file, 'current', versionNote);
      return undefined;
    }
    const { fileSize: size, fingerprint } = newVersion;
    const version = await openUpload(deps, change, {
      file,
      slot: 'current',
      size,
      fingerprint,
      quota,
      creator,
      note: versionNote ?? '',
      asked: waits
        ? { what: 'file', body: { deliverReservationAt, ...newVersion, versionNote, rollout } }
        : undefined,
    });
    await planVersion(change, fileId, version.id, rollout, { now });
    return version;
  });
}

/** What concerns new bytes says nothing without them. */
export const fileRequired = (): AppError =>
  new AppError('E40003', [
    { field: 'fileName', message: 'required' },
    { field: 'fileSize', message: 'required' },
  ]);

export function assertNewVersion(
  original: string,
  { fileName, fileSize }: Omit<NewVersion, 'fingerprint'>,
): void {
  assertSameName(original, fileName);
  assertPackage(fileName, fileSize);
}
