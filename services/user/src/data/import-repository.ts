import { limits } from '@portal/contracts';
import { isUniqueViolation } from '@portal/database';
import { AppError } from '@portal/kernel';
import { type HeldTask, leaseQueue } from '@portal/service-kit';
import type { ImportCounts, ImportPhase, ImportStatus } from '../domain/import.ts';
import type { UserDb } from './db.ts';
import type { UserImport } from './generated/client.ts';

export interface ImportKey {
  readonly partnerId: number;
  readonly id: number;
}

/** An import that a worker has claimed, until its lease expires. */
export interface ClaimedImport extends ImportKey {
  readonly task: HeldTask<ImportKey>;
  /** How far earlier turns have come. */
  readonly phase: string;
  readonly preview: boolean;
  /** What somebody has seen and wants to be done; null where nobody was asked. */
  readonly confirmed: ImportCounts | null;
  /** Whether created people are mailed a link to choose their first password. */
  readonly sendMails: boolean;
  readonly objectKey: string;
  /** Bytes. */
  readonly size: number;
  readonly rowCount: number | null;
}

/** Bytes: what takes seconds to read, check and apply. */
const smallFile = 1024 ** 2;

/**
 * Imports that wait for a turn. A large file takes minutes, even in turns: small ones have a queue of their own, and thus wait
 * for no large one.
 */
export const importQueues = {
  small: leaseQueue<ImportKey>('import-small-files'),
  large: leaseQueue<ImportKey>('import-large-files'),
};

/** Throws `E40010` when the tenant has a live import already. */
export async function insertImport(
  db: UserDb,
  partnerId: number,
  { openedBy, openedIn, preview }: { openedBy: number; openedIn: string | undefined; preview: boolean },
  now: Date,
): Promise<UserImport> {
  try {
    return await db.userImport.create({
      data: {
        partnerId,
        openedBy,
        openedIn: openedIn ?? null,
        preview,
        live: true,
        status: 'waiting' satisfies ImportStatus,
        phase: 'waiting' satisfies ImportPhase,
        createdAt: now,
        updatedAt: now,
      },
    });
  } catch (error) {
    if (isUniqueViolation(error, 'user_imports_partner_id_live_key')) throw new AppError('E40010');
    throw error;
  }
}

export async function findImport(db: UserDb, { id, partnerId }: ImportKey): Promise<UserImport | null> {
  return db.userImport.findFirst({ where: { id, partnerId } });
}

export async function findLiveImport(db: UserDb, partnerId: number): Promise<UserImport | null> {
  return db.userImport.findUnique({ where: { partnerId_live: { partnerId, live: true } } });
}

/** Lets it be worked on. Answers whether it was in the state `from`. */
export async function makeReady(
  db: UserDb,
  { id, partnerId }: ImportKey,
  from: ImportStatus,
  data: Partial<Pick<UserImport, 'confirmed' | 'objectKey' | 'preview' | 'sendMails' | 'size'>>,
  now: Date,
): Promise<boolean> {
  const [ready] = await db.userImport.updateManyAndReturn({
    where: { id, partnerId, status: from },
    data: { ...data, status: 'ready', updatedAt: now },
    select: { size: true },
  });
  if (!ready) return false;
  const queue = Number(ready.size) <= smallFile ? importQueues.small : importQueues.large;
  await queue.add(db, [{ id, partnerId, payload: { id, partnerId } }], now);
  return true;
}

/** What is to be done at this turn of an import; null for one that is over. */
export async function findHeldImport(db: UserDb, task: HeldTask<ImportKey>): Promise<ClaimedImport | null> {
  const found = await findImport(db, task.payload);
  if (found?.status !== 'ready') return null;
  const { confirmed, id, objectKey, partnerId, phase, preview, rowCount, sendMails, size } = found;
  if (objectKey === null || size === null) throw new Error(`Import ${id} is ready without a file`);
  const held = { id, objectKey, partnerId, phase, preview, rowCount, sendMails, size: Number(size), task };
  return { ...held, confirmed: confirmed ? countsOf(found) : null };
}

function countsOf({
  createCount,
  deleteCount,
  mailCount,
  unchangedCount,
  updateCount,
}: ImportCounts): ImportCounts {
  return { createCount, deleteCount, mailCount, unchangedCount, updateCount };
}

/** Tells how far a held import is, and keeps it from other workers. Throws `TaskLost`. */
export async function lockClaimedImport(
  db: UserDb,
  { id, partnerId, task }: ClaimedImport,
  told: { phase: ImportPhase; progress: number; licencesNeeded?: number; rowCount?: number | null },
): Promise<void> {
  await task.hold(db);
  await db.userImport.updateMany({ where: { id, partnerId }, data: told });
}

export type Outcome = Partial<ImportCounts> & {
  status: Exclude<ImportStatus, 'waiting' | 'ready'>;
  changeCount?: number;
  errorCount?: number;
  moreErrors?: boolean;
  failure?: string;
  failureLine?: number | null;
};

/** A held import waits for a word, or is over. @returns who began it. Throws `TaskLost`. */
export async function finaliseImport(
  db: UserDb,
  held: ClaimedImport,
  outcome: Outcome,
  now: Date,
): Promise<number | null> {
  await held.task.finish(db);
  return endImport(db, held, outcome, now);
}

/** As `finaliseImport`, for one that nobody works on any more. */
export async function endImport(
  db: UserDb,
  { id, partnerId }: ImportKey,
  outcome: Outcome,
  now: Date,
): Promise<number | null> {
  const live = outcome.status === 'checked' ? true : null;
  const [ended] = await db.userImport.updateManyAndReturn({
    where: { id, partnerId },
    data: { ...outcome, live, updatedAt: now },
    select: { openedBy: true },
  });
  return ended?.openedBy ?? null;
}

/** Gives up an import that nobody works on; what was staged of it goes. Answers whether it was such a one. */
export async function cancelImport(
  db: UserDb,
  { id, partnerId }: ImportKey,
  failure: string,
  now: Date,
): Promise<boolean> {
  const { count } = await db.userImport.updateMany({
    where: { id, partnerId, status: { in: ['waiting', 'checked'] } },
    data: { status: 'failed', live: null, failure, updatedAt: now },
  });
  if (count > 0) await db.importRow.deleteMany({ where: { partnerId, importId: id } });
  return count > 0;
}

/** Stores the file of an import that has already ended, for removal. */
export async function keepUnwantedFile(
  db: UserDb,
  { id, partnerId }: ImportKey,
  objectKey: string,
): Promise<void> {
  await db.userImport.updateMany({
    where: { id, partnerId, live: null, objectKey: null },
    data: { objectKey },
  });
}

/** Of all tenants: the files of ended imports. */
export async function findUnwantedFiles(
  db: UserDb,
  take: number,
): Promise<{ id: number; objectKey: string }[]> {
  const over = await db.userImport.findMany({
    where: { live: null, objectKey: { not: null } },
    select: { id: true, objectKey: true },
    orderBy: { updatedAt: 'asc' },
    take,
  });
  return over.map(({ id, objectKey }) => ({ id, objectKey: objectKey ?? '' }));
}

export async function forgetFiles(db: UserDb, ids: readonly number[]): Promise<void> {
  await db.userImport.updateMany({ where: { id: { in: [...ids] } }, data: { objectKey: null } });
}

/** Of all tenants: those that wait for a file or for a word since then. */
export async function findWaitingImports(db: UserDb, since: Date, take: number): Promise<UserImport[]> {
  return db.userImport.findMany({
    where: { status: { in: ['waiting', 'checked'] }, updatedAt: { lt: since } },
    orderBy: { id: 'asc' },
    take,
  });
}

/**
 * Deletes all but the last ended imports of a tenant, with their line errors and changes. Of large ones fewer stay; the last
 * one that changed somebody always does.
 */
export async function forgetEarlierImports(db: UserDb, partnerId: number): Promise<void> {
  const ended = await db.userImport.findMany({
    where: { partnerId, live: null, objectKey: null },
    orderBy: { id: 'desc' },
    select: { id: true, changeCount: true },
  });
  let changes = 0;
  const earlier = ended.filter(({ changeCount }, place) => {
    const isLastWithChanges = changes === 0;
    changes += changeCount ?? 0;
    return place >= limits.importsKept || (changes > limits.importChangesKept && !isLastWithChanges);
  });
  if (earlier.length === 0) return;
  const importId = { in: earlier.map(({ id }) => id) };
  await db.importError.deleteMany({ where: { partnerId, importId } });
  await db.importChange.deleteMany({ where: { partnerId, importId } });
  await db.userImport.deleteMany({ where: { partnerId, id: importId } });
}

/** Deletes imports of all tenants that had ended by then, with their line errors and changes. */
export async function forgetImports(db: UserDb, before: Date): Promise<void> {
  const over = { live: null, updatedAt: { lt: before } };
  await db.$executeRaw`
    DELETE FROM import_errors WHERE import_id IN
      (SELECT id FROM user_imports WHERE live IS NULL AND updated_at < ${before})`;
  await db.$executeRaw`
    DELETE FROM import_changes WHERE import_id IN
      (SELECT id FROM user_imports WHERE live IS NULL AND updated_at < ${before})`;
  await db.userImport.deleteMany({ where: over });
}
