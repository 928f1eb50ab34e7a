import { afterAttempt, isLocked, noFailedAttempts, recordUnknownAttempt } from '@portal/accounts';
import { isUniqueViolation } from '@portal/database';
import { fieldError } from '@portal/kernel';
import { allRights, type NewAdmin } from '../domain/admin.ts';
import type { IdentityDb } from './db.ts';
import type { Admin } from './generated/client.ts';

/** No administrator has it. */
export const nobody = 0;

/** The administrator with this address, ignoring case. */
export async function findAdminByEmail(db: IdentityDb, email: string): Promise<Admin | null> {
  const [found] = await db.$queryRaw<{ id: number }[]>`
    SELECT id FROM admins WHERE lower(email) = lower(${email})`;
  // Asked for nobody as well: it takes as long.
  return findAdmin(db, found?.id ?? nobody);
}

export async function findAdmin(db: IdentityDb, id: number): Promise<Admin | null> {
  return db.admin.findUnique({ where: { id } });
}

/** The same, and nobody changes them until the transaction ends. */
export async function lockAdmin(db: IdentityDb, id: number): Promise<Admin | null> {
  await db.$queryRaw`SELECT id FROM admins WHERE id = ${id} FOR UPDATE`;
  return findAdmin(db, id);
}

/** An administrator of this unit, or with null of the platform. */
export async function findAdminOf(
  db: IdentityDb,
  { adminId, unitId }: { readonly adminId: number; readonly unitId: number | null },
): Promise<Admin | null> {
  return db.admin.findFirst({ where: { id: adminId, unitId } });
}

/** These, and nobody changes them until the transaction ends; with `all` also whoever has all rights on the platform. */
export async function lockAdmins(
  db: IdentityDb,
  ids: readonly number[],
  { all }: { readonly all: boolean },
): Promise<ReadonlyMap<number, Admin>> {
  // In the order of their ids, so that two who change each other wait, and do not hold each other up.
  const locked = await db.$queryRaw<{ id: number }[]>`
    SELECT id FROM admins
    WHERE id = ANY(${[...ids]}::integer[]) OR (${all} AND unit_id IS NULL AND role = ${allRights})
    ORDER BY id FOR UPDATE`;
  const admins = await db.admin.findMany({ where: { id: { in: locked.map(({ id }) => id) } } });
  return new Map(admins.map((admin) => [admin.id, admin]));
}

/** Those of a unit, or with null of the platform. */
export async function adminsOfUnit(db: IdentityDb, unitId: number | null): Promise<Admin[]> {
  return db.admin.findMany({ where: { unitId }, orderBy: { id: 'asc' } });
}

/** Those of a unit, and nobody changes them until the transaction ends. */
export async function lockAdminsOfUnit(db: IdentityDb, unitId: number): Promise<Admin[]> {
  await db.$queryRaw`SELECT id FROM admins WHERE unit_id = ${unitId} ORDER BY id FOR UPDATE`;
  return db.admin.findMany({ where: { unitId }, orderBy: { id: 'asc' } });
}

export async function anyAdmin(db: IdentityDb): Promise<boolean> {
  return (await db.admin.findFirst({ select: { id: true } })) !== null;
}

/** Throws `E40029` on `email` when the address is taken. */
export async function insertAdmin(
  db: IdentityDb,
  admin: Omit<NewAdmin, 'password'> & { readonly passwordHash: string },
  now: Date,
): Promise<{ id: number; revision: number }> {
  try {
    return await db.admin.create({
      data: { ...admin, createdAt: now, updatedAt: now },
      select: { id: true, revision: true },
    });
  } catch (error) {
    if (isUniqueViolation(error, 'admins_email_key')) throw fieldError('E40029', 'email', 'notUnique');
    throw error;
  }
}

/** Stores what an administrator has become, and counts their states up; answers the new one. */
export async function saveAdmin(
  db: IdentityDb,
  id: number,
  changed: Partial<
    Pick<Admin, 'lockedUntil' | 'name' | 'passwordHash' | 'role' | 'roleChangedAt' | 'wrongPasswords'>
  >,
  now: Date,
): Promise<Admin> {
  return db.admin.update({
    where: { id },
    data: { ...changed, revision: { increment: 1 }, updatedAt: now },
  });
}

/** Deletes an administrator and what is kept of them. Their sessions stay until their tokens are over, to be refused. */
export async function deleteAdmin(db: IdentityDb, id: number): Promise<void> {
  const where = { accountKind: 'admin' as const, accountId: id };
  await db.challenge.deleteMany({ where });
  await db.recoveryCode.deleteMany({ where });
  await db.twoFactor.deleteMany({ where });
  await db.preferences.deleteMany({ where });
  await db.passwordLink.deleteMany({ where });
  await db.resetMail.deleteMany({ where });
  await db.knownDevice.deleteMany({ where });
  // Last: it tells whose unit the others are of.
  await db.admin.delete({ where: { id } });
}

export async function markSignedIn(db: IdentityDb, id: number, now: Date): Promise<void> {
  await db.admin.update({ where: { id }, data: { lastLoginAt: now } });
}

/**
 * Counts a try at the password that `known` had, and answers whom it lets in. With `half`, a right one is but half of a sign-in,
 * and takes no wrong ones back. The row decides under its lock, so that many
 * guesses at once are no more than ten; it takes as long for nobody.
 */
export async function recordLoginAttempt(
  db: IdentityDb,
  known: Admin | null,
  attempt: { readonly right: boolean; readonly now: Date; readonly login: string; readonly half?: boolean },
): Promise<Admin | null> {
  const admin = await lockAdmin(db, known?.id ?? nobody);
  if (!admin || admin.passwordHash !== known?.passwordHash) {
    await recordUnknownAttempt(db, attempt.login);
    return null;
  }
  return attempt.half && attempt.right && !isLocked(admin, attempt.now) ? admin : count(db, admin, attempt);
}

/** The same for a code, of whoever has two factors. */
export async function recordCodeAttempt(
  db: IdentityDb,
  adminId: number,
  attempt: { readonly right: boolean; readonly now: Date },
): Promise<Admin | null> {
  const admin = await lockAdmin(db, adminId);
  return admin && count(db, admin, attempt);
}

async function count(
  db: IdentityDb,
  admin: Admin,
  attempt: { readonly right: boolean; readonly now: Date },
): Promise<Admin | null> {
  const { admitted, lockedUntil, wrongPasswords } = afterAttempt(admin, attempt);
  await db.$executeRaw`
    UPDATE admins SET wrong_passwords = ${wrongPasswords}, locked_until = ${lockedUntil} WHERE id = ${admin.id}`;
  return admitted ? admin : null;
}

/**
 * Changes the password unless it is not `from` any more, and lifts a lock of wrong ones but where `keepsAttempts`; tells whether it
 * did.
 */
export async function replacePassword(
  db: IdentityDb,
  id: number,
  change: { readonly from: string; readonly to: string; readonly keepsAttempts?: boolean },
  now: Date,
): Promise<boolean> {
  const { count } = await db.admin.updateMany({
    where: { id, passwordHash: change.from },
    data: { passwordHash: change.to, ...(!change.keepsAttempts && noFailedAttempts), updatedAt: now },
  });
  return count === 1;
}
