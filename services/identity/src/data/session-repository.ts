import { keptPlan, type RawQueries } from '@portal/database';
import type { Owner } from '../domain/owner.ts';
import type { Client, SessionOwner } from '../domain/session.ts';
import type { IdentityDb } from './db.ts';
import { type Admin, Prisma, type Session } from './generated/client.ts';

export async function insertSession(
  db: RawQueries,
  begun: SessionOwner & Client & { readonly id: string; readonly startedAt: Date; readonly expiresAt: Date },
): Promise<Session> {
  const session: Session = {
    partnerId: null,
    unitId: null,
    platformUuid: null,
    registration: 0,
    loginUserId: null,
    ssoLogout: false,
    lastUsedAt: null,
    revokedAt: null,
    ...begun,
  };
  await db.$executeRaw`
    INSERT ${keptPlan} INTO sessions (
      id, partner_id, account_kind, account_id, client, role, unit_id, platform_uuid, registration, generation, name, email,
      login_user_id, two_factor_setup, sso_logout, agent, address, started_at, expires_at)
    VALUES (
      ${session.id}::uuid, ${session.partnerId}, ${session.accountKind}::account_kind, ${session.accountId},
      ${session.client}::session_client, ${session.role}, ${session.unitId}, ${session.platformUuid}, ${session.registration},
      ${session.generation}, ${session.name}, ${session.email}, ${session.loginUserId}, ${session.twoFactorSetup},
      ${session.ssoLogout}, ${session.agent}, ${session.address}, ${session.startedAt}, ${session.expiresAt})`;
  return session;
}

/** Lets a live session that began after `startedAfter` last until `expiresAt`; null when there is none. */
export async function prolongSession(
  db: IdentityDb,
  id: string,
  { expiresAt, startedAfter }: { expiresAt: Date; startedAfter: Date },
): Promise<Session | null> {
  const [session] = await db.session.updateManyAndReturn({
    where: { id, revokedAt: null, startedAt: { gt: startedAfter } },
    data: { expiresAt },
  });
  return session ?? null;
}

/** From now on the session may do everything. */
export async function liftSetup(db: IdentityDb, id: string): Promise<void> {
  await db.session.updateMany({ where: { id }, data: { twoFactorSetup: false } });
}

/** Whether it has not been ended. Its time is up when its token's is. */
export async function isLiveSession(db: IdentityDb, id: string): Promise<boolean> {
  return (await db.session.count({ where: { id, revokedAt: null } })) > 0;
}

export type EndedSession = Pick<
  Session,
  'id' | 'partnerId' | 'accountKind' | 'accountId' | 'expiresAt' | 'platformUuid' | 'registration'
>;

const endedColumns = Prisma.sql`
  id, partner_id AS "partnerId", account_kind AS "accountKind", account_id AS "accountId", expires_at AS "expiresAt",
  platform_uuid AS "platformUuid", sessions.registration`;

/** Keeps that sessions were used at `at`, unless they were later. Those that are being changed meanwhile are left as they are. */
export async function markSessionsUsed(db: IdentityDb, ids: readonly string[], at: Date): Promise<void> {
  await db.$executeRaw`
    UPDATE sessions SET last_used_at = ${at}
    WHERE id IN (
      SELECT id FROM sessions
      WHERE id = ANY(${[...ids]}::uuid[]) AND coalesce(last_used_at, started_at) < ${at}
      FOR NO KEY UPDATE SKIP LOCKED)`;
}

/** Ends live sessions: one, of whomever or of `owner`, or those of an administrator; answers those that this call ended. */
export async function revokeSessions(
  db: IdentityDb,
  which:
    | { readonly id: string; readonly owner?: Pick<Owner, 'accountId' | 'accountKind'> }
    | { readonly adminId: number; readonly except?: string | undefined },
  now: Date,
): Promise<EndedSession[]> {
  const where =
    'id' in which
      ? {
          id: which.id,
          ...(which.owner && { accountKind: which.owner.accountKind, accountId: which.owner.accountId }),
        }
      : {
          accountKind: 'admin' as const,
          accountId: which.adminId,
          ...(which.except !== undefined && { id: { not: which.except } }),
        };
  return db.session.updateManyAndReturn({
    where: { ...where, revokedAt: null, expiresAt: { gt: now } },
    data: { revokedAt: now },
  });
}

/** Which sessions of a person of a tenant end: all but what is said here. */
export interface Ending {
  readonly accountId: number;
  readonly partnerId: number;
  /** Those that began with this password and role, or a later one, go on. */
  readonly generation?: number | undefined;
  readonly keptSessionId?: string | undefined;
  /** On this device alone, as it was registered then and before. */
  readonly device?: { readonly uuid: string; readonly registration: number } | undefined;
}

/** Ends live sessions of people; answers those that this call ended. */
export async function revokePeopleSessions(
  db: IdentityDb,
  endings: readonly Ending[],
  now: Date,
): Promise<EndedSession[]> {
  const rows = endings.map(({ accountId, device, generation, keptSessionId }) => ({
    account: accountId,
    generation,
    kept: keptSessionId,
    ...device,
  }));
  return db.$queryRaw<EndedSession[]>`
    UPDATE sessions SET revoked_at = ${now}
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS ending (
      account integer, generation integer, kept text, uuid text, registration integer)
    WHERE account_kind = 'account' AND account_id = ending.account AND revoked_at IS NULL AND expires_at > ${now}
      AND (ending.generation IS NULL OR sessions.generation < ending.generation)
      AND (ending.kept IS NULL OR id::text <> ending.kept)
      AND (ending.uuid IS NULL OR platform_uuid = ending.uuid AND sessions.registration <= ending.registration)
    RETURNING ${endedColumns}`;
}

/** Of the locks of partners. */
const partnerLocks = 1;

/** Until the transaction ends, the sessions of this partner are not ended for its deletion. */
export const partnerHold = (partnerId: number) => ({
  text: 'SELECT pg_advisory_xact_lock_shared($1::integer, $2::integer)',
  values: [partnerLocks, partnerId],
});

/** Ends live sessions of a partner, at most so many; answers them. Waits for sign-ins that did not know that it is deleted. */
export async function revokePartnerSessions(
  db: IdentityDb,
  { most, now, partnerId }: { partnerId: number; most: number; now: Date },
): Promise<EndedSession[]> {
  await db.$executeRaw`SELECT pg_advisory_xact_lock(${partnerLocks}::integer, ${partnerId}::integer)`;
  return db.$queryRaw<EndedSession[]>`
    UPDATE sessions SET revoked_at = ${now}
    WHERE id IN (
      SELECT id FROM sessions
      WHERE partner_id = ${partnerId} AND revoked_at IS NULL AND expires_at > ${now}
      LIMIT ${most} FOR UPDATE SKIP LOCKED)
    RETURNING ${endedColumns}`;
}

/** Keeps what statements say of signed-in people as it is now; whose names are the same are not written. */
export async function renameSessions(
  db: IdentityDb,
  people: readonly {
    readonly accountId: number;
    readonly name: string;
    readonly email: string | null;
    readonly loginUserId: string | null;
  }[],
): Promise<void> {
  const rows = people.map(({ accountId, email, loginUserId, name }) => ({
    account: accountId,
    new_name: name,
    new_email: email,
    new_login: loginUserId,
  }));
  await db.$executeRaw`
    UPDATE sessions SET name = new_name, email = new_email, login_user_id = new_login
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS person (
      account integer, new_name text, new_email text, new_login text)
    WHERE account_kind = 'account' AND account_id = account
      AND (name, email, login_user_id) IS DISTINCT FROM (new_name, new_email, new_login)`;
}

/** Keeps in the live sessions of an administrator who they are now, for their next tokens. */
export async function followAdmin(
  db: IdentityDb,
  { id, name, revision, role }: Pick<Admin, 'id' | 'name' | 'revision' | 'role'>,
): Promise<void> {
  await db.session.updateMany({
    where: { accountKind: 'admin', accountId: id, revokedAt: null },
    data: { name, role, generation: revision },
  });
}

/** Deletes sessions, and their revocations, once their tokens have expired. */
export async function deleteExpiredSessions(db: IdentityDb, now: Date): Promise<number> {
  return (await db.session.deleteMany({ where: { expiresAt: { lte: now } } })).count;
}

/** The highest revocation number so far; later revocations get higher ones. */
export async function lastEnding(db: RawQueries): Promise<number> {
  const [row] = await db.$queryRaw<{ last: number }[]>`
    SELECT (CASE WHEN is_called THEN last_value ELSE 0 END)::integer AS last FROM account_endings_ending_seq`;
  return row?.last ?? 0;
}

/**
 * The number of the account's last ending, and the last of all; the account gets no other before the transaction ends. And whether its
 * partner is deleted, which has to be held before.
 */
export async function lockEnding(
  db: RawQueries,
  { accountId, partnerId }: { accountId: number; partnerId: number },
): Promise<{ ending: number; isDeleted: boolean; lastOfAll: number }> {
  const [row] = await db.$queryRaw<{ ending: number; isDeleted: boolean; lastOfAll: number }[]>`
    INSERT ${keptPlan} INTO account_endings (account_id, partner_id, ending) VALUES (${accountId}, ${partnerId}, 0)
    ON CONFLICT (account_id) DO UPDATE SET ending = account_endings.ending
    RETURNING ending,
      EXISTS (SELECT FROM messaging.deleted_partner WHERE partner_id = ${partnerId}) AS "isDeleted",
      (SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM account_endings_ending_seq)::integer AS "lastOfAll"`;
  if (!row) throw new Error('The row was not returned');
  return row;
}

/** Gives each of the accounts a new ending. */
export async function recordEndings(
  db: IdentityDb,
  accounts: readonly { readonly accountId: number; readonly partnerId: number }[],
): Promise<void> {
  const rows = accounts.map(({ accountId, partnerId }) => ({ account: accountId, partner: partnerId }));
  await db.$executeRaw`
    INSERT INTO account_endings (account_id, partner_id)
    SELECT DISTINCT account, partner FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS ended (
      account integer, partner integer)
    ORDER BY account
    ON CONFLICT (account_id) DO UPDATE SET ending = nextval('account_endings_ending_seq')`;
}
