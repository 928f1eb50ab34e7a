import { limits } from '@portal/contracts';
import type { FileDb } from '../../data/db.ts';
import { Prisma, type Version } from '../../data/generated/client.ts';
import type { Change } from '../../files/data/changes.ts';
import { type DueShares, findDue } from '../../files/data/due-shares.ts';
import type { File } from '../../files/data/file-repository.ts';
import { effectiveVersion } from '../../files/data/file-views.ts';
import { keepNeeded } from '../../rollouts/data/needed-versions.ts';
import { numberRollout } from '../../rollouts/data/rollout-repository.ts';

import { versionsKept } from './settings-repository.ts';

/**
 * Gives the current version of a file, which took effect at `at`, its number; the one before has had its time. Which versions keep
 * their bytes moves on with it.
 */
export async function beginLife(change: Change, file: File, at: Date): Promise<void> {
  const { db, partnerId } = change;
  const { currentVersionId, id: fileId, version: number } = file;
  if (currentVersionId === null) throw new Error('A file without bytes has no current version');
  await db.version.updateMany({
    where: { partnerId, fileId, number: number - 1 },
    data: { liveUntil: at },
  });
  await db.version.update({ where: { id: currentVersionId, partnerId }, data: { number, liveFrom: at } });
  if (file.isStaged) {
    await numberRollout(change, currentVersionId, number);
    await keepNeeded(change, file, at);
  }
  await sortOut(change, await versionsKept(db, partnerId), at, Prisma.sql`file.id = ${fileId}`);
}

/** Decides anew which versions of a file keep their bytes. */
export async function sortOutVersions(change: Change, fileId: number, now: Date): Promise<void> {
  await sortOut(
    change,
    await versionsKept(change.db, change.partnerId),
    now,
    Prisma.sql`file.id = ${fileId}`,
  );
}

/** Decides anew which versions of the tenant's files keep their bytes. */
export async function keepVersions(change: Change, kept: number, now: Date): Promise<void> {
  await sortOut(change, kept, now, Prisma.sql`NOT file.deleted`);
}

/** The numbers have no gap, so they tell how many are newer. */
async function sortOut({ db, partnerId }: Change, kept: number, at: Date, files: Prisma.Sql): Promise<void> {
  const oldest = Prisma.sql`${effectiveVersion(at)} - ${kept}`;
  const versions = Prisma.sql`
    FROM files file
    WHERE file.partner_id = ${partnerId} AND ${files} AND version.partner_id = ${partnerId}
      AND version.file_id = file.id AND NOT version.released`;
  // Somebody may still be to have it: the versions of its file go out in stages.
  const isNeeded = Prisma.sql`coalesce(version.number >= file.base_version, false)`;
  const goesAt = new Date(at.getTime() + limits.formerBytesRetention);
  await db.$executeRaw`
    UPDATE versions version SET removes_at = ${goesAt}
    ${versions} AND version.number <= ${oldest} AND NOT ${isNeeded} AND version.removes_at IS NULL`;
  await db.$executeRaw`
    UPDATE versions version SET removes_at = NULL
    ${versions} AND (version.number > ${oldest} OR ${isNeeded}) AND version.removes_at > ${at}`;
}

/** A complete version of a file by its number. */
export async function findByNumber(
  { db, partnerId }: Pick<Change, 'db' | 'partnerId'>,
  fileId: number,
  number: number,
): Promise<Version | null> {
  return db.version.findFirst({ where: { partnerId, fileId, number } });
}

/** Whether the bytes of a version are there to be given out. */
export const hasBytes = (
  { released, removesAt }: Pick<Version, 'released' | 'removesAt'>,
  now: Date,
): boolean => !released && (removesAt === null || removesAt > now);

/** A new version with the bytes of another, under the same key. */
export async function copyVersion(
  { db, partnerId }: Change,
  original: Version,
  made: Pick<
    Version,
    'completedAt' | 'note' | 'openedBy' | 'openedByName' | 'restoredFrom' | 'slot' | 'uploadId'
  > & { readonly now: Date },
): Promise<Version> {
  const { fileId, iconKey, incomingKey, objectKey, sha256, size } = original;
  const { now, ...fields } = made;
  return db.version.create({
    data: {
      ...fields,
      partnerId,
      fileId,
      status: 'complete',
      unattended: false,
      size,
      sha256,
      objectKey,
      iconKey,
      // Nothing arrives for it.
      incomingKey,
      openedAt: now,
      activeAt: now,
      urlsExpireAt: now,
    },
  });
}

/** Sets what is said of a version. */
export async function saveNote(
  { db, partnerId }: Pick<Change, 'db' | 'partnerId'>,
  id: number,
  note: string,
): Promise<void> {
  await db.version.updateMany({ where: { id, partnerId }, data: { note } });
}

/** Of all tenants: versions that are to let go of their bytes, those first that were to for longest. */
export async function findOverdue(
  db: FileDb,
  now: Date,
  shares: DueShares,
): Promise<{ id: number; partnerId: number }[]> {
  return findDue(
    db,
    {
      at: Prisma.sql`removes_at`,
      from: Prisma.sql`versions`,
      where: Prisma.sql`NOT released AND removes_at <= ${now}`,
    },
    shares,
  );
}
