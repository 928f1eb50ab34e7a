import type { RouteReply } from '@portal/contracts';
import type { verifyLogin as contract } from '@portal/contracts/internal';
import { AppError } from '@portal/kernel';
import { ofPartner } from '@portal/service-kit';
import { findByLogin, lockAccount, saveAttempts, saveLogin } from '../data/account-repository.ts';
import { accountForLogin } from '../data/user-views.ts';
import type { Dependencies } from '../dependencies.ts';
import { afterWrongPassword, isLocked, noWrongPasswords } from '../domain/login-attempts.ts';

/** No account has it. */
const nobody = 0;

/**
 * Whose login this is. Ten wrong passwords in a row lock the account for a while. Throws `E40101` without a reason, and
 * after as much work, for an account that does not exist, is locked, has no password, or another one.
 */
export async function verifyLogin(
  { clock, passwords, store }: Pick<Dependencies, 'clock' | 'passwords' | 'store'>,
  login: {
    partnerId: number;
    email?: string | undefined;
    loginUserId?: string | undefined;
    password: string;
  },
): Promise<RouteReply<typeof contract>> {
  const { partnerId } = login;
  const scope = ofPartner(partnerId);
  const found = await store.read(scope, (db) => findByLogin(db, partnerId, login));
  const right = await passwords.matches(found?.passwordHash ?? null, login.password);

  const account = await store.write(scope, async ({ db }) => {
    const now = clock.now();
    // Again under its lock: of many guesses at once none counts that came after the tenth wrong one.
    const current = await lockAccount(db, partnerId, found?.id ?? nobody);
    if (!current || isLocked(current, now)) return null;
    if (!right || current.passwordHash !== found?.passwordHash) {
      await saveAttempts(db, current, afterWrongPassword(current, now));
      return null;
    }
    await saveLogin(db, current, noWrongPasswords, now);
    return accountForLogin(db, partnerId, current.id);
  });
  // Thrown only now, since the count of wrong passwords has to be kept.
  if (!account) throw new AppError('E40101');
  return account;
}
