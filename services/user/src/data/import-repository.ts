import { isUniqueViolation } from '@portal/database';
import { AppError } from '@portal/kernel';
import type { ImportCounts, ImportPhase, ImportStatus } from '../domain/import.ts';
import type { UserDb } from './db.ts';
import type { UserImport } from './generated/client.ts';

export interface ImportKey {
  readonly partnerId: number;
  readonly id: number;
}

/** An import in the hands of one worker, until somebody takes it from them. */
export interface HeldImport extends ImportKey {
  readonly attempt: number;
  /** How often in a row it was taken and its turn did not end well, this time included. */
  readonly failures: number;
  /** How far earlier turns have come. */
  readonly phase: string;
  readonly preview: boolean;
  /** What somebody has seen and wants to be done; null where nobody was asked. */
  readonly confirmed: ImportCounts | null;
  readonly objectKey: string;
  /** Bytes. */
  readonly size: number;
  readonly rowCount: number | null;
}

/** Somebody else has the import now, or it is over: whoever is told so stops without a word. */
export class ImportLost extends Error {}

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

/** Makes it ready for whoever works next. Answers whether it was in the state `from`. */
export async function makeReady(
  db: UserDb,
  { id, partnerId }: ImportKey,
  from: ImportStatus,
  data: Partial<Pick<UserImport, 'confirmed' | 'objectKey' | 'preview' | 'size'>>,
  now: Date,
): Promise<boolean> {
  const { count } = await db.userImport.updateMany({
    where: { id, partnerId, status: from },
    data: { ...data, status: 'ready', leasedUntil: now, updatedAt: now },
  });
  return count > 0;
}

/** Takes the import that nobody works on and that waits longest for its turn, of all tenants, with a file of at most `size`. */
export async function takeImport(
  db: UserDb,
  { largest, leasedUntil, now }: { largest: number; leasedUntil: Date; now: Date },
): Promise<HeldImport | null> {
  const [free] = await db.$queryRaw<{ id: number }[]>`
    SELECT id FROM user_imports WHERE status = 'ready' AND leased_until <= ${now} AND size <= ${largest}::bigint
    ORDER BY leased_until, attempt, id LIMIT 1 FOR UPDATE SKIP LOCKED`;
  if (!free) return null;
  const taken = await db.userImport.update({
    where: { id: free.id },
    data: { leasedUntil, attempt: { increment: 1 }, failures: { increment: 1 } },
  });
  const { attempt, confirmed, failures, id, objectKey, partnerId, phase, preview, rowCount, size } = taken;
  if (objectKey === null || size === null) throw new Error(`Import ${id} is ready without a file`);
  const held = { attempt, failures, id, objectKey, partnerId, phase, preview, rowCount, size: Number(size) };
  return { ...held, confirmed: confirmed ? countsOf(taken) : null };
}

function countsOf({ createCount, deleteCount, unchangedCount, updateCount }: ImportCounts): ImportCounts {
  return { createCount, deleteCount, unchangedCount, updateCount };
}

/** Keeps hold of the import for the rest of the transaction, and for longer. Throws `ImportLost`. */
export async function holdImport(
  db: UserDb,
  held: HeldImport,
  data: {
    leasedUntil: Date;
    phase?: ImportPhase;
    progress?: number;
    rowCount?: number | null;
  },
): Promise<void> {
  await change(db, held, data);
}

/** Leaves it to the next worker, not before `at`. */
export async function releaseImport(db: UserDb, held: HeldImport, at: Date): Promise<void> {
  await change(db, held, { leasedUntil: at });
}

/** Its turn is over, and well so: it waits for the next one behind all others. */
export async function endTurn(db: UserDb, held: HeldImport, now: Date): Promise<void> {
  await change(db, held, { leasedUntil: now, failures: 0 });
}

/** It waits for a word, or is over. */
export async function settleImport(
  db: UserDb,
  held: HeldImport,
  outcome: Partial<ImportCounts> & {
    status: Exclude<ImportStatus, 'waiting' | 'ready'>;
    errorCount?: number;
    moreErrors?: boolean;
    failure?: string;
    failureLine?: number | null;
  },
  now: Date,
): Promise<void> {
  const live = outcome.status === 'checked' ? true : null;
  await change(db, held, { ...outcome, live, failures: 0, leasedUntil: null, updatedAt: now });
}

async function change(
  db: UserDb,
  { attempt, id, partnerId }: HeldImport,
  data: Parameters<UserDb['userImport']['updateMany']>[0]['data'],
): Promise<void> {
  const { count } = await db.userImport.updateMany({
    where: { id, partnerId, attempt, status: 'ready' },
    data,
  });
  if (count === 0) throw new ImportLost();
}

/** Gives up an import that nobody works on; what was staged of it goes. Answers whether it was such a one. */
export async function giveUpImport(
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

/** The file of an import that is over already has come: nobody wants it. */
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

/** Of all tenants: the files of imports that are over. */
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

/** Forgets all but the last imports of a tenant that are over, with what was wrong with their lines. */
export async function forgetEarlierImports(db: UserDb, partnerId: number, kept: number): Promise<void> {
  const earlier = await db.userImport.findMany({
    where: { partnerId, live: null, objectKey: null },
    orderBy: { id: 'desc' },
    skip: kept,
    select: { id: true },
  });
  if (earlier.length === 0) return;
  const ids = earlier.map(({ id }) => id);
  await db.importError.deleteMany({ where: { partnerId, importId: { in: ids } } });
  await db.userImport.deleteMany({ where: { partnerId, id: { in: ids } } });
}

/** Forgets imports of all tenants that were over by then, with what was wrong with their lines. */
export async function forgetImports(db: UserDb, before: Date): Promise<void> {
  const over = { live: null, updatedAt: { lt: before } };
  await db.$executeRaw`
    DELETE FROM import_errors WHERE import_id IN
      (SELECT id FROM user_imports WHERE live IS NULL AND updated_at < ${before})`;
  await db.userImport.deleteMany({ where: over });
}
