import { isLocked } from '@portal/accounts';
import { hasAnyRole, type RouteInput, userRoleBits } from '@portal/contracts';
import type { verifyLogin as contract } from '@portal/contracts/internal';
import { AppError } from '@portal/kernel';
import { ofPartner } from '@portal/service-kit';
import {
  findAdmitted,
  findCredentials,
  recordLogin,
  recordLoginAttempt,
  type SignedInAccount,
} from '../data/account-repository.ts';
import type { CallDependencies } from '../dependencies.ts';
import { requireActive } from '../domain/active.ts';
import { loginNameOf } from '../domain/login.ts';
import { withDevice } from './with-device.ts';

/**
 * Whose login this is, recorded unless it `settles` nothing; with `platform`, a user is let in with that device. Ten wrong passwords
 * in a row lock the account for a while; of who has two factors wrong codes count with them, and a right password takes none back.
 * Throws `E40101` without a reason, and after as much work, for an account that does not exist, is locked, has
 * no password, or another one; `E40301` to who knows the password of one that is inactive; `E40306` and `E40307` as
 * `registerDevice` does. With `adminsOnly`, `E40301` to anybody else who knows their password.
 */
export async function verifyLogin(
  deps: Pick<CallDependencies, 'clock' | 'direct' | 'inTurn' | 'passwords' | 'peers' | 'store'>,
  login: RouteInput<typeof contract>['body'],
): Promise<SignedInAccount & { registration?: number }> {
  const { clock, direct, passwords, store } = deps;
  const { adminsOnly, licensed, partnerId, platform, settles } = login;
  const client = licensed ? (platform ?? 'portal') : null;
  const scope = ofPartner(partnerId);
  const db = direct.statements(scope);
  const found = await findCredentials(db, partnerId, login);
  const right = await passwords.matches(found?.passwordHash ?? null, login.password);

  const now = clock.now();
  const record = async (known: typeof found & {}) => {
    if (settles) return recordLogin(db, known, { client, now, alone: true });
    const account = await findAdmitted(db, known, now);
    return account && { account, registration: null };
  };
  // Of an account that is locked the right password takes as long as a wrong one.
  const mayEnter = found && right && !isLocked(found, now);
  if (mayEnter) requireActive(found);
  if (mayEnter && adminsOnly && !hasAnyRole(found.role, userRoleBits.admin)) throw new AppError('E40301');
  const signedIn = mayEnter ? await record(found) : null;
  if (!signedIn) {
    const attempt = { right: false, now, login: loginNameOf(login) };
    await store.write(scope, (tx) => recordLoginAttempt(tx.db, { partnerId, id: found?.id }, attempt));
    throw new AppError('E40101');
  }
  return withDevice(deps, partnerId, signedIn, platform);
}
