import { isUniqueViolation } from '@portal/database';
import { fieldError } from '@portal/kernel';
import { type LoginAttempts, noWrongPasswords } from '@portal/service-kit';
import type { NewAdmin } from '../domain/admin.ts';
import type { IdentityDb } from './db.ts';
import type { Admin } from './generated/client.ts';

/** The administrator with this address, ignoring case. */
export async function findAdminByEmail(db: IdentityDb, email: string): Promise<Admin | null> {
  const [found] = await db.$queryRaw<{ id: number }[]>`
    SELECT id FROM admins WHERE lower(email) = lower(${email})`;
  return found ? findAdmin(db, found.id) : null;
}

export async function findAdmin(db: IdentityDb, id: number): Promise<Admin | null> {
  return db.admin.findUnique({ where: { id } });
}

/** The same, and nobody changes them until the transaction ends. */
export async function lockAdmin(db: IdentityDb, id: number): Promise<Admin | null> {
  await db.$queryRaw`SELECT id FROM admins WHERE id = ${id} FOR UPDATE`;
  return findAdmin(db, id);
}

export async function anyAdmin(db: IdentityDb): Promise<boolean> {
  return (await db.admin.findFirst({ select: { id: true } })) !== null;
}

/** Throws `E40029` on `email` when the address is taken. */
export async function insertAdmin(
  db: IdentityDb,
  admin: Omit<NewAdmin, 'password'> & { readonly passwordHash: string },
  now: Date,
): Promise<number> {
  try {
    const { id } = await db.admin.create({
      data: { ...admin, createdAt: now, updatedAt: now },
      select: { id: true },
    });
    return id;
  } catch (error) {
    if (isUniqueViolation(error, 'admins_email_key')) throw fieldError('E40029', 'email', 'notUnique');
    throw error;
  }
}

export async function saveAttempts(db: IdentityDb, id: number, attempts: LoginAttempts): Promise<void> {
  await db.admin.update({ where: { id }, data: attempts });
}

/** Changes the password unless it is not `from` any more, and lifts a lock of wrong ones; tells whether it did. */
export async function replacePassword(
  db: IdentityDb,
  id: number,
  change: { readonly from: string; readonly to: string },
  now: Date,
): Promise<boolean> {
  const { count } = await db.admin.updateMany({
    where: { id, passwordHash: change.from },
    data: { passwordHash: change.to, ...noWrongPasswords, updatedAt: now },
  });
  return count === 1;
}
