import { AppError, fieldError } from '@portal/kernel';
import { ofPartner } from '@portal/service-kit';
import { findAccount, lockAccount, savePassword } from '../data/account-repository.ts';
import type { Dependencies } from '../dependencies.ts';
import { noWrongPasswords } from '../domain/login-attempts.ts';

/**
 * Gives an account another password and lifts a lock of wrong ones; whoever asked ends its sessions.
 * Throws `E40403` for an account that the partner does not have, `E40002` on currentPassword when it is given and
 * wrong, `E40002` on password when it is the same as now.
 */
export async function changeAccountPassword(
  { passwords, store }: Pick<Dependencies, 'passwords' | 'store'>,
  { partnerId, id }: { partnerId: number; id: number },
  { currentPassword, password }: { currentPassword?: string | undefined; password: string },
): Promise<{ role: number; isUser: boolean }> {
  const scope = ofPartner(partnerId);
  const found = await store.read(scope, (db) => findAccount(db, partnerId, id));
  if (!found) throw new AppError('E40403');
  if (currentPassword !== undefined && !(await passwords.matches(found.passwordHash, currentPassword))) {
    throw fieldError('E40002', 'currentPassword', 'wrongCurrentPassword');
  }
  if (await passwords.matches(found.passwordHash, password)) {
    throw fieldError('E40002', 'password', 'samePassword');
  }
  const passwordHash = await passwords.hash(password);
  return store.write(scope, async ({ db }) => {
    const account = await lockAccount(db, partnerId, id);
    if (!account) throw new AppError('E40403');
    await savePassword(db, account, { passwordHash, ...noWrongPasswords });
    return { role: account.role, isUser: account.isUser };
  });
}
