import { fileEvents } from '@portal/contracts';
import type { Change } from '../../files/data/changes.ts';
import { type File, saveFileUnnumbered } from '../../files/data/file-repository.ts';
import { findOpenVersions, findVersion, releaseObjects } from '../../uploads/data/version-repository.ts';
import { urlsEnd } from '../../uploads/use-cases/open-upload.ts';
import { scheduleAt } from '../domain/schedule.ts';

/**
 * Writes down that a reserved version has taken effect, tells of it, and lets the version before it go. Players have been
 * seeing it since its time had come; where it has not, nothing happens. Every change of a file begins with this.
 */
export async function applyDueUpdate(change: Change, file: File, now: Date): Promise<File> {
  const settled = scheduleAt(file, now);
  if (settled === file) return file;
  await releaseVersion(change, file.currentVersionId, now);
  appendReleased(change, settled);
  const effectiveAt = file.updateReservationAt ?? now;
  const updatedAt = file.updatedAt > effectiveAt ? file.updatedAt : effectiveAt;
  return saveFileUnnumbered(change, { ...settled, updatedAt });
}

export function appendReleased({ outbox, partnerId }: Change, { id, version }: File): void {
  outbox.append(fileEvents.fileVersionReleased, { subject: id, partnerId, data: { fileId: id, version } });
}

/** Lets the bytes of a version go once no URL that was signed for them is good any more. */
export async function releaseVersion(change: Change, versionId: number | null, now: Date): Promise<void> {
  await releaseVersionAt(change, versionId, now, urlsEnd(now));
}

export async function releaseVersionAt(
  change: Change,
  versionId: number | null,
  now: Date,
  dueAt: Date,
): Promise<void> {
  if (versionId === null) return;
  const version = await findVersion(change.db, change.partnerId, versionId);
  if (version) await releaseObjects(change, version, now, dueAt);
}

/** Whether an update is reserved that has not taken effect, its bytes complete or not. */
export async function isUpdatePending(change: Change, file: File): Promise<boolean> {
  return file.reservedVersionId !== null || (await findOpenVersions(change, file.id, 'reserved')).length > 0;
}
