import { hashOfAnother, noFailedAttempts, refuseGuessable } from '@portal/accounts';
import { foldCase } from '@portal/contracts';
import { AppError, fieldError } from '@portal/kernel';
import { ofPartner } from '@portal/service-kit';
import { findAccount, lockAccount, recordLoginAttempt, savePassword } from '../data/account-repository.ts';
import type { CallDependencies } from '../dependencies.ts';
import { loginNameOf } from '../domain/login.ts';
import { mailPasswordChanged } from './mail-password-changed.ts';
import { publishSignedOut } from './sign-out.ts';

/**
 * Gives an account another password, lifts a lock of wrong ones (which stays with `twoFactor`: the password is but half of what
 * lets them in), and ends its sessions but for `keptSessionId`, and its links
 * to choose one; a mail tells them. Whoever asked ends sessions as well, sooner than the event comes: `generation` tells which.
 * Throws `E40403` for an account that the partner does not have, or that has another `address` than the link went to,
 * `E40002` on currentPassword when it is given and wrong, which counts as a wrong sign-in, or the account is locked, `E40002` on
 * password when it is the same as now, or guessable, `E40004` when they got another password meanwhile, or since the link of
 * this `generation` was made.
 */
export async function changeAccountPassword(
  { clock, passwords, seals, store }: Pick<CallDependencies, 'clock' | 'passwords' | 'seals' | 'store'>,
  { partnerId, id }: { partnerId: number; id: number },
  change: {
    readonly currentPassword?: string | undefined;
    readonly password: string;
    readonly address?: string | undefined;
    readonly generation?: number | undefined;
    readonly keptSessionId?: string | undefined;
    readonly twoFactor: boolean;
  },
): Promise<{ role: number; generation: number }> {
  const { address, currentPassword, generation: begun, keptSessionId, password, twoFactor } = change;
  const scope = ofPartner(partnerId);
  const found = await store.read(scope, (db) => findAccount(db, partnerId, id));
  if (!found) throw new AppError('E40403');
  refuseGuessable(password, found);
  if (currentPassword !== undefined) {
    const right = await passwords.matches(found.passwordHash, currentPassword);
    const admitted = await store.write(scope, ({ db }) =>
      recordLoginAttempt(db, found, {
        right,
        now: clock.now(),
        login: loginNameOf(found),
        half: twoFactor,
      }),
    );
    if (!admitted) throw fieldError('E40002', 'currentPassword', 'wrongCurrentPassword');
  }
  const passwordHash = await hashOfAnother(passwords, found.passwordHash, password);
  return store.write(scope, async ({ db, outbox }) => {
    const account = await lockAccount(db, partnerId, id);
    if (!account || (address !== undefined && account.emailKey !== foldCase(address)))
      throw new AppError('E40403');
    const isOver = begun !== undefined && begun < account.passwordGeneration;
    if (isOver || account.passwordHash !== found.passwordHash) throw new AppError('E40004');
    const generation = account.generation + 1;
    await savePassword(db, account, { passwordHash, generation, ...(!twoFactor && noFailedAttempts) });
    publishSignedOut(outbox, partnerId, { userId: id, generation, keptSessionId, passwordChanged: true });
    mailPasswordChanged({ outbox }, seals, account);
    return { role: account.role, generation };
  });
}
