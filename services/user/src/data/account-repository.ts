import { afterAttempt, type LoginAttempts, recordUnknownAttempt } from '@portal/accounts';
import { foldCase, identityRoutes } from '@portal/contracts';
import { isUniqueViolation, keptPlan, type RawQueries } from '@portal/database';
import { fieldError } from '@portal/kernel';
import { adminRoles } from '../domain/role.ts';
import type { UserDb } from './db.ts';
import type { Platform } from './device-repository.ts';
import { type Account, Prisma } from './generated/client.ts';
import { needsTwoAdmins } from './partner-repository.ts';

const { portalRoles } = identityRoutes;

interface AccountFields {
  readonly name: string;
  readonly email: string | null;
  readonly loginUserId: string | null;
  readonly passwordHash: string | null;
  readonly role: number;
  readonly json: string | null;
  readonly maxDeviceCountLimitedFlag: boolean;
  readonly maxDeviceCount: number;
  /** Absent: as it is, which is true of a new one. */
  readonly active?: boolean;
  /** Absent: as it is, as the next. */
  readonly externalId?: string | null;
  readonly setupMailWithheld?: boolean;
}

/**
 * Whoever is told of by an event and has an address, but no password, is mailed a link to choose one. Throws `E40029` on the login when
 * another account of the partner has it.
 */
export async function insertAccount(
  db: UserDb,
  partnerId: number,
  fields: AccountFields & { readonly isUser: boolean },
  now: Date,
): Promise<Account> {
  const { email, passwordHash, setupMailWithheld } = fields;
  const isMailed = email !== null && passwordHash === null && !setupMailWithheld;
  return uniqueLogin(async () =>
    db.account.create({
      data: {
        partnerId,
        ...fields,
        ...keysOf(fields),
        setupMailSentAt: isMailed ? now : null,
        createdAt: now,
        updatedAt: now,
      },
    }),
  );
}

/** Throws `E40029` on the login when another account of the partner has it. */
export async function saveAccount(
  db: UserDb,
  account: { readonly partnerId: number; readonly id: number },
  fields: AccountFields & {
    readonly generation: number;
    /** Absent: as it is, where the password is. */
    readonly passwordGeneration?: number;
    readonly revision: number;
  } & Partial<LoginAttempts>,
  now: Date,
): Promise<void> {
  const { id, partnerId } = account;
  await uniqueLogin(async () =>
    db.account.update({
      where: { partnerId_id: { partnerId, id } },
      data: { ...fields, ...keysOf(fields), updatedAt: now },
    }),
  );
}

export async function findAccount(db: UserDb, partnerId: number, id: number): Promise<Account | null> {
  return db.account.findUnique({ where: { partnerId_id: { partnerId, id } } });
}

/** The account that signs in with this address or id, ignoring case. */
export async function findByLogin(
  db: UserDb,
  partnerId: number,
  login: { readonly email?: string | undefined; readonly loginUserId?: string | undefined },
): Promise<Account | null> {
  const { email, loginUserId } = login;
  if (email !== undefined) {
    return db.account.findUnique({ where: { partnerId_emailKey: { partnerId, emailKey: foldCase(email) } } });
  }
  if (loginUserId === undefined) return null;
  const loginUserIdKey = foldCase(loginUserId);
  return db.account.findUnique({ where: { partnerId_loginUserIdKey: { partnerId, loginUserIdKey } } });
}

/** What decides whether a password lets in. */
export type Credentials = Pick<
  Account,
  'active' | 'id' | 'lockedUntil' | 'partnerId' | 'passwordHash' | 'role'
>;

/** As `findByLogin`, no more than a sign-in needs. */
export async function findCredentials(
  db: RawQueries,
  partnerId: number,
  login: { readonly email?: string | undefined; readonly loginUserId?: string | undefined },
): Promise<Credentials | null> {
  const { email, loginUserId } = login;
  const isTheirs =
    email === undefined
      ? Prisma.sql`login_user_id_key = ${foldCase(loginUserId ?? '')}`
      : Prisma.sql`email_key = ${foldCase(email)}`;
  const [found] = await db.$queryRaw<Credentials[]>`
    SELECT ${keptPlan} id, partner_id AS "partnerId", password_hash AS "passwordHash", role, active,
      locked_until AS "lockedUntil"
    FROM accounts WHERE partner_id = ${partnerId} AND ${isTheirs}`;
  return found ?? null;
}

/** Holds the account until the transaction ends. */
export async function lockAccount(db: UserDb, partnerId: number, id: number): Promise<Account | null> {
  await db.$queryRaw`SELECT 1 FROM accounts WHERE partner_id = ${partnerId} AND id = ${id} FOR UPDATE`;
  return findAccount(db, partnerId, id);
}

/** The users among `ids`, each held until the transaction ends. */
export async function lockUsers(db: UserDb, partnerId: number, ids: readonly number[]): Promise<Account[]> {
  await db.$queryRaw`
    SELECT 1 FROM accounts WHERE partner_id = ${partnerId} AND id = ANY(${[...ids]}::integer[])
    ORDER BY id FOR UPDATE`;
  return findUsers(db, partnerId, ids);
}

/** Their groups have changed: what is told of them from now on is newer. They are held already. */
export async function reviseAccounts(db: UserDb, partnerId: number, ids: readonly number[]): Promise<void> {
  await db.account.updateMany({
    where: { partnerId, id: { in: [...ids] } },
    data: { revision: { increment: 1 } },
  });
}

/** The users among `ids`. */
export async function findUsers(db: UserDb, partnerId: number, ids: readonly number[]): Promise<Account[]> {
  return db.account.findMany({
    where: { partnerId, isUser: true, id: { in: [...ids] } },
    orderBy: { id: 'asc' },
  });
}

export async function deleteAccounts(db: UserDb, partnerId: number, ids: readonly number[]): Promise<void> {
  await db.account.deleteMany({ where: { partnerId, id: { in: [...ids] } } });
}

/** The company admins among `ids`. */
export async function findAdmins(db: UserDb, partnerId: number, ids: readonly number[]): Promise<Account[]> {
  return db.account.findMany({
    where: { partnerId, role: { in: adminRoles }, id: { in: [...ids] } },
    orderBy: { id: 'asc' },
  });
}

/** How many administer the company and can sign in. */
export async function countAdmins(db: UserDb, partnerId: number): Promise<number> {
  return db.account.count({ where: { partnerId, role: { in: adminRoles }, active: true } });
}

/** The admins who can be mailed, but for one where there is one. */
export async function otherAdminsWithMail(
  db: UserDb,
  partnerId: number,
  accountId: number | null,
): Promise<{ name: string; email: string }[]> {
  const admins = await db.account.findMany({
    where: {
      partnerId,
      role: { in: adminRoles },
      active: true,
      ...(accountId === null ? {} : { id: { not: accountId } }),
    },
    select: { name: true, email: true },
    orderBy: { id: 'asc' },
  });
  return admins.flatMap(({ email, name }) => (email === null ? [] : [{ email, name }]));
}

/** Why the admins that are left are too few; undefined where they are enough. */
export async function lackOfAdmins(
  db: UserDb,
  partnerId: number,
): Promise<'lastAdmin' | 'twoAdmins' | undefined> {
  const left = await countAdmins(db, partnerId);
  if (left === 0) return 'lastAdmin';
  return left === 1 && (await needsTwoAdmins(db, partnerId)) ? 'twoAdmins' : undefined;
}

/** No account has it. */
const nobody = 0;

/**
 * Counts a try at the password of an account, or at a code, and tells whether it lets in. With `half`, a right one is but half of
 * a sign-in, and takes no wrong ones back. The row decides under its lock, so that many guesses
 * at once are no more than ten; it takes as long for nobody, for whom `login` stands.
 */
export async function recordLoginAttempt(
  db: UserDb,
  known: { readonly partnerId: number; readonly id?: number | undefined },
  attempt: { readonly right: boolean; readonly now: Date; readonly login: string; readonly half?: boolean },
): Promise<boolean> {
  const account = await lockAccount(db, known.partnerId, known.id ?? nobody);
  if (!account) {
    await recordUnknownAttempt(db, attempt.login);
    return false;
  }
  const { admitted, lockedUntil, wrongPasswords } = afterAttempt(account, attempt);
  if (admitted && attempt.half) return true;
  await db.$executeRaw`
    UPDATE accounts SET wrong_passwords = ${wrongPasswords}, locked_until = ${lockedUntil}
    WHERE partner_id = ${account.partnerId} AND id = ${account.id}`;
  return admitted;
}

/** Keeps whether an account has two factors, unless something newer is known. */
export async function keepTwoFactor(
  db: UserDb,
  account: { readonly partnerId: number; readonly id: number },
  { enabled, revision }: { readonly enabled: boolean; readonly revision: number },
): Promise<void> {
  await db.account.updateMany({
    where: { ...account, twoFactorRevision: { lt: revision } },
    data: { twoFactor: enabled, twoFactorRevision: revision },
  });
}

/** What a sign-in tells of an account. */
export type SignedInAccount = Pick<
  Account,
  'id' | 'name' | 'email' | 'loginUserId' | 'role' | 'isUser' | 'generation'
> & {
  /** By id. */
  readonly groups: { id: number; name: string }[];
};

/** An account, as it was found: it is another once it has another password. */
type KnownAccount = { readonly partnerId: number; readonly id: number } & (
  | { readonly passwordHash: string | null }
  | { readonly generation: number }
);

/** Which account it is, unless it is locked, inactive, gone, or has another password by now. */
function admitted(account: KnownAccount, now: Date): Prisma.Sql {
  const { id, partnerId } = account;
  const isSame =
    'generation' in account
      ? Prisma.sql`generation = ${account.generation}`
      : Prisma.sql`password_hash = ${account.passwordHash}`;
  return Prisma.sql`partner_id = ${partnerId} AND id = ${id} AND active AND ${isSame}
      AND (locked_until IS NULL OR locked_until <= ${now})`;
}

const signedInColumns = Prisma.sql`
    id, name, email, login_user_id AS "loginUserId", role, is_user AS "isUser", generation, (
      SELECT coalesce(jsonb_agg(jsonb_build_object('id', groups.id, 'name', groups.name) ORDER BY groups.id), '[]')
      FROM memberships JOIN groups ON groups.partner_id = memberships.partner_id AND groups.id = memberships.group_id
      WHERE memberships.partner_id = accounts.partner_id AND memberships.account_id = accounts.id) AS groups`;

/** What `recordLogin` would answer, with nothing recorded. */
export async function findAdmitted(
  db: RawQueries,
  account: KnownAccount,
  now: Date,
): Promise<SignedInAccount | null> {
  const [found] = await db.$queryRaw<SignedInAccount[]>`
    SELECT ${signedInColumns} FROM accounts WHERE ${admitted(account, now)}`;
  return found ?? null;
}

/**
 * Records a sign-in with the password of this hash: the wrong ones before it are forgotten, which of who has two factors a
 * password `alone` does not do; and it is the last sign-in of those whom `client` lets in, which is nobody where it is null, and of a player's device; one that is not theirs yet, or describes
 * itself otherwise than before, is recorded by `registerDevice`. Null when the account is locked, inactive, gone, or has another
 * password by now. One statement, since people sign in all at once in the morning.
 */
export async function recordLogin(
  db: RawQueries,
  account: KnownAccount,
  { alone, client, now }: { readonly alone: boolean; readonly client: SignInClient; readonly now: Date },
): Promise<SignedIn | null> {
  const keepsAttempts = Prisma.sql`${alone} AND two_factor`;
  return recordSignIn(
    db,
    account,
    { client, now },
    Prisma.sql`wrong_passwords = CASE WHEN ${keepsAttempts} THEN wrong_passwords ELSE 0 END,
      locked_until = CASE WHEN ${keepsAttempts} THEN locked_until END,`,
    admitted(account, now),
  );
}

/** What somebody signs in to: a player, on its device; null where nobody is let in. */
export type SignInClient = Platform | 'portal' | null;

export interface SignedIn {
  readonly account: SignedInAccount;
  /** Of the device; null: it is to be registered, or there is none. */
  readonly registration: number | null;
}

async function recordSignIn(
  db: RawQueries,
  { id, partnerId }: { readonly partnerId: number; readonly id: number },
  { client, now }: { readonly client: SignInClient; readonly now: Date },
  changes: Prisma.Sql,
  isAdmitted: Prisma.Sql,
): Promise<SignedIn | null> {
  const device = client === 'portal' ? null : client;
  const [signedIn] = await db.$queryRaw<(SignedInAccount & { registration: number | null })[]>`
    WITH ${keptPlan} signed_in AS (
      UPDATE accounts SET ${changes} ${lastLogin(partnerId, id, client, now)}
      WHERE ${isAdmitted}
      RETURNING ${signedInColumns}),
    device AS (
      UPDATE devices SET last_login_at = ${now} FROM signed_in
      WHERE signed_in."isUser" AND partner_id = ${partnerId} AND account_id = signed_in.id AND uuid = ${device?.uuid ?? null}::text
        AND devices.name = ${device?.name ?? null}::text AND os_type = ${device?.osType ?? null}::text
        AND os_version = ${device?.osVersion ?? null}::text AND player_version = ${device?.playerVersion ?? null}::text
      RETURNING registration)
    SELECT signed_in.*, (SELECT registration FROM device) AS registration FROM signed_in`;
  if (!signedIn) return null;
  const { registration, ...account } = signedIn;
  return { account, registration };
}

function lastLogin(partnerId: number, id: number, client: SignInClient, now: Date): Prisma.Sql {
  const isPortal = client === 'portal';
  const uuid = typeof client === 'string' ? null : (client?.uuid ?? null);
  return Prisma.sql`last_login_at = CASE
      WHEN ${isPortal} AND role & ${portalRoles} <> 0 THEN ${now}
      WHEN is_user AND EXISTS (
        SELECT 1 FROM devices WHERE partner_id = ${partnerId} AND uuid = ${uuid}::text AND account_id = ${id})
      THEN ${now}
      ELSE last_login_at END`;
}

/**
 * Records the sign-in of somebody whom the identity provider of their tenant has proved to be who they are, as `recordLogin` does:
 * wrong passwords are no reason to refuse it, and stay counted. Null when the account is inactive or gone.
 */
export async function recordProvedLogin(
  db: RawQueries,
  account: { readonly partnerId: number; readonly id: number },
  client: SignInClient,
  now: Date,
): Promise<SignedIn | null> {
  const { id, partnerId } = account;
  const isActive = Prisma.sql`partner_id = ${partnerId} AND id = ${id} AND active`;
  return recordSignIn(db, account, { client, now }, Prisma.empty, isActive);
}

/** Records the sign-in of a player whose device was registered with it. */
export async function savePlayerLogin(
  db: UserDb,
  { id, partnerId }: { readonly partnerId: number; readonly id: number },
  now: Date,
): Promise<void> {
  await db.account.update({ where: { partnerId_id: { partnerId, id } }, data: { lastLoginAt: now } });
}

export async function savePassword(
  db: UserDb,
  account: { readonly partnerId: number; readonly id: number },
  password: Partial<LoginAttempts> & { readonly passwordHash: string; readonly generation: number },
): Promise<void> {
  const { id, partnerId } = account;
  await db.account.update({
    where: { partnerId_id: { partnerId, id } },
    data: { ...password, passwordGeneration: password.generation },
  });
}

function keysOf({ name, email, loginUserId }: AccountFields) {
  return {
    nameKey: foldCase(name),
    emailKey: email === null ? null : foldCase(email),
    loginUserIdKey: loginUserId === null ? null : foldCase(loginUserId),
  };
}

async function uniqueLogin<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (isUniqueViolation(error, 'accounts_partner_id_email_key_key')) {
      throw fieldError('E40029', 'email', 'notUnique');
    }
    if (isUniqueViolation(error, 'accounts_partner_id_login_user_id_key_key')) {
      throw fieldError('E40029', 'loginUserId', 'notUnique');
    }
    throw error;
  }
}
