import type { TenantDb } from './db.ts';

interface FileRef {
  readonly partnerId: number;
  readonly fileId: number;
}

/** A file is there whose first bytes are still to come. */
export async function noteFile(
  db: TenantDb,
  { fileId, partnerId }: FileRef,
  { isUap }: { readonly isUap: boolean },
): Promise<void> {
  await db.storedFile.createMany({
    data: [{ partnerId, fileId, isUap, version: 0, size: 0, reservedSize: null }],
    skipDuplicates: true,
  });
}

/** How many `.uap` files a partner has, also those whose first bytes are still to come: as the file service counts for the limit. */
export async function countUaps(db: TenantDb, partnerId: number): Promise<number> {
  return db.storedFile.count({ where: { partnerId, isUap: true } });
}

/** A version is complete: the one that players get from now on, or one that they get later. */
export async function upsertVersion(
  db: TenantDb,
  { fileId, partnerId }: FileRef,
  version: {
    readonly isUap: boolean;
    readonly number: number;
    readonly size: number;
    readonly reserved: boolean;
  },
): Promise<void> {
  const { isUap, number, reserved, size } = version;
  await db.storedFile.upsert({
    where: { partnerId_fileId: { partnerId, fileId } },
    create: { partnerId, fileId, isUap, version: number, size, reservedSize: null },
    update: reserved ? { reservedSize: size } : { isUap, version: number, size },
  });
}

/** A version has the bytes of a former one: the one that players get from now on, or one that they get later. */
export async function restoreVersion(
  db: TenantDb,
  { fileId, partnerId }: FileRef,
  { number, reserved, size }: { readonly number: number; readonly size: number; readonly reserved: boolean },
): Promise<void> {
  await db.storedFile.updateMany({
    where: { partnerId, fileId },
    data: reserved ? { reservedSize: size } : { version: number, size },
  });
}

/** Players get another version. Where it is not the one that they have already, it is the one that was reserved. */
export async function releaseVersion(
  db: TenantDb,
  { fileId, partnerId }: FileRef,
  version: number,
): Promise<void> {
  await db.$executeRaw`
    UPDATE stored_files SET version = ${version}, size = reserved_size, reserved_size = NULL
    WHERE partner_id = ${partnerId} AND file_id = ${fileId} AND version < ${version}
      AND reserved_size IS NOT NULL`;
}

/** No update is reserved any more. */
export async function dropReserved(db: TenantDb, { fileId, partnerId }: FileRef): Promise<void> {
  await db.storedFile.updateMany({ where: { partnerId, fileId }, data: { reservedSize: null } });
}

export async function dropFile(db: TenantDb, { fileId, partnerId }: FileRef): Promise<void> {
  await db.storedFile.deleteMany({ where: { partnerId, fileId } });
}
