import { identityEvents } from '@portal/contracts';
import { AppError, type Clock, fieldError } from '@portal/kernel';
import { type AdminCaller, everything, type Passwords, type Store } from '@portal/service-kit';
import { findAdmin, replacePassword } from '../data/admin-repository.ts';
import type { IdentityDb } from '../data/db.ts';
import { forgetAdminLink } from '../data/password-link-repository.ts';
import { isLiveSession } from '../data/session-repository.ts';
import { endAdminSessions } from './end-sessions.ts';

/**
 * Gives the administrator another password; their other sessions and their link to choose one are over.
 * Throws `E40002` on `currentPassword` when it is given and wrong, on `password` when it is the one they have.
 */
export async function changeAdminPassword(
  deps: { store: Store<IdentityDb>; clock: Clock; passwords: Passwords; felt: () => Promise<void> },
  caller: AdminCaller,
  { currentPassword, password }: { currentPassword?: string | undefined; password: string },
): Promise<void> {
  const { clock, felt, passwords, store } = deps;
  const { adminId } = caller;
  const admin = await store.read(everything, (db) => findAdmin(db, adminId));
  if (!admin) throw new AppError('E40102');
  if (currentPassword !== undefined && !(await passwords.matches(admin.passwordHash, currentPassword))) {
    throw fieldError('E40002', 'currentPassword', 'wrongCurrentPassword');
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
    tx.outbox.append(identityEvents.passwordChanged, {
      subject: adminId,
      partnerId: null,
      data: { accountKind: 'admin', accountId: adminId },
    });
  });
  await felt();
}
