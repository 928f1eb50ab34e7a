import { hashOfAnother, type Passwords, refuseGuessable } from '@portal/accounts';
import type { identityRoutes } from '@portal/contracts';
import { AppError, type Clock, fieldError } from '@portal/kernel';
import { type Call, type Seals, type Store } from '@portal/service-kit';
import { findAdmin, recordLoginAttempt, replacePassword } from '../data/admin-repository.ts';
import { forgetAdminChallenges } from '../data/challenge-repository.ts';
import type { IdentityDb } from '../data/db.ts';
import { forgetAdminLink } from '../data/password-link-repository.ts';
import { isLiveSession } from '../data/session-repository.ts';
import { hasTwoFactor } from '../data/two-factor-repository.ts';
import { ownerOf } from '../domain/owner.ts';
import { endAdminSessions } from './end-sessions.ts';
import { mailAdminPasswordChanged } from './mail-password-changed.ts';

/**
 * Changes the password of an administrator, ends their other sessions and their link to choose one, and mails them.
 * Throws `E40002` on `currentPassword` when it is given and wrong, which counts as a wrong sign-in, or they are locked out; on
 * `password` when it is the one they have, or guessable. Of who has two factors the password alone takes no wrong codes back.
 */
export async function changeAdminPassword(
  deps: {
    store: Store<IdentityDb>;
    clock: Clock;
    passwords: Passwords;
    seals: Seals;
    waitUntilRevoked: () => Promise<void>;
  },
  {
    caller,
    language,
    scope,
  }: Pick<Call<typeof identityRoutes.changeAdminPassword>, 'caller' | 'language' | 'scope'>,
  { currentPassword, password }: { currentPassword?: string | undefined; password: string },
): Promise<void> {
  const { clock, waitUntilRevoked, passwords, seals, store } = deps;
  const { adminId } = caller;
  const { admin, half } = await store.read(scope, async (db) => ({
    admin: await findAdmin(db, adminId),
    half: await hasTwoFactor(db, ownerOf(caller)),
  }));
  if (!admin) throw new AppError('E40102');
  refuseGuessable(password, admin);
  if (currentPassword !== undefined) {
    const right = await passwords.matches(admin.passwordHash, currentPassword);
    const admitted = await store.write(scope, ({ db }) =>
      recordLoginAttempt(db, admin, { right, now: clock.now(), login: admin.email, half }),
    );
    if (!admitted) throw fieldError('E40002', 'currentPassword', 'wrongCurrentPassword');
  }
  const to = await hashOfAnother(passwords, admin.passwordHash, password);
  await store.write(scope, async (tx) => {
    const now = clock.now();
    // Changed in another session meanwhile: that ended this one, before or after the password was read here.
    const replaced = await replacePassword(
      tx.db,
      adminId,
      { from: admin.passwordHash, to, keepsAttempts: half },
      now,
    );
    if (!replaced || !(await isLiveSession(tx.db, caller.sessionId))) throw new AppError('E40102');
    await forgetAdminLink(tx.db, adminId);
    await forgetAdminChallenges(tx.db, adminId);
    await endAdminSessions(tx, { adminId, except: caller.sessionId }, now);
    mailAdminPasswordChanged(tx, seals, admin, language);
  });
  await waitUntilRevoked();
}
