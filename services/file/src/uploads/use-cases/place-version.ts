import { fileEvents } from '@portal/contracts';
import { applicationState } from '../../applications/use-cases/application-state.ts';
import { announceAgain } from '../../assignments/data/assignment-repository.ts';
import type { BroughtChange } from '../../changes/domain/stored-change.ts';
import { countReached } from '../../delivery/data/reach-counts.ts';
import { announceDelivery } from '../../delivery/use-cases/announce-delivery.ts';
import type { Change } from '../../files/data/changes.ts';
import { type File, isApplication, requireFile, saveFile } from '../../files/data/file-repository.ts';
import { appendUpdated } from '../../files/use-cases/append-updated.ts';
import { isDelivered, reserveDelivery, reserveUpdate } from '../../updates/domain/schedule.ts';
import {
  appendReleased,
  applyDueUpdate,
  isUpdatePending,
  releaseVersion,
} from '../../updates/use-cases/apply-due-update.ts';
import { beginLife } from '../../versions/data/life-repository.ts';
import { findVersion } from '../data/version-repository.ts';

/** A complete version takes its place; a version that was reserved goes. */
export async function placeVersion(change: Change, versionId: number, now: Date): Promise<void> {
  const { partnerId } = change;
  const version = await findVersion(change.db, partnerId, versionId);
  if (version?.fileId == null) throw new Error('Only the version of a file has a place');
  const { fileId, id, sha256, size, slot } = version;
  const before = await applyDueUpdate(change, await requireFile(change.db, partnerId, fileId), now);
  const isUpdate = before.currentVersionId !== null;
  const placed =
    slot === 'current'
      ? { currentVersionId: id, version: before.version + 1, completedAt: before.completedAt ?? now }
      : { reservedVersionId: id };
  if (slot === 'reserved') await releaseVersion(change, before.reservedVersionId, now);
  const file = await saveFile(change, { ...before, ...placed, updatedAt: now });
  if (slot === 'current') await beginLife(change, file, now);
  const bytes = { fileSize: size ?? 0, sha256: sha256 ?? '' };
  if (isApplication(file)) {
    change.outbox.append(fileEvents.applicationPublished, {
      subject: fileId,
      partnerId: null,
      data: { ...(await applicationState(change.db, file)), ...bytes },
    });
    // The first of its stages begins.
    await applyDueUpdate(change, file, now);
    return;
  }
  await countReached(change, fileId, (slot === 'reserved' ? file.updateReservationAt : null) ?? now);
  change.outbox.append(fileEvents.fileUploaded, {
    subject: fileId,
    partnerId,
    data: {
      fileId,
      version: slot === 'current' ? file.version : file.version + 1,
      fileName: file.fileName,
      ...bytes,
      reserved: slot === 'reserved',
    },
  });
  if (slot === 'current' && isUpdate) appendReleased(change, file);
  // An update that was complete only after its time takes effect now.
  await applyDueUpdate(change, file, now);
}

/**
 * As `placeVersion`, with the times that its call asked for, where they were to wait with the bytes. A reservation whose upload
 * took longer than its time takes effect at once.
 * @throws AppError as the change does
 */
export async function placeAsked(
  change: Change,
  {
    askedAt,
    fileId,
    versionId,
    ...brought
  }: BroughtChange & { fileId: number; versionId: number; askedAt: Date },
  now: Date,
): Promise<void> {
  const before = await applyDueUpdate(change, await requireFile(change.db, change.partnerId, fileId), now);
  const file = await saveFile(change, {
    ...(await withTimes(change, before, brought, askedAt)),
    updatedAt: now,
  });
  if (isDelivered(before, now) && !isDelivered(file, now)) await announceAgain(change, fileId);
  appendUpdated(change, file);
  await announceDelivery(change, file, now);
  await placeVersion(change, versionId, now);
}

async function withTimes(change: Change, file: File, brought: BroughtChange, askedAt: Date): Promise<File> {
  const context = { now: askedAt, updatePending: await isUpdatePending(change, file) };
  if (brought.what === 'reservation') {
    return reserveUpdate(file, brought.body.updateReservationAt, { ...context, withFile: true });
  }
  const { deliverReservationAt } = brought.body;
  return deliverReservationAt === undefined ? file : reserveDelivery(file, deliverReservationAt, context);
}
