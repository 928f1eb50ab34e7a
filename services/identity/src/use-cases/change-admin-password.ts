import type { identityRoutes } from '@portal/contracts';
import { AppError, type Clock, fieldError } from '@portal/kernel';
import {
  type Call,
  everything,
  type Passwords,
  refuseGuessable,
  type Seals,
  type Store,
} from '@portal/service-kit';
import { findAdmin, replacePassword, settleTry } from '../data/admin-repository.ts';
import type { IdentityDb } from '../data/db.ts';
import { forgetAdminLink } from '../data/password-link-repository.ts';
import { isLiveSession } from '../data/session-repository.ts';
import { endAdminSessions } from './end-sessions.ts';
import { tellAdminPasswordChanged } from './tell-password-changed.ts';

/**
 * Gives the administrator another password; their other sessions and their link to choose one are over, and a mail tells them.
 * Throws `E40002` on `currentPassword` when it is given and wrong, which counts as a wrong sign-in, or they are locked out; on
 * `password` when it is the one they have, or guessable.
 */
export async function changeAdminPassword(
  deps: {
    store: Store<IdentityDb>;
    clock: Clock;
    passwords: Passwords;
    seals: Seals;
    felt: () => Promise<void>;
  },
  { caller, language }: Pick<Call<typeof identityRoutes.changeAdminPassword>, 'caller' | 'language'>,
  { currentPassword, password }: { currentPassword?: string | undefined; password: string },
): Promise<void> {
  const { clock, felt, passwords, seals, store } = deps;
  const { adminId } = caller;
  const admin = await store.read(everything, (db) => findAdmin(db, adminId));
  if (!admin) throw new AppError('E40102');
  refuseGuessable(password, admin);
  if (currentPassword !== undefined) {
    const right = await passwords.matches(admin.passwordHash, currentPassword);
    const admitted = await store.write(everything, ({ db }) =>
      settleTry(db, admin, { right, now: clock.now(), login: admin.email }),
    );
    if (!admitted) throw fieldError('E40002', 'currentPassword', 'wrongCurrentPassword');
  }
  if (await passwords.matches(admin.passwordHash, password)) {
    throw fieldError('E40002', 'password', 'samePassword');
  }

  const to = await passwords.hash(password);
  await store.write(everything, async (tx) => {
    const now = clock.now();
    // Changed in another session meanwhile: that ended this one, before or after the password was read here.
    const replaced = await replacePassword(tx.db, adminId, { from: admin.passwordHash, to }, now);
    if (!replaced || !(await isLiveSession(tx.db, caller.sessionId))) throw new AppError('E40102');
    await forgetAdminLink(tx.db, adminId);
    await endAdminSessions(tx, { adminId, except: caller.sessionId }, now);
    tellAdminPasswordChanged(tx, seals, admin, language);
  });
  await felt();
}
