import { hashOfAnother, type Passwords, refuseGuessable } from '@portal/accounts';
import type { identityRoutes } from '@portal/contracts';
import { AppError, type Clock } from '@portal/kernel';
import { type Call, type Seals, type Store } from '@portal/service-kit';
import { findAdmin, replacePassword } from '../data/admin-repository.ts';
import { forgetAdminChallenges } from '../data/challenge-repository.ts';
import type { IdentityDb } from '../data/db.ts';
import { findLink, redeemLink } from '../data/password-link-repository.ts';
import { hashOfLinkToken } from '../tokens/link-token.ts';
import { endAdminSessions } from './end-sessions.ts';
import { mailAdminPasswordChanged } from './mail-password-changed.ts';

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
    waitUntilRevoked: () => Promise<void>;
  },
  { password, resetToken }: { password: string; resetToken: string },
  {
    concerns,
    language,
    systemScope,
  }: Pick<Call<typeof identityRoutes.resetAdminPassword>, 'concerns' | 'language' | 'systemScope'>,
): Promise<void> {
  const scope = systemScope('a link is known by its token');
  const { clock, waitUntilRevoked, passwords, seals, store } = deps;
  const tokenHash = hashOfLinkToken(resetToken);
  const admin = await store.read(scope, async (db) => {
    const link = await findLink(db, tokenHash, clock.now());
    return link?.accountKind === 'admin' && link.accountId !== null ? findAdmin(db, link.accountId) : null;
  });
  if (!admin) throw new AppError('E40004');
  concerns({ kind: 'admin', id: admin.id, role: admin.role, unitId: admin.unitId });
  refuseGuessable(password, admin);
  const to = await hashOfAnother(passwords, admin.passwordHash, password);
  await store.write(scope, async (tx) => {
    const now = clock.now();
    // In this order, as whoever mails them a link.
    const isReplaced = await replacePassword(tx.db, admin.id, { from: admin.passwordHash, to }, now);
    // Used, or changed in a session, meanwhile.
    if (!isReplaced || !(await redeemLink(tx.db, { accountKind: 'admin', tokenHash }, now)))
      throw new AppError('E40004');
    await forgetAdminChallenges(tx.db, admin.id);
    await endAdminSessions(tx, { adminId: admin.id }, now);
    mailAdminPasswordChanged(tx, seals, admin, language);
  });
  await waitUntilRevoked();
}
