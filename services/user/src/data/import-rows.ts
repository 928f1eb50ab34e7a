import type { UserCsvRow } from '@portal/contracts';
import type { LineFault } from '../domain/import.ts';
import { keyOf } from '../domain/text-key.ts';
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
  const staged = rows.map(({ email, groupIds, loginUserId, name, ...row }) => ({
    ...row,
    name,
    nameKey: keyOf(name),
    email,
    emailKey: email === null ? null : keyOf(email),
    loginUserId,
    loginUserIdKey: loginUserId === null ? null : keyOf(loginUserId),
    groupIds: groupIds.toSorted((a, b) => a - b),
  }));
  await db.$executeRaw`
    INSERT INTO import_rows
      (import_id, partner_id, line, name, name_key, email, email_key, login_user_id, login_user_id_key,
       sealed_password, json, group_ids, deletes)
    SELECT ${id}, ${partnerId}, line, name, "nameKey", email, "emailKey", "loginUserId", "loginUserIdKey",
      "sealedPassword", json, "groupIds", deletes
    FROM jsonb_to_recordset(${JSON.stringify(staged)}::jsonb) AS staged (
      line integer, name text, "nameKey" text, email text, "emailKey" text, "loginUserId" text,
      "loginUserIdKey" text, "sealedPassword" text, json text, "groupIds" integer[], deletes boolean)`;
}

export async function insertFaults(
  db: UserDb,
  { id, partnerId }: ImportKey,
  faults: readonly LineFault[],
): Promise<void> {
  await db.importError.createMany({
    data: faults.map(({ params = {}, ...fault }) => ({ importId: id, partnerId, ...fault, params })),
    skipDuplicates: true,
  });
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
  { after, take }: { after: number; take: number },
): Promise<OpenPassword[]> {
  return db.$queryRaw<OpenPassword[]>`
    SELECT r.line, r.sealed_password AS "sealedPassword", a.password_hash AS "currentHash"
    FROM import_rows r
    LEFT JOIN accounts a ON a.partner_id = ${partnerId} AND a.id = r.account_id
    WHERE r.partner_id = ${partnerId} AND r.import_id = ${id} AND r.line > ${after}
      AND r.sealed_password IS NOT NULL
    ORDER BY r.line LIMIT ${take}`;
}

export async function countOpenPasswords(db: UserDb, { id, partnerId }: ImportKey): Promise<number> {
  return db.importRow.count({ where: { partnerId, importId: id, sealedPassword: { not: null } } });
}

/** Null for a password that is the user's already. */
export async function savePasswords(
  db: UserDb,
  { id, partnerId }: ImportKey,
  hashes: readonly { line: number; passwordHash: string | null }[],
): Promise<void> {
  await db.$executeRaw`
    UPDATE import_rows r SET sealed_password = NULL, password_hash = hashed."passwordHash"
    FROM jsonb_to_recordset(${JSON.stringify(hashes)}::jsonb) AS hashed (line integer, "passwordHash" text)
    WHERE r.partner_id = ${partnerId} AND r.import_id = ${id} AND r.line = hashed.line`;
}
