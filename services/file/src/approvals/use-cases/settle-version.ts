import { AppError } from '@portal/kernel';
import type { AskedChange } from '../../changes/domain/asked-change.ts';
import { askedChange, type BroughtChange, storedChangeSchema } from '../../changes/domain/stored-change.ts';
import { rehearse } from '../../changes/use-cases/observe.ts';
import type { Change } from '../../files/data/changes.ts';
import { requireFile } from '../../files/data/file-repository.ts';
import { releaseVersion } from '../../updates/use-cases/apply-due-update.ts';
import type { Version } from '../../uploads/data/version-repository.ts';
import { failUpload } from '../../uploads/use-cases/abort-upload.ts';
import { placeAsked, placeVersion } from '../../uploads/use-cases/place-version.ts';
import { mayWait } from '../data/approval-repository.ts';
import { askForChange } from './ask.ts';

/**
 * A version whose bytes are complete takes its place, or waits for another admin. Where what its call asked for cannot be any more,
 * the upload has ended without a version, and who began it is told.
 */
export async function settleVersion(change: Change, version: Version, now: Date): Promise<void> {
  try {
    if (await mayWait(change, version.fileId)) await askForVersion(change, version, now);
    else await settleNow(change, version, now);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await releaseVersion(change, version.id, now);
    await failUpload(change, version, 'outdated', now);
  }
}

async function askForVersion(change: Change, version: Version, now: Date): Promise<void> {
  const asked = await broughtBy(change, version);
  const effect = await rehearse(change, asked, now, async (inside) => settleNow(inside, version, now));
  await askForChange(change, asked, {
    by: { id: version.openedBy ?? 0, name: version.openedByName },
    effect,
    now,
  });
}

/** A version takes its place, with the times that waited with it. */
export async function settleNow(change: Change, version: Version, now: Date): Promise<void> {
  const { fileId, id: versionId, openedAt: askedAt } = version;
  const waited = waitedWith(version);
  await (waited
    ? placeAsked(change, { ...waited, askedAt, fileId, versionId }, now)
    : placeVersion(change, versionId, now));
}

/** What the call of a version asked for, where that was to wait with its bytes. */
function waitedWith({ asked, fileId, id }: Version): BroughtChange | undefined {
  if (asked === null) return undefined;
  const change = askedChange(storedChangeSchema.parse(asked), { fileId, versionId: id });
  return change.what === 'file' || change.what === 'reservation' ? change : undefined;
}

/** The change that a version brings; of a call that was not to wait, as far as the version tells. */
async function broughtBy(change: Change, version: Version): Promise<AskedChange> {
  const { fileId, id: versionId, size, slot } = version;
  const waited = waitedWith(version);
  if (waited) return { ...waited, fileId, versionId };
  const { fileName, updateReservationAt } = await requireFile(change.db, change.partnerId, fileId);
  const body = { fileName, fileSize: size ?? 0 };
  return slot === 'current' || updateReservationAt === null
    ? { what: 'file', body, fileId, versionId }
    : { what: 'reservation', body: { ...body, updateReservationAt }, fileId, versionId };
}
