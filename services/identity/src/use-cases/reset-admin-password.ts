import { AppError, type Clock, fieldError } from '@portal/kernel';
import {
  type Call,
  everything,
  type Passwords,
  refuseGuessable,
  type Seals,
  type Store,
} from '@portal/service-kit';
import { findAdmin, replacePassword } from '../data/admin-repository.ts';
import type { IdentityDb } from '../data/db.ts';
import { findLink, takeLink } from '../data/password-link-repository.ts';
import { hashOfLinkToken } from '../tokens/link-token.ts';
import { endAdminSessions } from './end-sessions.ts';
import { tellAdminPasswordChanged } from './tell-password-changed.ts';

/**
 * Gives the administrator of a link another password, lifts their lock and ends their sessions.
 * Throws `E40004` for a link that is not good, `E40002` on `password` when it is the one they have, or guessable; the link
 * stays good.
 */
export async function resetAdminPassword(
  deps: {
    store: Store<IdentityDb>;
    clock: Clock;
    passwords: Passwords;
    seals: Seals;
    felt: () => Promise<void>;
  },
  { password, resetToken }: { password: string; resetToken: string },
  { concerns, language }: Pick<Call, 'concerns' | 'language'>,
): Promise<void> {
  const { clock, felt, passwords, seals, store } = deps;
  const tokenHash = hashOfLinkToken(resetToken);
  const admin = await store.read(everything, async (db) => {
    const link = await findLink(db, tokenHash, clock.now());
    return link?.accountKind === 'admin' && link.accountId !== null ? findAdmin(db, link.accountId) : null;
  });
  if (!admin) throw new AppError('E40004');
  concerns({ kind: 'admin', id: admin.id, role: admin.role, unitId: admin.unitId });
  refuseGuessable(password, admin);
  if (await passwords.matches(admin.passwordHash, password)) {
    throw fieldError('E40002', 'password', 'samePassword');
  }
  const to = await passwords.hash(password);
  await store.write(everything, async (tx) => {
    const now = clock.now();
    const link = await takeLink(tx.db, { accountKind: 'admin', tokenHash }, now);
    // Used, or changed in a session, meanwhile.
    if (!link || !(await replacePassword(tx.db, admin.id, { from: admin.passwordHash, to }, now))) {
      throw new AppError('E40004');
    }
    await endAdminSessions(tx, { adminId: admin.id }, now);
    tellAdminPasswordChanged(tx, seals, admin, language);
  });
  await felt();
}
