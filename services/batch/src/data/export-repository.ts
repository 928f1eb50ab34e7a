import { batchRoutes } from '@portal/contracts';
import { isUniqueViolation } from '@portal/database';
import { AppError } from '@portal/kernel';
import { z } from 'zod';
import type { ExportStatus } from '../domain/export.ts';
import type { BatchDb } from './db.ts';
import type { Export } from './generated/client.ts';

/** Whose an export is: nobody else gets it. */
export interface ExportOwner {
  readonly kind: 'account' | 'admin';
  readonly id: number;
}

export type KnownExport = Omit<Export, 'status'> & { readonly status: ExportStatus };

const status = z.enum(batchRoutes.csvStatuses);
const running: ExportStatus[] = ['waiting', 'processing', 'preparing'];
const nameOf = ({ id, kind }: ExportOwner) => `${kind}:${id}`;
/** The column holds nothing but what `nameOf` wrote. */
function ownerOf(name: string): ExportOwner {
  const [kind, id] = name.split(':');
  return { kind: kind === 'admin' ? 'admin' : 'account', id: Number(id) };
}

/** Throws `E40010` while one of its kind runs for this owner. */
export async function insertExport(
  db: BatchDb,
  wanted: {
    readonly kind: string;
    readonly owner: ExportOwner;
    readonly partnerId: number | null;
    readonly unitId: number | null;
    readonly objectKey: string;
  },
  now: Date,
): Promise<number> {
  const { kind, objectKey, partnerId, unitId } = wanted;
  const owner = nameOf(wanted.owner);
  try {
    const { id } = await db.export.create({
      data: {
        kind,
        owner,
        partnerId,
        unitId,
        objectKey,
        runningKey: `${kind}:${owner}`,
        status: 'waiting',
        requestedAt: now,
        heardAt: now,
      },
    });
    return id;
  } catch (error) {
    if (isUniqueViolation(error, 'exports_running_key_key')) throw new AppError('E40010');
    throw error;
  }
}

/** Of an export that exists: what it is of, and whose. */
export async function findExport(
  db: BatchDb,
  id: number,
): Promise<Pick<Export, 'kind' | 'partnerId' | 'unitId'> & { owner: ExportOwner }> {
  const { kind, owner, partnerId, unitId } = await db.export.findUniqueOrThrow({ where: { id } });
  return { kind, partnerId, unitId, owner: ownerOf(owner) };
}

/** Throws `E40401` unless there is one of this kind and owner. */
export async function requireExport(
  db: BatchDb,
  id: number,
  { kind, owner }: { kind: string; owner: ExportOwner },
): Promise<KnownExport> {
  const found = await db.export.findFirst({ where: { id, kind, owner: nameOf(owner) } });
  if (!found) throw new AppError('E40401');
  return { ...found, status: status.parse(found.status) };
}

/** Stores the progress of a running export. */
export async function saveProgress(
  db: BatchDb,
  id: number,
  progress: { readonly status: ExportStatus; readonly rowCount: number; readonly totalRows: number },
  now: Date,
): Promise<void> {
  await db.export.updateMany({
    where: { id, status: { in: running } },
    data: { ...progress, heardAt: now },
  });
}

/** Of exports that wait in the service which is to write them: it is there, and has them. */
export async function noteWaiting(db: BatchDb, ids: readonly number[], now: Date): Promise<void> {
  await db.export.updateMany({
    where: { id: { in: [...ids] }, status: { in: running } },
    data: { heardAt: now },
  });
}

/** Ends an export; one that has ended stays as it is. @returns whether it was still running */
export async function finaliseExport(
  db: BatchDb,
  id: number,
  outcome: { readonly status: 'complete' | 'failed'; readonly rowCount?: number },
  now: Date,
): Promise<boolean> {
  const { count } = await db.export.updateMany({
    where: { id, status: { in: running } },
    data: { ...outcome, settledAt: now, runningKey: null },
  });
  return count === 1;
}

/** Exports that have not ended, and of which nobody has told since `before`. */
export async function stalledExports(
  db: BatchDb,
  before: Date,
): Promise<{ id: number; partnerId: number | null }[]> {
  return db.export.findMany({
    where: { settledAt: null, heardAt: { lt: before } },
    select: { id: true, partnerId: true },
  });
}

/** Those that ended before `before`, a hundred at most. */
export async function oldExports(db: BatchDb, before: Date): Promise<{ id: number; objectKey: string }[]> {
  return db.export.findMany({
    where: { settledAt: { lt: before } },
    select: { id: true, objectKey: true },
    orderBy: { settledAt: 'asc' },
    take: 100,
  });
}

export async function deleteExports(db: BatchDb, ids: readonly number[]): Promise<void> {
  await db.export.deleteMany({ where: { id: { in: [...ids] } } });
}
