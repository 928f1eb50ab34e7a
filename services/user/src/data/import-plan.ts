import { userRoleBits } from '@portal/contracts';
import type { ImportCounts } from '../domain/import.ts';
import type { UserDb } from './db.ts';
import type { ClaimedImport, ImportKey } from './import-repository.ts';
import { needsTwoAdmins } from './partner-repository.ts';
import { licencesLeft } from './user-list.ts';

/** What an import would do, with all rows at once: what is looked up row by row takes as long as applying it. */

/** Lines that one statement looks at, so that none runs into its time limit. */
const linesAtOnce = 20_000;

/** Unknown groups that a fault names: a row may have a thousand. */
const groupsNamed = 10;

/** The line numbers of an import in pieces, each from its first to its last. Of lines without rows there may be very many. */
export async function pieces(db: UserDb, { id, partnerId }: ImportKey): Promise<[number, number][]> {
  const found = await db.$queryRaw<{ piece: number }[]>`
    SELECT DISTINCT line / ${linesAtOnce}::integer AS piece FROM import_rows
    WHERE partner_id = ${partnerId} AND import_id = ${id} ORDER BY piece`;
  return found.map(({ piece }) => [piece * linesAtOnce, (piece + 1) * linesAtOnce - 1]);
}

/** Rows that may be compared with every user of a tenant: whatever the plan, it takes no long time. */
const fewRows = 1_000;

/**
 * Has what is joined with many rows hashed, from here to the end of the transaction. Of a tenant that has just got its
 * users the database does not know them yet, and a plan for none would compare each with every row. What is sorted and
 * kept for triggers gets memory enough for most imports: a process applies two at most.
 */
export async function joinByHash(db: UserDb, { rowCount }: Pick<ClaimedImport, 'rowCount'>): Promise<void> {
  if ((rowCount ?? 0) <= fewRows) return;
  await db.$queryRaw`SELECT set_config('enable_nestloop', 'off', true), set_config('work_mem', '32MB', true)`;
}

/**
 * Looks up whom each row of a piece means, by their login, and what is to be done with them. Company admins who are no
 * users are not met: their rows have nobody and no action. With `numbered` new users get the ids that they will have, in
 * the order of their lines, and no password is left that its user has: by now nobody changes it, or after this.
 */
export async function planPiece(
  db: UserDb,
  { id, partnerId }: ImportKey,
  [first, last]: [number, number],
  { numbered }: { numbered: boolean },
): Promise<void> {
  await db.$executeRaw`
    UPDATE import_rows r SET
      account_id = found.account_id,
      password_hash = CASE
        WHEN ${numbered} AND r.password_hash = found.password_hash THEN NULL ELSE r.password_hash
      END,
      action = CASE
        WHEN found.id IS NULL THEN CASE WHEN r.deletes THEN NULL ELSE 'create' END
        WHEN NOT found.is_user THEN NULL
        WHEN r.deletes THEN 'delete'
        WHEN r.name = found.name AND r.json IS NOT DISTINCT FROM found.json
          AND (r.email, r.login_user_id) IS NOT DISTINCT FROM (found.email, found.login_user_id)
          AND r.sealed_password IS NULL AND (r.password_hash IS NULL OR r.password_hash = found.password_hash)
          AND r.group_ids = ARRAY(
            SELECT m.group_id FROM memberships m
            WHERE m.partner_id = ${partnerId} AND m.account_id = found.id ORDER BY m.group_id)
        THEN 'keep'
        ELSE 'change'
      END
    FROM (
      SELECT logins.*, CASE
        WHEN ${numbered} AND id IS NULL AND NOT deletes
        THEN nextval((SELECT pg_get_serial_sequence('accounts', 'id')::regclass))
        ELSE id
      END AS account_id
      FROM (
        SELECT s.line, s.deletes, a.id, a.is_user, a.name, a.json, a.email, a.login_user_id,
          a.password_hash FROM import_rows s
        LEFT JOIN accounts a ON a.partner_id = ${partnerId} AND a.email_key = s.email_key
        WHERE s.partner_id = ${partnerId} AND s.import_id = ${id} AND s.line BETWEEN ${first} AND ${last}
          AND s.email_key IS NOT NULL
        UNION ALL
        SELECT s.line, s.deletes, a.id, a.is_user, a.name, a.json, a.email, a.login_user_id,
          a.password_hash FROM import_rows s
        LEFT JOIN accounts a ON a.partner_id = ${partnerId} AND a.login_user_id_key = s.login_user_id_key
        WHERE s.partner_id = ${partnerId} AND s.import_id = ${id} AND s.line BETWEEN ${first} AND ${last}
          AND s.login_user_id_key IS NOT NULL
        ORDER BY line
      ) logins
    ) found
    WHERE r.partner_id = ${partnerId} AND r.import_id = ${id} AND r.line = found.line`;
}

/** Writes down what is wrong with planned rows that no row tells by itself: of each kind of fault the first `most`. */
export async function findFaults(
  db: UserDb,
  key: ImportKey,
  { most, ...licences }: { freed: number; licencesNeeded: number; most: number },
): Promise<void> {
  await faultsOfTwins(db, key, most);
  await faultsOfRows(db, key, most);
  await faultOfLicences(db, key, licences);
  await faultsOfLastAdmin(db, key);
}

export async function countPlanned(db: UserDb, { id, partnerId }: ImportKey): Promise<ImportCounts> {
  const rows = await db.importRow.groupBy({
    by: ['action'],
    where: { partnerId, importId: id },
    // No row of a new user with an address has a password.
    _count: { _all: true, email: true },
  });
  const of = (wanted: string) => rows.find(({ action }) => action === wanted)?._count._all ?? 0;
  return {
    createCount: of('create'),
    updateCount: of('change'),
    unchangedCount: of('keep'),
    deleteCount: of('delete'),
    mailCount: rows.find(({ action }) => action === 'create')?._count.email ?? 0,
  };
}

/** How many licences the planned deletions free: an inactive user has none. */
export async function countFreed(db: UserDb, { id, partnerId }: ImportKey): Promise<number> {
  const [counted] = await db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::integer AS count FROM import_rows r
    JOIN accounts a ON a.partner_id = ${partnerId} AND a.id = r.account_id AND a.active
    WHERE r.partner_id = ${partnerId} AND r.import_id = ${id} AND r.action = 'delete'`;
  return counted?.count ?? 0;
}

/** A user in two lines: all but the first are wrong. No login id is an address, which has its `@`. */
async function faultsOfTwins(db: UserDb, { id, partnerId }: ImportKey, most: number): Promise<void> {
  await db.$executeRaw`
    INSERT INTO import_errors (import_id, partner_id, line, field, code, message, params)
    SELECT ${id}, ${partnerId}, r.line, CASE WHEN r.email IS NULL THEN 'login_user_id' ELSE 'email' END,
      'E40002', 'csvDuplicate', jsonb_build_object('line', twins.first_line)
    FROM (
      SELECT coalesce(email_key, login_user_id_key) AS login, min(line) AS first_line
      FROM import_rows WHERE partner_id = ${partnerId} AND import_id = ${id}
      GROUP BY login HAVING count(*) > 1
    ) twins
    JOIN import_rows r ON coalesce(r.email_key, r.login_user_id_key) = twins.login
    WHERE r.partner_id = ${partnerId} AND r.import_id = ${id} AND r.line > twins.first_line
    ORDER BY r.line LIMIT ${most}
    ON CONFLICT DO NOTHING`;
}

/**
 * Nobody is there to be deleted, or somebody who is no user has the login. Whoever is new and has a login id needs a
 * password. Groups are not there. Nobody deletes their own account.
 */
async function faultsOfRows(db: UserDb, { id, partnerId }: ImportKey, most: number): Promise<void> {
  await db.$executeRaw`
    INSERT INTO import_errors (import_id, partner_id, line, field, code, message, params)
    SELECT ${id}, ${partnerId}, r.line, fault.field, fault.code, fault.message,
      CASE WHEN fault.message = 'groupsNotFound' THEN jsonb_build_object('ids', (
        SELECT string_agg(id::text, ', ' ORDER BY id) FROM (
          SELECT named AS id FROM unnest(r.group_ids) named
          WHERE NOT EXISTS (SELECT 1 FROM groups g WHERE g.partner_id = ${partnerId} AND g.id = named)
          ORDER BY named LIMIT ${groupsNamed}) unknown)) ELSE '{}' END
    FROM (
      SELECT line, email, deletes, group_ids, action IS NULL AS stranger,
        action = 'delete' AND account_id = (
          SELECT opened_by FROM user_imports WHERE partner_id = ${partnerId} AND id = ${id}) AS own,
        action = 'create' AND login_user_id IS NOT NULL AND sealed_password IS NULL AND password_hash IS NULL
          AS passwordless,
        group_ids <> '{}' AND NOT group_ids <@ ARRAY(SELECT g.id FROM groups g WHERE g.partner_id = ${partnerId})
          AS groupless
      FROM import_rows WHERE partner_id = ${partnerId} AND import_id = ${id}
    ) r
    CROSS JOIN LATERAL (VALUES
      (stranger, CASE WHEN email IS NULL THEN 'login_user_id' ELSE 'email' END,
        CASE WHEN deletes THEN 'E40403' ELSE 'E40029' END, CASE WHEN deletes THEN 'notFound' ELSE 'notUnique' END),
      (passwordless, 'password', 'E40007', 'required'),
      (groupless, 'group_ids', 'E40404', 'groupsNotFound'),
      (own, 'csv', 'E40031', 'ownAccount')
    ) AS fault (holds, field, code, message)
    WHERE (stranger OR passwordless OR groupless OR own) AND fault.holds
    ORDER BY r.line LIMIT ${most}
    ON CONFLICT DO NOTHING`;
}

/** Too few licences, those that this file frees among them: told once, on the first new user for whom there is none. */
async function faultOfLicences(
  db: UserDb,
  { id, partnerId }: ImportKey,
  { freed, licencesNeeded: needed }: { freed: number; licencesNeeded: number },
): Promise<void> {
  const left = await licencesLeft(db, partnerId);
  if (left === null || needed <= left) return;
  const params = JSON.stringify({ needed, left, missing: needed - left });
  await db.$executeRaw`
    INSERT INTO import_errors (import_id, partner_id, line, field, code, message, params)
    SELECT ${id}, ${partnerId}, line, 'csv', 'E40008', 'licencesShort', ${params}::jsonb
    FROM import_rows
    WHERE partner_id = ${partnerId} AND import_id = ${id} AND action = 'create'
    ORDER BY line OFFSET ${left + freed} LIMIT 1
    ON CONFLICT DO NOTHING`;
}

async function faultsOfLastAdmin(db: UserDb, { id, partnerId }: ImportKey): Promise<void> {
  const admin = userRoleBits.admin;
  await db.$executeRaw`
    INSERT INTO import_errors (import_id, partner_id, line, field, code, message, params)
    SELECT ${id}, ${partnerId}, r.line, 'csv', 'E40031', CASE WHEN remaining.admins = 0 THEN 'lastAdmin' ELSE 'twoAdmins' END, '{}'
    FROM import_rows r
    CROSS JOIN (
      SELECT count(*) AS admins FROM accounts other
      WHERE other.partner_id = ${partnerId} AND other.role & ${admin}::integer <> 0 AND other.active
        AND other.id NOT IN (
          SELECT d.account_id FROM import_rows d
          WHERE d.partner_id = ${partnerId} AND d.import_id = ${id} AND d.action = 'delete')
    ) remaining
    JOIN accounts a ON a.partner_id = ${partnerId} AND a.id = r.account_id AND a.role & ${admin}::integer <> 0
    WHERE r.partner_id = ${partnerId} AND r.import_id = ${id} AND r.action = 'delete'
      AND remaining.admins < CASE WHEN ${await needsTwoAdmins(db, partnerId)} THEN 2 ELSE 1 END
    ON CONFLICT DO NOTHING`;
}
