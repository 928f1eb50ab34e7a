import { foldCase } from '@portal/contracts';
import { keptPlan, type RawQueries } from '@portal/database';
import { AppError } from '@portal/kernel';
import { operator } from '@portal/storage';
import { findOffered } from '../../applications/data/reach.ts';
import type { FileDb } from '../../data/db.ts';
import { type File, Prisma } from '../../data/generated/client.ts';
import { countsAsUap } from '../domain/package.ts';
import type { Change } from './changes.ts';
import { type DueShares, findDue } from './due-shares.ts';

export type { File };

/** The unique index that no two files of a tenant get past with one name. */
export const fileNameIndex = 'files_live_file_name_key';

export async function countUapFiles({ db, partnerId }: Change): Promise<number> {
  return db.file.count({ where: { partnerId, deleted: false, isUap: true } });
}

export async function insertFile(
  change: Change,
  file: {
    name: string;
    note: string;
    fileName: string;
    deliverReservationAt: Date | null;
    now: Date;
    application?: Pick<File, 'publisher' | 'saleType' | 'unitId'>;
  },
): Promise<File> {
  const { application, now, ...fields } = file;
  return change.db.file.create({
    data: {
      ...fields,
      ...application,
      partnerId: change.partnerId,
      nameFolded: foldCase(file.name),
      noteFolded: foldCase(file.note),
      // Applications share the names of nobody and count for no limit.
      liveFileName: application ? null : foldCase(file.fileName),
      isUap: !application && countsAsUap(file.fileName),
      // What many tenants tell of an application is counted by places from the beginning.
      isStaged: application !== undefined,
      changedIn: change.number,
      createdAt: now,
      updatedAt: now,
    },
  });
}

export async function findFile(db: FileDb, partnerId: number, id: number): Promise<File | null> {
  return db.file.findFirst({ where: { id, partnerId, deleted: false } });
}

/** Of all files that the tenant has. */
export async function liveFileIds(db: RawQueries, partnerId: number): Promise<number[]> {
  const rows = await db.$queryRaw<{ id: number }[]>`
    SELECT ${keptPlan} id FROM files WHERE partner_id = ${partnerId} AND deleted = false`;
  return rows.map(({ id }) => id);
}

/** Whether it is an application of the operator. */
export const isApplication = ({ partnerId }: Pick<File, 'partnerId'>): boolean => partnerId === operator;

/**
 * A file that the tenant may change.
 * @throws AppError `E40405` for one that it does not have; `E40301` for an application, which is its publisher's
 */
export async function requireFile(db: FileDb, partnerId: number, id: number): Promise<File> {
  const file = await findFile(db, partnerId, id);
  if (file) return file;
  if (await findOffered(db, partnerId, id)) throw new AppError('E40301', [], { messageKey: 'publisherOnly' });
  throw new AppError('E40405');
}

/** A file that the tenant has or had. */
export async function findDeletedToo(db: FileDb, partnerId: number, id: number): Promise<File> {
  return db.file.findUniqueOrThrow({ where: { id, partnerId } });
}

/** Writes the file as it has become, and the number of the change. */
export async function saveFile(change: Change, file: File): Promise<File> {
  return writeFile(change, file, { changedIn: change.number });
}

/** Writes the file when players see no difference. The number of a change that was written meanwhile stays. */
export async function saveFileUnnumbered(change: Change, file: File): Promise<File> {
  return writeFile(change, file, {});
}

/** Players may get something else of the file now. */
export async function touchFile({ db, number, partnerId }: Change, id: number): Promise<void> {
  await db.file.update({ where: { id, partnerId }, data: { changedIn: number } });
}

/** What the database and rollouts keep stays as it is: since when it is assigned, and what its stages need. */
async function writeFile(
  { db, partnerId }: Change,
  written: File,
  numbered: { readonly changedIn?: bigint },
): Promise<File> {
  const {
    assignedAt: _assigned,
    baseVersion: _base,
    changedIn: _changed,
    id,
    isStaged: _staged,
    ...file
  } = written;
  return db.file.update({
    where: { id, partnerId },
    data: { ...file, ...numbered, nameFolded: foldCase(file.name), noteFolded: foldCase(file.note) },
  });
}

/** Of all tenants: files with a reserved version whose time has come, the oldest first. */
export async function findDueUpdates(
  db: FileDb,
  now: Date,
  shares: DueShares,
): Promise<{ id: number; partnerId: number }[]> {
  return findDue(
    db,
    {
      at: Prisma.sql`update_reservation_at`,
      from: Prisma.sql`files`,
      where: Prisma.sql`reserved_version_id IS NOT NULL AND update_reservation_at <= ${now} AND NOT deleted`,
    },
    shares,
  );
}

/** Of all tenants: when the next reserved version or delivery is due, after `now`. */
export async function nextReservation(db: FileDb, now: Date): Promise<Date | undefined> {
  const [next] = await db.$queryRaw<{ at: Date | null }[]>`
    SELECT least(
      (SELECT min(update_reservation_at) FROM files
       WHERE reserved_version_id IS NOT NULL AND NOT deleted AND update_reservation_at > ${now}),
      (SELECT min(deliver_reservation_at) FROM files
       WHERE NOT deleted AND deliver_reservation_at > ${now})) AS at`;
  return next?.at ?? undefined;
}

/** Files of the tenant with a reserved version whose time has come. */
export async function findDueUpdatesOf({ db, partnerId }: Change, now: Date): Promise<File[]> {
  return db.file.findMany({
    where: { partnerId, reservedVersionId: { not: null }, updateReservationAt: { lte: now }, deleted: false },
  });
}

/** Of all tenants: the file that was deleted first of those of which not all is forgotten, where that was before `before`. */
export async function findUnforgotten(db: FileDb, before: Date): Promise<number | undefined> {
  const file = await db.file.findFirst({
    where: { deleted: true, forgotten: false, updatedAt: { lt: before } },
    orderBy: { updatedAt: 'asc' },
    select: { id: true },
  });
  return file?.id;
}

/** The newest file that has or had this name, deleted ones included. */
export async function findFileByName(db: FileDb, partnerId: number, fileName: string): Promise<File | null> {
  return db.file.findFirst({ where: { partnerId, fileName }, orderBy: { id: 'desc' } });
}
