import { limits } from '@portal/contracts';
import { fieldError, newId } from '@portal/kernel';
import { leaseQueue } from '@portal/service-kit';
import { type MultipartUpload, operator, tenantKey } from '@portal/storage';
import type { StoredChange } from '../../changes/domain/stored-change.ts';
import type { FileDb } from '../../data/db.ts';
import { Prisma, type Version as VersionRow } from '../../data/generated/client.ts';
import type { Change } from '../../files/data/changes.ts';
import { type DueShares, findDue } from '../../files/data/due-shares.ts';
import { partSize, type Slot, type VersionStatus } from '../domain/upload.ts';

interface UploadFields
  extends Omit<VersionRow, 'fileId' | 'importId' | 'slot' | 'status' | 'size' | 'storedBytes'> {
  readonly status: VersionStatus;
  /** Bytes, as far as they were counted. */
  readonly storedBytes: number;
  /** Bytes; null while unknown. */
  readonly size: number | null;
}

/** The bytes of a file. */
export interface Version extends UploadFields {
  readonly slot: Slot;
  readonly fileId: number;
}

/** Bytes that become no file: another service takes them. */
export interface ImportUpload extends UploadFields {
  readonly slot: typeof importSlot;
  readonly fileId: null;
  readonly importId: number;
}

export type Upload = Version | ImportUpload;

const importSlot = 'users_csv';
const openStatuses: VersionStatus[] = ['uploading', 'verifying'];

/** The columns hold nothing but what this repository wrote. */
function uploadOf({ fileId, importId, ...row }: VersionRow): Upload {
  const fields = {
    ...row,
    status: row.status as VersionStatus,
    size: row.size === null ? null : Number(row.size),
    storedBytes: Number(row.storedBytes),
  };
  if (fileId !== null) return { ...fields, fileId, slot: row.slot as Slot };
  if (importId !== null) return { ...fields, fileId, importId, slot: importSlot };
  throw new Error(`Upload ${row.uploadId} is of nothing`);
}

function versionsOf(rows: readonly VersionRow[]): Version[] {
  return rows.map(uploadOf).filter((upload) => upload.fileId !== null);
}

/** A key of its own beside those of the upload. */
export function newObjectKey({ incomingKey }: Pick<Upload, 'incomingKey'>): string {
  return `${folderOf(incomingKey)}/${newId()}`;
}

/** The part of a key before its name. */
export function folderOf(key: string): string {
  return key.slice(0, key.lastIndexOf('/'));
}

/** The storage's upload in parts of a version, if there can be one and parts were asked for. */
export function multipartOf(version: Upload): MultipartUpload | undefined {
  const { objectKey, size, storageUploadId } = version;
  return storageUploadId === null || size === null
    ? undefined
    : { key: objectKey, uploadId: storageUploadId, size, partSize };
}

/** Who makes a version, by the name of now; null of the demo's. */
export interface Creator {
  readonly id: number;
  /** Null where nobody could tell it. */
  readonly name: string | null;
}

interface OpenedUpload {
  readonly size: number | undefined;
  readonly fingerprint: string | undefined;
  readonly now: Date;
  readonly urlsExpireAt: Date;
}

export async function openVersion(
  change: Change,
  {
    creator,
    fileId,
    ...opened
  }: OpenedUpload & {
    fileId: number;
    slot: Slot;
    unattended: boolean;
    creator: Creator | null;
    note: string;
    asked: StoredChange | undefined;
  },
): Promise<Version> {
  const made = { openedBy: creator?.id ?? null, openedByName: creator?.name ?? null };
  const row = await open(change, ['files', fileId], { ...opened, ...made, fileId });
  return { ...row, fileId, slot: opened.slot };
}

export async function openImportUpload(
  change: Change,
  { importId, ...opened }: OpenedUpload & { importId: number },
): Promise<ImportUpload> {
  const data = { ...opened, importId, slot: importSlot, unattended: false } as const;
  const row = await open(change, ['imports', importId], data);
  return { ...row, fileId: null, importId, slot: importSlot };
}

/** Of applications, which are all the operator's, each unit has a number of its own, and the platform too. */
async function countOpen(db: FileDb, partnerId: number, fileId: number | undefined): Promise<number> {
  if (partnerId !== operator || fileId === undefined) {
    return db.version.count({ where: { partnerId, status: { in: openStatuses } } });
  }
  const [counted] = await db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::integer AS count FROM versions version JOIN files file ON file.id = version.file_id
    WHERE version.partner_id = ${partnerId} AND version.status IN ('uploading', 'verifying')
      AND file.unit_id IS NOT DISTINCT FROM (SELECT unit_id FROM files WHERE id = ${fileId})`;
  return counted?.count ?? 0;
}

/**
 * Counted under the lock of the tenant.
 * @throws AppError `E40019` on `file` when the tenant has as many open uploads as it may: each takes room in the store
 */
async function open(
  { db, partnerId }: Change,
  folder: readonly (string | number)[],
  {
    asked,
    fingerprint,
    now,
    size,
    ...upload
  }: OpenedUpload & {
    slot: string;
    unattended: boolean;
    openedBy?: number | null;
    openedByName?: string | null;
    note?: string;
    asked?: StoredChange | undefined;
    fileId?: number;
    importId?: number;
  },
) {
  if ((await countOpen(db, partnerId, upload.fileId)) >= limits.maxOpenUploads) {
    throw fieldError('E40019', 'file', 'tooManyUploads', { max: limits.maxOpenUploads });
  }
  const uploadId = newId();
  const incomingKey = tenantKey(partnerId, ...folder, uploadId);
  const row = await db.version.create({
    data: {
      ...upload,
      ...(asked && { asked }),
      partnerId,
      uploadId,
      status: 'uploading',
      size: size ?? null,
      objectKey: newObjectKey({ incomingKey }),
      incomingKey,
      fingerprint: fingerprint ?? null,
      openedAt: now,
      activeAt: now,
    },
  });
  return { ...row, status: 'uploading', size: size ?? null, storedBytes: 0 } as const;
}

export async function findVersion(db: FileDb, partnerId: number, id: number): Promise<Upload | null> {
  const row = await db.version.findFirst({ where: { id, partnerId } });
  return row && uploadOf(row);
}

export async function findUpload(db: FileDb, partnerId: number, uploadId: string): Promise<Upload | null> {
  const row = await db.version.findFirst({ where: { uploadId, partnerId } });
  return row && uploadOf(row);
}

/**
 * A version as it is until the end of the transaction. Bytes arrive without the lock of the tenant: whoever decides by
 * the status of an upload looks at it this way, so that of two who end it at one moment the later sees the earlier.
 */
export async function lockVersion(change: Change, id: number): Promise<Upload | null> {
  const { db, partnerId } = change;
  await db.$executeRaw`SELECT FROM versions WHERE partner_id = ${partnerId} AND id = ${id} FOR UPDATE`;
  return findVersion(db, partnerId, id);
}

/** The uploads of imports that still wait for their bytes, locked. */
export async function findOpenImportUploads({ db, partnerId }: Change): Promise<Upload[]> {
  await db.$executeRaw`
    SELECT FROM versions WHERE partner_id = ${partnerId} AND slot = ${importSlot} AND status = 'uploading' FOR UPDATE`;
  const rows = await db.version.findMany({ where: { partnerId, slot: importSlot, status: 'uploading' } });
  return rows.map(uploadOf);
}

/** The uploads of a file that are not over, for one slot or for both, locked. */
export async function findOpenVersions(
  { db, partnerId }: Change,
  fileId: number,
  slot?: Slot,
): Promise<Version[]> {
  await db.$executeRaw`
    SELECT FROM versions WHERE partner_id = ${partnerId} AND file_id = ${fileId} AND status IN ('uploading', 'verifying')
    FOR UPDATE`;
  const rows = await db.version.findMany({
    where: { partnerId, fileId, status: { in: openStatuses }, ...(slot ? { slot } : {}) },
  });
  return versionsOf(rows);
}

/**
 * Of all tenants: open uploads whose clients say nothing after their one PUT. After `afterId`, in the order of ids, for which there is an
 * index of these alone.
 */
export async function findUnattendedUploads(
  db: FileDb,
  { afterId, limit }: { afterId: number; limit: number },
): Promise<Upload[]> {
  const rows = await db.version.findMany({
    where: { status: 'uploading', unattended: true, id: { gt: afterId } },
    orderBy: { id: 'asc' },
    take: limit,
  });
  return rows.map(uploadOf);
}

/** Of all tenants: uploads of which nothing has arrived since `quietSince`, the one that has been quiet for longest first. */
export async function findQuietUploads(
  db: FileDb,
  quietSince: Date,
  shares: DueShares,
): Promise<{ id: number; partnerId: number }[]> {
  return findDue(
    db,
    {
      at: Prisma.sql`active_at`,
      from: Prisma.sql`versions`,
      where: Prisma.sql`status = 'uploading' AND active_at < ${quietSince}`,
    },
    shares,
  );
}

/** Of all tenants: uploads to which an address is good that was given out. After `afterId`, in the order of ids. */
export async function findSendableUploads(
  db: FileDb,
  { afterId, limit, now }: { afterId: number; limit: number; now: Date },
): Promise<Upload[]> {
  const rows = await db.version.findMany({
    where: { status: 'uploading', urlsExpireAt: { gt: now }, id: { gt: afterId } },
    orderBy: { id: 'asc' },
    take: limit,
  });
  return rows.map(uploadOf);
}

/** The uploads in parts that the store is to keep, of all tenants, by the store's names of them. */
export async function openStorageUploads(db: FileDb): Promise<Set<string>> {
  const rows = await db.version.findMany({
    where: { status: { in: openStatuses }, storageUploadId: { not: null } },
    select: { storageUploadId: true },
  });
  return new Set(rows.flatMap(({ storageUploadId }) => storageUploadId ?? []));
}

/** Bytes of an open upload arrived at `now`; with `storedBytes`, as the end of a part or of the whole. */
export async function saveArrival(
  db: FileDb,
  { id, partnerId }: Upload,
  { now, storedBytes }: { now: Date; storedBytes?: number },
): Promise<void> {
  if (storedBytes === undefined) {
    await db.version.updateMany({ where: { id, partnerId, status: 'uploading' }, data: { activeAt: now } });
    return;
  }
  // Parts that end at one moment may be told of in another order than they were counted.
  await db.$executeRaw`
    UPDATE versions SET active_at = ${now}, last_part_at = ${now}, stored_bytes = greatest(stored_bytes, ${storedBytes})
    WHERE partner_id = ${partnerId} AND id = ${id} AND status = 'uploading'`;
}

/** False if another request has begun parts meanwhile, or the upload has ended. */
export async function beginParts(db: FileDb, version: Upload, storageUploadId: string): Promise<boolean> {
  const { count } = await db.version.updateMany({
    where: { id: version.id, partnerId: version.partnerId, status: 'uploading', storageUploadId: null },
    data: { storageUploadId },
  });
  return count > 0;
}

export async function extendUrls(db: FileDb, version: Upload, urlsExpireAt: Date): Promise<void> {
  await db.version.updateMany({
    where: { id: version.id, partnerId: version.partnerId, urlsExpireAt: { lt: urlsExpireAt } },
    data: { urlsExpireAt },
  });
}

/**
 * Uploads whose bytes have arrived, by the ids of their versions. The tenants have turns: a hundred uploads of one, of 2 GiB each, would
 * keep all others waiting. Whoever completes an upload and waits for it has it verified at once.
 */
export const verificationQueue = leaseQueue<Verification>('verify-uploads', { oneOfEachTenant: true });

export interface Verification extends Pick<Upload, 'id' | 'partnerId'> {
  /** Whoever opened the upload did not say how many bytes come: those that are verified now, or others that take their place. */
  readonly ofAnySize?: true;
}

/**
 * The bytes are there. Of those who end an upload at one moment the first to write its status wins: one that was taken
 * back stays so, and what was put together meanwhile goes too.
 */
export async function beginVerifying(
  db: FileDb,
  version: Upload,
  facts: { size: number; sha256?: string; fromParts: boolean; mayDistribute: boolean; now: Date },
): Promise<void> {
  const { id, objectKey, partnerId } = version;
  const { count } = await db.version.updateMany({
    where: { id, partnerId, status: 'uploading' },
    data: {
      status: 'verifying',
      size: facts.size,
      sha256: facts.sha256 ?? null,
      fromParts: facts.fromParts,
      mayDistribute: facts.mayDistribute,
    },
  });
  if (count > 0) {
    const payload = { id, partnerId, ...(version.size === null && { ofAnySize: true as const }) };
    await verificationQueue.add(db, [{ id, partnerId, payload }], facts.now);
    return;
  }
  const row = await findVersion(db, partnerId, id);
  if (row?.status === 'aborted') await removeLater({ db, partnerId }, [objectKey], facts.now);
}

export async function setVersion(
  { db, partnerId }: Change,
  id: number,
  data: {
    status: VersionStatus;
    objectKey?: string;
    sha256?: string;
    iconKey?: string | null;
    completedAt?: Date;
  },
): Promise<void> {
  await db.version.updateMany({ where: { id, partnerId }, data });
}

/** How long after the end of its URLs an upload that began in time may still be arriving, in milliseconds. */
const slowestUpload = limits.uploadLifetime;

/**
 * Schedules the removal of a version's bytes: of a complete version at `dueAt`, unless another version holds them too; of an
 * open upload at once, and of whatever arrives later by a signed URL that is still valid.
 */
export async function releaseObjects(
  change: Pick<Change, 'db' | 'partnerId'>,
  version: Upload,
  now: Date,
  dueAt: Date,
): Promise<void> {
  const { incomingKey, objectKey } = version;
  if (version.status === 'complete') {
    await releaseBytes(change, Prisma.sql`version.id = ${version.id}`, dueAt);
    return;
  }
  const upload = multipartOf(version);
  if (upload) {
    await change.db.removal.create({
      data: {
        partnerId: change.partnerId,
        key: upload.key,
        storageUploadId: upload.uploadId,
        size: upload.size,
        partSize: upload.partSize,
        dueAt: now,
      },
    });
  }
  await removeLater(change, [objectKey, incomingKey], now);
  await removeLater(change, [objectKey, incomingKey], lateArrivalDeadline(version));
}

/** As `releaseObjects`, of every complete version of a file. */
export async function releaseFile(change: Change, fileId: number, dueAt: Date): Promise<void> {
  await releaseBytes(change, Prisma.sql`version.file_id = ${fileId}`, dueAt);
}

/**
 * These complete versions hold their bytes no more. A restored version has the bytes of an earlier one under the same key, so
 * they go when the last one that holds them lets go. Asked under the lock of the tenant.
 */
async function releaseBytes(
  { db, partnerId }: Pick<Change, 'db' | 'partnerId'>,
  which: Prisma.Sql,
  dueAt: Date,
): Promise<void> {
  const released = await db.$queryRaw<{ objectKey: string; iconKey: string | null }[]>`
    UPDATE versions version SET released = true
    WHERE version.partner_id = ${partnerId} AND version.status = 'complete' AND NOT version.released AND ${which}
    RETURNING version.object_key AS "objectKey", version.icon_key AS "iconKey"`;
  const keys = [...new Set(released.map(({ objectKey }) => objectKey))];
  const held = await db.version.findMany({
    where: { partnerId, objectKey: { in: keys }, status: 'complete', released: false },
    select: { objectKey: true },
  });
  const stay = new Set(held.map(({ objectKey }) => objectKey));
  const gone = released.filter(({ objectKey }) => !stay.has(objectKey));
  const removed = new Set(
    gone.flatMap(({ iconKey, objectKey }) => [objectKey, ...(iconKey === null ? [] : [iconKey])]),
  );
  await removeLater({ db, partnerId }, [...removed], dueAt);
}

/**
 * Deletes versions of a partner that is gone: a few, for each is several statements. Their bytes stay as long as those of a file that
 * is deleted, or nobody could undo a mistake.
 */
export async function deleteSomeVersions(
  db: FileDb,
  { now, partnerId }: { partnerId: number; now: Date },
): Promise<number> {
  const versions = await db.version.findMany({ where: { partnerId }, take: versionsAtOnce });
  const bytesGoAt = new Date(now.getTime() + limits.deletedBytesRetention);
  for (const version of versions) await releaseObjects({ db, partnerId }, uploadOf(version), now, bytesGoAt);
  await db.version.deleteMany({ where: { partnerId, id: { in: versions.map(({ id }) => id) } } });
  return versions.length;
}

const versionsAtOnce = 50;

/** After this moment nothing can come under the version's incoming key any more. */
export function lateArrivalDeadline({ urlsExpireAt }: Upload): Date {
  return new Date(urlsExpireAt.getTime() + slowestUpload);
}

export async function removeLater(
  { db, partnerId }: Pick<Change, 'db' | 'partnerId'>,
  keys: readonly string[],
  dueAt: Date,
): Promise<void> {
  await db.removal.createMany({ data: keys.map((key) => ({ partnerId, key, dueAt })) });
}

/** They go at once, for whatever time they were to be kept. */
export async function removeNow(
  { db, partnerId }: Pick<Change, 'db' | 'partnerId'>,
  keys: readonly string[],
  now: Date,
): Promise<void> {
  await db.removal.updateMany({ where: { partnerId, key: { in: [...keys] } }, data: { dueAt: now } });
}

/** The object under `key` is kept after all. */
export async function keepObject({ db, partnerId }: Change, key: string): Promise<void> {
  await db.removal.deleteMany({ where: { partnerId, key } });
}

/** The upload goes on: what arrived was not what was measured. */
export async function reopenUpload(db: FileDb, { id, ofAnySize, partnerId }: Verification): Promise<void> {
  await db.version.updateMany({
    where: { id, partnerId, status: 'verifying' },
    data: { status: 'uploading', ...(ofAnySize && { size: null }) },
  });
}

export async function findFirstVersion(
  db: FileDb,
  partnerId: number,
  fileId: number,
): Promise<Version | null> {
  const row = await db.version.findFirst({ where: { partnerId, fileId }, orderBy: { id: 'asc' } });
  return row && (versionsOf([row])[0] ?? null);
}
