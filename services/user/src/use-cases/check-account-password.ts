import { AppError, fieldError } from '@portal/kernel';
import { ofPartner } from '@portal/service-kit';
import { findAccount, recordLoginAttempt } from '../data/account-repository.ts';
import type { CallDependencies } from '../dependencies.ts';
import { loginNameOf } from '../domain/login.ts';

/**
 * Checks the password of somebody who is signed in. Throws `E40403` for an account that the partner does not have, `E40002` on
 * password when it is wrong, which counts as a wrong sign-in, or the account is locked.
 */
export async function checkAccountPassword(
  { clock, passwords, store }: Pick<CallDependencies, 'clock' | 'passwords' | 'store'>,
  { id, partnerId, password }: { partnerId: number; id: number; password: string },
): Promise<void> {
  const scope = ofPartner(partnerId);
  const account = await store.read(scope, (db) => findAccount(db, partnerId, id));
  if (!account) throw new AppError('E40403');
  const right = await passwords.matches(account.passwordHash, password);
  const admitted = await store.write(scope, ({ db }) =>
    recordLoginAttempt(db, account, { right, now: clock.now(), login: loginNameOf(account) }),
  );
  if (!admitted) throw fieldError('E40002', 'password', 'wrongCurrentPassword');
}
