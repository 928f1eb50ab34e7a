import { fileEvents, limits } from '@portal/contracts';
import { type BroughtChange, storedChange } from '../../changes/domain/stored-change.ts';
import type { Dependencies } from '../../dependencies.ts';
import type { Change } from '../../files/data/changes.ts';
import { type File, isApplication } from '../../files/data/file-repository.ts';
import { assertRoom } from '../../files/use-cases/storage-quota.ts';
import {
  type Creator,
  findOpenVersions,
  openVersion,
  releaseObjects,
  setVersion,
  type Version,
} from '../data/version-repository.ts';
import { assertReplaceable, type Slot } from '../domain/upload.ts';

/**
 * Opens the upload of a version of `file`, in the place of an earlier one for the same slot that was never completed.
 * @throws AppError `E40019` while the bytes of the earlier one are being verified; `E40002` on `file` over the quota
 */
export async function openUpload(
  { clock }: Pick<Dependencies, 'clock'>,
  change: Change,
  opened: {
    file: File;
    slot: Slot;
    size: number | undefined;
    fingerprint: string | undefined;
    quota: number;
    creator: Creator | null;
    /** What is said of the version. */
    note: string;
    /** What its call asks for, where that is to wait for another admin once the bytes are there. */
    asked?: BroughtChange | undefined;
    unattended?: boolean;
  },
): Promise<Version> {
  const { asked, creator, file, fingerprint, note, quota, size, slot, unattended = false } = opened;
  const now = clock.now();
  await endOpenVersions(change, file.id, slot, now);
  await assertRoom(change, quota, size ?? 0);
  const version = await openVersion(change, {
    fileId: file.id,
    slot,
    size,
    fingerprint,
    unattended,
    creator,
    note,
    asked: asked && storedChange(asked),
    now,
    urlsExpireAt: urlsEnd(now),
  });
  // Of an application others are told when it is complete.
  if (isApplication(file)) return version;
  change.outbox.append(fileEvents.uploadStarted, {
    subject: file.id,
    partnerId: change.partnerId,
    data: {
      fileId: file.id,
      uploadId: version.uploadId,
      fileName: file.fileName,
      fileSize: size ?? null,
    },
  });
  return version;
}

/**
 * Ends the uploads for a slot, for something else takes their place.
 * @throws AppError `E40019` while the bytes of one are being verified
 */
export async function endOpenVersions(change: Change, fileId: number, slot: Slot, now: Date): Promise<void> {
  for (const earlier of await findOpenVersions(change, fileId, slot)) {
    assertReplaceable(earlier);
    await setVersion(change, earlier.id, { status: 'aborted' });
    await releaseObjects(change, earlier, now, now);
  }
}

/** When every URL that is signed at `now` has expired. */
export function urlsEnd(now: Date): Date {
  return new Date(now.getTime() + limits.signedUrlLifetime);
}
