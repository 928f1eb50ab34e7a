import { limits } from '@portal/contracts';
import type { UserDb } from './db.ts';
import { Prisma } from './generated/client.ts';
import type { ClaimedImport, ImportKey } from './import-repository.ts';

/** What a planned import does to the accounts, with all rows of a piece at once. */

/** Deletes users, and their devices with them. */
export async function removeAccounts(
  db: UserDb,
  { id, partnerId }: ImportKey,
  [first, last]: [number, number],
): Promise<void> {
  await db.$executeRaw`
    DELETE FROM accounts a USING import_rows r
    WHERE r.partner_id = ${partnerId} AND r.import_id = ${id} AND r.line BETWEEN ${first} AND ${last}
      AND r.action = 'delete' AND a.partner_id = ${partnerId} AND a.id = r.account_id`;
}

/** Makes new users, whom the plan has numbered. They are marked as in their groups already, or each would be written twice. */
export async function createAccounts(
  db: UserDb,
  { id, partnerId, sendMails }: ClaimedImport,
  [first, last]: [number, number],
  now: Date,
): Promise<void> {
  await db.$executeRaw`
    INSERT INTO accounts
      (id, partner_id, name, name_key, email, email_key, login_user_id, login_user_id_key, password_hash, role,
       is_user, json, max_device_count_limited_flag, max_device_count, created_at, updated_at, group_marks,
       setup_mail_withheld, setup_mail_sent_at)
    SELECT account_id, ${partnerId}, name, name_key, email, email_key, login_user_id, login_user_id_key,
      password_hash, 0, true, json, false, 0, ${now}, ${now}, group_marks(group_ids),
      email IS NOT NULL AND NOT ${sendMails},
      CASE WHEN email IS NOT NULL AND password_hash IS NULL AND ${sendMails} THEN ${now}::timestamptz END
    FROM import_rows
    WHERE partner_id = ${partnerId} AND import_id = ${id} AND line BETWEEN ${first} AND ${last}
      AND action = 'create'`;
}

export async function changeAccounts(
  db: UserDb,
  { id, partnerId }: ImportKey,
  [first, last]: [number, number],
  now: Date,
): Promise<void> {
  await db.$executeRaw`
    UPDATE accounts a SET
      name = r.name, name_key = r.name_key, email = r.email, login_user_id = r.login_user_id, json = r.json,
      password_hash = coalesce(r.password_hash, a.password_hash), updated_at = ${now},
      revision = a.revision + 1, generation = a.generation + (r.password_hash IS NOT NULL)::integer,
      password_generation = CASE WHEN r.password_hash IS NULL THEN a.password_generation ELSE a.generation + 1 END,
      wrong_passwords = CASE WHEN r.password_hash IS NULL THEN a.wrong_passwords ELSE 0 END,
      locked_until = CASE WHEN r.password_hash IS NULL THEN a.locked_until END
    FROM import_rows r
    WHERE r.partner_id = ${partnerId} AND r.import_id = ${id} AND r.line BETWEEN ${first} AND ${last}
      AND r.action = 'change' AND a.partner_id = ${partnerId} AND a.id = r.account_id`;
}

/** Changed users leave the groups that their rows don't name. */
export async function leaveGroups(
  db: UserDb,
  { id, partnerId }: ImportKey,
  [first, last]: [number, number],
): Promise<void> {
  await db.$executeRaw`
    DELETE FROM memberships m USING import_rows r
    WHERE r.partner_id = ${partnerId} AND r.import_id = ${id} AND r.line BETWEEN ${first} AND ${last}
      AND r.action = 'change' AND m.partner_id = ${partnerId} AND m.account_id = r.account_id
      AND m.group_id <> ALL (r.group_ids)`;
}

/** Created and changed users join the groups of their rows, where they are not in them. */
export async function joinGroups(
  db: UserDb,
  { id, partnerId }: ImportKey,
  [first, last]: [number, number],
): Promise<void> {
  await db.$executeRaw`
    INSERT INTO memberships (partner_id, group_id, account_id)
    SELECT ${partnerId}, unnest(group_ids), account_id FROM import_rows
    WHERE partner_id = ${partnerId} AND import_id = ${id} AND line BETWEEN ${first} AND ${last}
      AND action IN ('create', 'change') AND group_ids <> '{}'
    ON CONFLICT DO NOTHING`;
}

/** Half of what an event may have, in bytes. */
const bytesOfEvent = 450_000;

/**
 * The users that an action was done to, as events tell of them, many by each: `subject` and `data`. Where everybody is in very
 * many groups, an event has fewer people.
 */
export function userEventRows(
  key: ImportKey & Pick<ClaimedImport, 'sendMails'>,
  action: 'create' | 'change' | 'delete',
): Prisma.Sql {
  const least = bytesOfEvent / limits.peopleOfEvent;
  return Prisma.sql`
    SELECT ${String(key.partnerId)}::text AS subject,
      json_build_object('partnerId', ${key.partnerId}::integer, 'people', json_agg(person ORDER BY id)) AS data
    FROM (
      SELECT id, person,
        (sum(greatest(octet_length(person::text), ${least}::integer)) OVER (ORDER BY id) - 1) / ${bytesOfEvent}::integer AS part
      FROM (${peopleTold(key, action)}) told
    ) parts
    GROUP BY part ORDER BY part`;
}

function peopleTold(
  { id, partnerId, sendMails }: ImportKey & Pick<ClaimedImport, 'sendMails'>,
  action: 'create' | 'change' | 'delete',
): Prisma.Sql {
  const done = Prisma.sql`r.partner_id = ${partnerId} AND r.import_id = ${id} AND r.action = ${action}`;
  switch (action) {
    case 'create': {
      // Looked up for none of them: a new user is what the row says.
      const fields = Prisma.sql`
        'userId', r.account_id, 'revision', 1, 'name', r.name, 'email', r.email, 'loginUserId', r.login_user_id, 'role', 0,
        'isUser', true, 'groupIds', r.group_ids, 'hasPassword', r.password_hash IS NOT NULL`;
      return Prisma.sql`
        SELECT r.account_id AS id, CASE WHEN r.email IS NOT NULL AND NOT ${sendMails}
          THEN json_build_object(${fields}, 'setupMail', false) ELSE json_build_object(${fields}) END AS person
        FROM import_rows r WHERE ${done}`;
    }
    case 'change':
      return Prisma.sql`
        SELECT r.account_id AS id, jsonb_build_object(
          'userId', a.id, 'revision', a.revision, 'name', a.name, 'email', a.email, 'loginUserId', a.login_user_id, 'role', a.role,
          'isUser', a.is_user, 'groupIds', r.group_ids, 'hasPassword', a.password_hash IS NOT NULL,
          'endsSessions', r.password_hash IS NOT NULL)
          || CASE WHEN a.setup_mail_withheld THEN '{"setupMail": false}'::jsonb ELSE '{}'::jsonb END
          || CASE WHEN a.active THEN '{}'::jsonb ELSE '{"active": false}'::jsonb END AS person
        FROM import_rows r JOIN accounts a ON a.partner_id = ${partnerId} AND a.id = r.account_id WHERE ${done}`;
    case 'delete':
      return Prisma.sql`
        SELECT r.account_id AS id, jsonb_build_object('userId', r.account_id) AS person
        FROM import_rows r WHERE ${done}`;
  }
}

/** The devices of those who are about to be deleted, as events tell of their removal. */
export function deviceEventRows({ id, partnerId }: ImportKey): Prisma.Sql {
  return Prisma.sql`
    SELECT d.uuid AS subject, jsonb_build_object('userId', d.account_id, 'uuid', d.uuid) AS data
    FROM import_rows r JOIN devices d ON d.partner_id = ${partnerId} AND d.account_id = r.account_id
    WHERE r.partner_id = ${partnerId} AND r.import_id = ${id} AND r.action = 'delete'`;
}

/** Many fit into an event, so that those of one import hold up nobody else's. */
const signOutsOfEvent = 1_000;

/** The users who have to sign in again, many per event: deleted ones, and those with another password. */
export function signOutEventRows({ id, partnerId }: ImportKey, action: 'change' | 'delete'): Prisma.Sql {
  const people =
    action === 'delete'
      ? Prisma.sql`
        SELECT r.account_id AS id, NULL::integer AS generation, NULL AS kept, NULL::boolean AS changed FROM import_rows r
        WHERE r.partner_id = ${partnerId} AND r.import_id = ${id} AND r.action = 'delete'`
      : Prisma.sql`
        SELECT a.id, a.generation, CASE WHEN a.id = i.opened_by THEN i.opened_in END AS kept, true AS changed
        FROM import_rows r
        JOIN accounts a ON a.partner_id = ${partnerId} AND a.id = r.account_id
        JOIN user_imports i ON i.partner_id = ${partnerId} AND i.id = r.import_id
        WHERE r.partner_id = ${partnerId} AND r.import_id = ${id} AND r.action = 'change'
          AND r.password_hash IS NOT NULL`;
  return Prisma.sql`
    SELECT ${String(id)}::text AS subject, jsonb_build_object('importId', ${id}::integer, 'people', jsonb_agg(
      jsonb_strip_nulls(jsonb_build_object('userId', id, 'generation', generation, 'keptSessionId', kept,
        'passwordChanged', changed))
      ORDER BY id)) AS data
    FROM (SELECT *, (row_number() OVER (ORDER BY id) - 1) / ${signOutsOfEvent}::integer AS part FROM (${people}) people) parts
    GROUP BY part`;
}
