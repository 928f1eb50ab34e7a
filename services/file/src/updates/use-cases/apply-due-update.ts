import { fileEvents } from '@portal/contracts';
import type { Change } from '../../files/data/changes.ts';
import { type File, saveFileUnnumbered } from '../../files/data/file-repository.ts';
import { dropPlan } from '../../rollouts/data/rollout-repository.ts';
import { settleRollouts } from '../../rollouts/use-cases/settle-rollouts.ts';
import {
  findOpenVersions,
  findVersion,
  releaseObjects,
  type Version,
} from '../../uploads/data/version-repository.ts';
import { urlsEnd } from '../../uploads/use-cases/open-upload.ts';
import { beginLife } from '../../versions/data/life-repository.ts';
import { scheduleAt } from '../domain/schedule.ts';

/**
 * Writes down that a reserved version has taken effect, and which stages have begun, and tells of it. Players have been seeing it since its time had come;
 * where it has not, nothing happens. Every change of a file begins with this.
 */
export async function applyDueUpdate(change: Change, file: File, now: Date): Promise<File> {
  // In this order: a version that has taken effect leaves the stages of the one before as they were then.
  await settleRollouts(change, file, now);
  const live = await applyReserved(change, file, now);
  if (live !== file) await settleRollouts(change, live, now);
  return live;
}

async function applyReserved(change: Change, file: File, now: Date): Promise<File> {
  const settled = scheduleAt(file, now);
  if (settled === file) return file;
  appendReleased(change, settled);
  const effectiveAt = await whenLive(change, settled);
  const updatedAt = file.updatedAt > effectiveAt ? file.updatedAt : effectiveAt;
  const saved = await saveFileUnnumbered(change, { ...settled, updatedAt });
  await beginLife(change, saved, effectiveAt);
  return saved;
}

/** At its time, or when its bytes were complete, if that was later. */
async function whenLive(
  { db, partnerId }: Change,
  { currentVersionId, updateReservationAt }: File,
): Promise<Date> {
  const { completedAt } = await db.version.findUniqueOrThrow({
    where: { id: currentVersionId ?? 0, partnerId },
    select: { completedAt: true },
  });
  const times = [completedAt, updateReservationAt].flatMap((time) => time?.getTime() ?? []);
  return new Date(Math.max(...times));
}

export function appendReleased({ outbox, partnerId }: Change, { id, version }: File): void {
  outbox.append(fileEvents.fileVersionReleased, { subject: id, partnerId, data: { fileId: id, version } });
}

/** Lets the bytes of a version go once no URL that was signed for them is good any more. */
export async function releaseVersion(change: Change, versionId: number | null, now: Date): Promise<void> {
  if (versionId === null) return;
  const version = await findVersion(change.db, change.partnerId, versionId);
  if (!version) return;
  if (version.number === null) await dropPlan(change, versionId);
  await releaseObjects(change, version, now, urlsEnd(now));
}

/** Whether an update is reserved that has not taken effect, its bytes complete or not. */
export async function isUpdatePending(change: Change, file: File): Promise<boolean> {
  return file.reservedVersionId !== null || (await findReservedUploads(change, file.id)).length > 0;
}

/** The uploads of updates that are reserved. What is to wait for another admin is not reserved yet. */
export async function findReservedUploads(change: Change, fileId: number): Promise<Version[]> {
  return (await findOpenVersions(change, fileId, 'reserved')).filter(({ asked }) => asked === null);
}
