import { isLocked } from '@portal/accounts';
import type { RouteInput } from '@portal/contracts';
import type { settleLogin as contract } from '@portal/contracts/internal';
import { AppError } from '@portal/kernel';
import { ofPartner } from '@portal/service-kit';
import {
  lockAccount,
  recordLogin,
  recordLoginAttempt,
  type SignedInAccount,
} from '../data/account-repository.ts';
import type { CallDependencies } from '../dependencies.ts';
import { requireActive } from '../domain/active.ts';
import { loginNameOf } from '../domain/login.ts';

/**
 * Counts what followed a right password, or a code. Throws `E40101` for a wrong one, and for a right one of a locked account;
 * `E40301` for a right one of an inactive account; `E40004` when the account is gone, or has another password or role than it began with.
 */
export async function settleLogin(
  { clock, store }: Pick<CallDependencies, 'clock' | 'store'>,
  { accountId, generation, partnerId, right, signsIn }: RouteInput<typeof contract>['body'],
): Promise<SignedInAccount> {
  const settled = await store.write(ofPartner(partnerId), async ({ db }) => {
    const now = clock.now();
    const account = await lockAccount(db, partnerId, accountId);
    if (!account || (generation !== undefined && account.generation !== generation)) return 'over';
    if (right && !isLocked(account, now)) {
      requireActive(account);
      const client = signsIn ? 'portal' : null;
      return (await recordLogin(db, account, { client, now, alone: false }))?.account ?? null;
    }
    await recordLoginAttempt(db, account, { right: false, now, login: loginNameOf(account) });
    return null;
  });
  // Thrown only now, since the count of wrong ones has to be kept.
  if (settled === 'over') throw new AppError('E40004');
  if (!settled) throw new AppError('E40101');
  return settled;
}
