import { foldCase, type UserCsvRow } from '@portal/contracts';
import type { LineFault } from '../domain/import.ts';
import type { UserDb } from './db.ts';
import type { ImportKey } from './import-repository.ts';

/** A row on its way into the database. */
export type StagedRow = Omit<UserCsvRow, 'password'> & {
  readonly line: number;
  readonly sealedPassword: string | null;
};

/** Writes rows to the stage. */
export async function stageRows(
  db: UserDb,
  { id, partnerId }: ImportKey,
  rows: readonly StagedRow[],
): Promise<void> {
  const column = (of: (row: StagedRow) => string | null) => rows.map((row) => of(row) ?? '');
  const key = (text: string | null) => (text === null ? null : foldCase(text));
  // Arrays of columns: PostgreSQL takes them several times faster than JSON. Nothing that may be absent may be empty.
  await db.$executeRaw`
    INSERT INTO import_rows
      (import_id, partner_id, line, name, name_key, email, email_key, login_user_id, login_user_id_key,
       sealed_password, json, group_ids, deletes)
    SELECT ${id}, ${partnerId}, line, name, name_key, nullif(email, ''), nullif(email_key, ''),
      nullif(login_user_id, ''), nullif(login_user_id_key, ''), nullif(sealed_password, ''), nullif(json, ''),
      string_to_array(group_ids, ',')::integer[], deletes
    FROM unnest(
      ${rows.map(({ line }) => line)}::integer[],
      ${column(({ name }) => name)}::text[],
      ${column(({ name }) => key(name))}::text[],
      ${column(({ email }) => email)}::text[],
      ${column(({ email }) => key(email))}::text[],
      ${column(({ loginUserId }) => loginUserId)}::text[],
      ${column(({ loginUserId }) => key(loginUserId))}::text[],
      ${column(({ sealedPassword }) => sealedPassword)}::text[],
      ${column(({ json }) => json)}::text[],
      ${column(({ groupIds }) => groupIds.toSorted((a, b) => a - b).join())}::text[],
      ${rows.map(({ deletes }) => deletes)}::boolean[]
    ) AS staged (line, name, name_key, email, email_key, login_user_id, login_user_id_key, sealed_password,
      json, group_ids, deletes)`;
}

/** Has the database look at how many rows are on the stage now: it plans by that what is done with all of them. */
export async function analyzeStage(db: UserDb): Promise<void> {
  await db.$executeRaw`SELECT analyze_import_rows()`;
}

export async function insertFaults(
  db: UserDb,
  { id, partnerId }: ImportKey,
  faults: readonly LineFault[],
): Promise<void> {
  await db.$executeRaw`
    INSERT INTO import_errors (import_id, partner_id, line, field, code, message, params)
    SELECT ${id}, ${partnerId}, line, field, code, message, params
    FROM unnest(
      ${faults.map(({ line }) => line)}::integer[],
      ${faults.map(({ field }) => field)}::text[],
      ${faults.map(({ code }) => code)}::text[],
      ${faults.map(({ message }) => message)}::text[],
      ${faults.map(({ params }) => JSON.stringify(params ?? {}))}::jsonb[]
    ) AS wrong (line, field, code, message, params)
    ON CONFLICT DO NOTHING`;
}

export async function clearRows(db: UserDb, { id, partnerId }: ImportKey): Promise<void> {
  await db.importRow.deleteMany({ where: { partnerId, importId: id } });
}

/** Nothing is on the stage, and nothing is wrong with it. */
export async function clearStage(db: UserDb, key: ImportKey): Promise<void> {
  const { id, partnerId } = key;
  await clearRows(db, key);
  await db.importError.deleteMany({ where: { partnerId, importId: id } });
}

export async function countRows(db: UserDb, { id, partnerId }: ImportKey): Promise<number> {
  return db.importRow.count({ where: { partnerId, importId: id } });
}

export async function countFaults(db: UserDb, { id, partnerId }: ImportKey): Promise<number> {
  return db.importError.count({ where: { partnerId, importId: id } });
}

/** Leaves the first faults alone, by line; `kept` is at least 1. */
export async function dropFaultsBeyond(
  db: UserDb,
  { id, partnerId }: ImportKey,
  kept: number,
): Promise<void> {
  // What comes behind one row is found by the index, whatever number of rows the planner expects.
  await db.$executeRaw`
    DELETE FROM import_errors WHERE partner_id = ${partnerId} AND import_id = ${id} AND (line, field) > (
      SELECT line, field FROM import_errors WHERE partner_id = ${partnerId} AND import_id = ${id}
      ORDER BY line, field OFFSET ${kept} - 1 LIMIT 1)`;
}

/** A password that is still to be hashed, and what its user has now. */
export interface OpenPassword {
  readonly line: number;
  readonly sealedPassword: string;
  readonly currentHash: string | null;
}

/** At most `take` passwords that are still to be hashed, by line. */
export async function openPasswords(
  db: UserDb,
  { id, partnerId }: ImportKey,
  { after, take, which }: { after: number; take: number; which: 'all' | 'ofUsers' },
): Promise<OpenPassword[]> {
  return db.$queryRaw<OpenPassword[]>`
    SELECT r.line, r.sealed_password AS "sealedPassword", a.password_hash AS "currentHash"
    FROM import_rows r
    LEFT JOIN accounts a ON a.partner_id = ${partnerId} AND a.id = r.account_id
    WHERE r.partner_id = ${partnerId} AND r.import_id = ${id} AND r.line > ${after}
      AND r.sealed_password IS NOT NULL AND (${which}::text = 'all' OR r.account_id IS NOT NULL)
    ORDER BY r.line LIMIT ${take}`;
}

/** How many are still to be hashed, and are already; those of people who are users are known once the import is checked. */
export async function countPasswords(
  db: UserDb,
  { id, partnerId }: ImportKey,
  which: 'all' | 'ofUsers' = 'all',
): Promise<{ open: number; hashed: number }> {
  const where = { partnerId, importId: id, ...(which === 'ofUsers' && { accountId: { not: null } }) };
  const open = await db.importRow.count({ where: { ...where, sealedPassword: { not: null } } });
  const hashed = await db.importRow.count({ where: { ...where, passwordHash: { not: null } } });
  return { open, hashed };
}

export async function savePasswords(
  db: UserDb,
  { id, partnerId }: ImportKey,
  hashes: readonly { line: number; passwordHash: string }[],
): Promise<void> {
  await db.$executeRaw`
    UPDATE import_rows r SET sealed_password = NULL, password_hash = hashed."passwordHash"
    FROM jsonb_to_recordset(${JSON.stringify(hashes)}::jsonb) AS hashed (line integer, "passwordHash" text)
    WHERE r.partner_id = ${partnerId} AND r.import_id = ${id} AND r.line = hashed.line`;
}
