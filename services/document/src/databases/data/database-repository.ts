import { isUniqueViolation } from '@portal/database';
import { AppError } from '@portal/kernel';
import type { SealedColumn } from '@portal/service-kit';
import type { DocumentDb } from '../../data/db.ts';
import type { Database } from '../../data/generated/client.ts';

export type { Database } from '../../data/generated/client.ts';

export interface StoredKey {
  /** Sealed. */
  readonly apiKey: Buffer<ArrayBuffer>;
  readonly keyHash: Buffer<ArrayBuffer>;
}

/** What the key of a database is sealed for where it is stored. */
export const keyOf = (partnerId: number) => `document database ${partnerId}`;

export const sealedKeys: SealedColumn = {
  table: 'databases',
  column: 'api_key',
  key: { partner_id: 'integer' },
  of: (partnerId) => keyOf(Number(partnerId)),
};

/** Throws `E40032` where the partner has one. */
export async function insertDatabase(
  db: DocumentDb,
  database: Pick<Database, 'contractStatus' | 'expireDate' | 'name' | 'partnerId'> & StoredKey,
  now: Date,
): Promise<Database> {
  try {
    return await db.database.create({
      data: { ...database, startDate: now, measuredAt: now, createdAt: now, updatedAt: now },
    });
  } catch (error) {
    if (isUniqueViolation(error, 'databases_pkey')) throw new AppError('E40032');
    throw error;
  }
}

export async function findDatabase(db: DocumentDb, partnerId: number): Promise<Database | null> {
  return db.database.findUnique({ where: { partnerId } });
}

/** In the scope of all partners: a key tells whose it is. */
export async function findPartnerOfKey(
  db: DocumentDb,
  keyHash: Buffer<ArrayBuffer>,
): Promise<number | undefined> {
  const found = await db.database.findUnique({ where: { keyHash }, select: { partnerId: true } });
  return found?.partnerId;
}

/** Holds the database until the transaction ends. Throws `E40401` where there is none. */
export async function lockDatabase(db: DocumentDb, partnerId: number): Promise<Database> {
  await db.$queryRaw`SELECT 1 FROM databases WHERE partner_id = ${partnerId} FOR UPDATE`;
  const database = await db.database.findUnique({ where: { partnerId } });
  if (!database) throw new AppError('E40401');
  return database;
}

export async function saveDatabase(
  db: DocumentDb,
  partnerId: number,
  change: Partial<Pick<Database, 'contractStatus' | 'expireDate' | 'updatedAt'> & StoredKey> & {
    readonly usageBytes?: bigint;
    readonly documentCount?: bigint;
  },
): Promise<Database> {
  return db.database.update({ where: { partnerId }, data: change });
}

export async function deleteDatabaseRow(db: DocumentDb, partnerId: number): Promise<void> {
  await db.database.delete({ where: { partnerId } });
}

/** The number of a change that others are told of. */
export async function nextRevision(db: DocumentDb, partnerId: number): Promise<number> {
  const { revision } = await db.databaseRevision.upsert({
    where: { partnerId },
    create: { partnerId, revision: 1 },
    update: { revision: { increment: 1 } },
  });
  return revision;
}

/** Some databases, in the order of their partners, behind that of `after`. */
export async function databasesAfter(db: DocumentDb, after: number, most: number): Promise<NamedDatabase[]> {
  return db.database.findMany({
    where: { partnerId: { gt: after } },
    select: { partnerId: true, name: true },
    orderBy: { partnerId: 'asc' },
    take: most,
  });
}

/** Documents of these were changed since they were measured. */
export async function noteChanges(db: DocumentDb, partnerIds: readonly number[], now: Date): Promise<void> {
  await db.$executeRaw`
    UPDATE databases SET changed_at = ${now} WHERE partner_id = ANY (${partnerIds}::integer[]) AND changed_at IS NULL`;
}

/** Where the documents of a database are. */
export type NamedDatabase = Pick<Database, 'name' | 'partnerId'>;

/** Those that were changed and last measured before `changed`, and those last measured before `unchanged`. */
export async function claimUnmeasured(
  db: DocumentDb,
  {
    changed,
    most,
    now,
    unchanged,
  }: Readonly<Record<'changed' | 'now' | 'unchanged', Date>> & { readonly most: number },
): Promise<NamedDatabase[]> {
  return db.$queryRaw<NamedDatabase[]>`
    UPDATE databases SET measured_at = ${now}, changed_at = NULL
    WHERE partner_id IN (SELECT partner_id FROM databases
      WHERE (changed_at IS NOT NULL AND measured_at <= ${changed}) OR measured_at <= ${unchanged}
      ORDER BY measured_at LIMIT ${most} FOR UPDATE SKIP LOCKED)
    RETURNING partner_id AS "partnerId", name`;
}
