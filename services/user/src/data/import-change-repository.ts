import { limits } from '@portal/contracts';
import type { UserDb } from './db.ts';
import { Prisma } from './generated/client.ts';
import { pieces } from './import-plan.ts';
import type { ImportKey } from './import-repository.ts';

/** What a planned import does to each person: kept apart from its rows, which go once it is applied. */

const { sql } = Prisma;

const kind = sql`CASE r.action WHEN 'create' THEN 'created' WHEN 'change' THEN 'changed' ELSE 'deleted' END`;

/**
 * Keeps what the planned rows on the stage do, in the place of what was kept before. To be called before anything of it is done.
 * Answers of how many people that is.
 */
export async function keepChanges(db: UserDb, key: ImportKey): Promise<number> {
  const { id, partnerId } = key;
  await db.importChange.deleteMany({ where: { partnerId, importId: id } });
  let kept = 0;
  for (const [first, last] of await pieces(db, key)) {
    kept += await db.$executeRaw`
      INSERT INTO import_changes (import_id, partner_id, line, kind, account_id, name, name_key, new_name_key, login_id,
        login_id_key, fields)
      SELECT ${id}, ${partnerId}, r.line, ${kind}, r.account_id, coalesce(a.name, r.name), coalesce(a.name_key, r.name_key),
        CASE WHEN r.action = 'change' THEN r.name_key END, coalesce(a.email, a.login_user_id, r.email, r.login_user_id),
        coalesce(a.email_key, a.login_user_id_key, r.email_key, r.login_user_id_key), ${fieldsOfRow(partnerId)}
      FROM import_rows r
      LEFT JOIN accounts a ON a.partner_id = ${partnerId} AND a.id = r.account_id
      WHERE r.partner_id = ${partnerId} AND r.import_id = ${id} AND r.line BETWEEN ${first} AND ${last}
        AND r.action <> 'keep'`;
  }
  return kept;
}

/** Whether the planned rows on the stage do to each person what is kept of it, in no other field, and nothing to anybody else. */
export async function doesWhatIsKept(db: UserDb, key: ImportKey): Promise<boolean> {
  const { id, partnerId } = key;
  let planned = 0;
  let same = 0;
  for (const [first, last] of await pieces(db, key)) {
    const [piece] = await db.$queryRaw<{ planned: number; same: number }[]>`
      SELECT count(*)::integer AS planned, count(c.line)::integer AS same
      FROM import_rows r
      LEFT JOIN accounts a ON a.partner_id = ${partnerId} AND a.id = r.account_id
      LEFT JOIN import_changes c ON c.partner_id = ${partnerId} AND c.import_id = ${id} AND c.line = r.line
        AND c.kind = ${kind} AND (r.action = 'create' OR c.account_id = r.account_id)
        AND (r.action <> 'change' OR ${names(sql`c.fields`)} @> ${names(fieldsOfRow(partnerId))})
      WHERE r.partner_id = ${partnerId} AND r.import_id = ${id} AND r.line BETWEEN ${first} AND ${last}
        AND r.action <> 'keep'`;
    planned += piece?.planned ?? 0;
    same += piece?.same ?? 0;
  }
  const kept = await db.importChange.count({ where: { partnerId, importId: id } });
  return planned === same && same === kept;
}

const names = (fields: Prisma.Sql) => sql`jsonb_path_query_array(${fields}, '$[*].field')`;

/** The fields of the row `r` in which it differs from the account `a`, which a new user does not have. */
function fieldsOfRow(partnerId: number): Prisma.Sql {
  // A new user is in none: not even an index has to be asked.
  const groups = sql`CASE WHEN a.id IS NULL THEN '{}'::integer[] ELSE ARRAY(
    SELECT m.group_id FROM memberships m
    WHERE m.partner_id = ${partnerId} AND m.account_id = a.id ORDER BY m.group_id) END`;
  const joined = (ids: Prisma.Sql) => sql`nullif(array_to_string(${ids}, ','), '')`;
  const ifDiffers = (field: string, differs: Prisma.Sql, before: Prisma.Sql, after: Prisma.Sql) => sql`
    CASE WHEN ${differs} THEN jsonb_build_object('field', ${field}::text, 'before', ${before}, 'after', ${after}) END`;
  const ifOther = (field: string, before: Prisma.Sql, after: Prisma.Sql) =>
    ifDiffers(field, sql`${before} IS DISTINCT FROM ${after}`, cut(before), cut(after));
  const fields = [
    ifOther('name', sql`a.name`, sql`r.name`),
    ifOther('email', sql`a.email`, sql`r.email`),
    ifOther('login_user_id', sql`a.login_user_id`, sql`r.login_user_id`),
    ifDiffers(
      'password',
      sql`r.sealed_password IS NOT NULL
        OR (r.password_hash IS NOT NULL AND r.password_hash IS DISTINCT FROM a.password_hash)`,
      sql`NULL`,
      sql`NULL`,
    ),
    ifOther('json', sql`a.json`, sql`r.json`),
    ifDiffers('group_ids', sql`r.group_ids <> ${groups}`, joined(groups), joined(sql`r.group_ids`)),
  ];
  return sql`CASE WHEN r.action = 'delete' THEN '[]'::jsonb
    ELSE to_jsonb(array_remove(ARRAY[${Prisma.join(fields)}]::jsonb[], NULL)) END`;
}

function cut(value: Prisma.Sql): Prisma.Sql {
  const longest = sql`${limits.importValueMaxLength}::integer`;
  return sql`CASE WHEN length(${value}) > ${longest} THEN left(${value}, ${longest}) || '…' ELSE ${value} END`;
}
