import { limits } from '@portal/contracts';
import { newId } from '@portal/kernel';
import { type MultipartUpload, tenantKey } from '@portal/storage';
import { partSize, type Slot, type VersionStatus } from '../domain/upload.ts';
import type { Change } from './changes.ts';
import type { FileDb } from './db.ts';
import type { Version as VersionRow } from './generated/client.ts';

export interface Version extends Omit<VersionRow, 'slot' | 'status' | 'size'> {
  readonly slot: Slot;
  readonly status: VersionStatus;
  /** Bytes; null while unknown. */
  readonly size: number | null;
}

/** The column holds nothing but what this repository wrote. */
function versionOf(row: VersionRow): Version {
  return {
    ...row,
    slot: row.slot as Slot,
    status: row.status as VersionStatus,
    size: row.size === null ? null : Number(row.size),
  };
}

export function newObjectKey(partnerId: number, fileId: number): string {
  return objectKey(partnerId, fileId, newId());
}

function objectKey(partnerId: number, fileId: number, name: string): string {
  return tenantKey(partnerId, 'files', fileId, name);
}

/** The storage's upload in parts of a version, if there can be one and parts were asked for. */
export function multipartOf(version: Version): MultipartUpload | undefined {
  const { objectKey, size, storageUploadId } = version;
  return storageUploadId === null || size === null
    ? undefined
    : { key: objectKey, uploadId: storageUploadId, size, partSize };
}

export async function openVersion(
  { db, partnerId }: Change,
  opened: {
    fileId: number;
    slot: Slot;
    size: number | undefined;
    unattended: boolean;
    now: Date;
    urlsExpireAt: Date;
  },
): Promise<Version> {
  const { fileId, now, size, slot, unattended, urlsExpireAt } = opened;
  const uploadId = newId();
  return versionOf(
    await db.version.create({
      data: {
        partnerId,
        fileId,
        slot,
        unattended,
        uploadId,
        status: 'uploading',
        size: size ?? null,
        objectKey: newObjectKey(partnerId, fileId),
        incomingKey: objectKey(partnerId, fileId, uploadId),
        openedAt: now,
        urlsExpireAt,
      },
    }),
  );
}

export async function findVersion(db: FileDb, partnerId: number, id: number): Promise<Version | null> {
  const row = await db.version.findFirst({ where: { id, partnerId } });
  return row && versionOf(row);
}

export async function findUpload(db: FileDb, partnerId: number, uploadId: string): Promise<Version | null> {
  const row = await db.version.findFirst({ where: { uploadId, partnerId } });
  return row && versionOf(row);
}

/** The uploads of a file that are not over, for one slot or for both. */
export async function findOpenVersions(
  { db, partnerId }: Change,
  fileId: number,
  slot?: Slot,
): Promise<Version[]> {
  const rows = await db.version.findMany({
    where: { partnerId, fileId, status: { in: ['uploading', 'verifying'] }, ...(slot ? { slot } : {}) },
  });
  return rows.map(versionOf);
}

/** Of all tenants, for jobs. */
export async function findVersionsByStatus(
  db: FileDb,
  wanted: { status: VersionStatus; unattended?: boolean; openedBefore?: Date; limit: number },
): Promise<Version[]> {
  const { limit, openedBefore, status, unattended } = wanted;
  const rows = await db.version.findMany({
    where: {
      status,
      ...(unattended === undefined ? {} : { unattended }),
      ...(openedBefore === undefined ? {} : { openedAt: { lt: openedBefore } }),
    },
    orderBy: { openedAt: 'asc' },
    take: limit,
  });
  return rows.map(versionOf);
}

/** False when parts were begun by another request meanwhile, or the upload is over. */
export async function beginParts(db: FileDb, version: Version, storageUploadId: string): Promise<boolean> {
  const { count } = await db.version.updateMany({
    where: { id: version.id, partnerId: version.partnerId, status: 'uploading', storageUploadId: null },
    data: { storageUploadId },
  });
  return count > 0;
}

export async function extendUrls(db: FileDb, version: Version, urlsExpireAt: Date): Promise<void> {
  await db.version.updateMany({
    where: { id: version.id, partnerId: version.partnerId, urlsExpireAt: { lt: urlsExpireAt } },
    data: { urlsExpireAt },
  });
}

/** False when the upload is not open any more. */
export async function beginVerifying(
  db: FileDb,
  version: Version,
  facts: { size: number; fromParts: boolean; now: Date },
): Promise<boolean> {
  const { count } = await db.version.updateMany({
    where: { id: version.id, partnerId: version.partnerId, status: 'uploading' },
    data: { status: 'verifying', size: facts.size, fromParts: facts.fromParts, verifyingAt: facts.now },
  });
  return count > 0;
}

export async function setVersion(
  { db, partnerId }: Change,
  id: number,
  data: { status: VersionStatus; objectKey?: string; sha256?: string; iconKey?: string | null },
): Promise<void> {
  await db.version.updateMany({ where: { id, partnerId }, data });
}

/** How long after the end of its URLs an upload that began in time may still be arriving, in milliseconds. */
const slowestUpload = limits.uploadLifetime;

/**
 * Lets go of what is stored of a version: the bytes of a complete one at `dueAt`, those of an open upload at once, and
 * whatever a URL that is still good brings later.
 */
export async function releaseObjects(
  change: Change,
  version: Version,
  now: Date,
  dueAt: Date,
): Promise<void> {
  const { iconKey, incomingKey, objectKey } = version;
  if (version.status === 'complete') {
    await removeLater(change, [objectKey, ...(iconKey === null ? [] : [iconKey])], dueAt);
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
  await removeLater(change, [objectKey, incomingKey], lateArrival(version));
}

/** After this moment nothing can come under the version's incoming key any more. */
export function lateArrival({ urlsExpireAt }: Version): Date {
  return new Date(urlsExpireAt.getTime() + slowestUpload);
}

export async function removeLater(
  { db, partnerId }: Pick<Change, 'db' | 'partnerId'>,
  keys: readonly string[],
  dueAt: Date,
): Promise<void> {
  await db.removal.createMany({ data: keys.map((key) => ({ partnerId, key, dueAt })) });
}

/** The object under `key` is kept after all. */
export async function keepObject({ db, partnerId }: Change, key: string): Promise<void> {
  await db.removal.deleteMany({ where: { partnerId, key } });
}

/** The upload goes on: what arrived was not whole. */
export async function reopenUpload(db: FileDb, { id, partnerId }: Version): Promise<void> {
  await db.version.updateMany({
    where: { id, partnerId, status: 'verifying' },
    data: { status: 'uploading', verifyingAt: null },
  });
}

export async function findFirstVersion(
  db: FileDb,
  partnerId: number,
  fileId: number,
): Promise<Version | null> {
  const row = await db.version.findFirst({ where: { partnerId, fileId }, orderBy: { id: 'asc' } });
  return row && versionOf(row);
}
