import { type Passwords } from '@portal/accounts';
import type { identityRoutes, RouteInput, RouteReply } from '@portal/contracts';
import { AppError, type Clock } from '@portal/kernel';
import { type Call, type Seals, type Store } from '@portal/service-kit';
import { findAdminByEmail, lockAdmin, nobody, recordLoginAttempt } from '../data/admin-repository.ts';
import type { IdentityDb } from '../data/db.ts';
import { isTwoFactorRequired } from '../data/security-settings-repository.ts';
import { hasTwoFactor } from '../data/two-factor-repository.ts';
import { ownerOf } from '../domain/owner.ts';
import type { KeyRing } from '../tokens/key-ring.ts';
import { codeWanted, startChallenge } from './challenge.ts';
import { adminReply, startAdminSession } from './start-admin-session.ts';

type Route = typeof identityRoutes.adminLogin;

/**
 * Signs an administrator in. Unknown, wrong and locked are one answer, `E40101`, after the same work. Who has two factors gets
 * `E40103` with a challenge, and signs in by that.
 */
export async function loginAdmin(
  deps: {
    store: Store<IdentityDb>;
    clock: Clock;
    passwords: Passwords;
    keyRing: KeyRing;
    seals: Seals;
  },
  { email, password }: RouteInput<Route>['body'],
  call: Pick<Call<Route>, 'address' | 'agent' | 'concerns' | 'language' | 'systemScope'>,
): Promise<RouteReply<Route>> {
  const { clock, keyRing, passwords, seals, store } = deps;
  const scope = call.systemScope('an administrator is known by the address');
  const known = await store.read(scope, (db) => findAdminByEmail(db, email));
  call.concerns(
    known
      ? { kind: 'admin', id: known.id, role: known.role, unitId: known.unitId }
      : { kind: 'unknown', login: email },
  );
  const passwordIsRight = await passwords.matches(known?.passwordHash ?? null, password);

  const signedIn = await store.write(scope, async (tx) => {
    const now = clock.now();
    const adminId = known?.id ?? nobody;
    // Before it is asked for the second factor, which nobody changes meanwhile.
    await lockAdmin(tx.db, adminId);
    const half = await hasTwoFactor(tx.db, { accountKind: 'admin', accountId: adminId });
    const attempt = { right: passwordIsRight, now, login: email, half };
    const admin = await recordLoginAttempt(tx.db, known, attempt);
    if (!admin) return undefined;
    if (half) {
      const owner = ownerOf({ kind: 'admin', adminId, unitId: admin.unitId });
      return { challenge: await startChallenge(tx, owner, 0, now) };
    }
    const twoFactorSetup = await isTwoFactorRequired(tx.db, null);
    return { admin, session: await startAdminSession(tx, seals, { admin, call, twoFactorSetup }, now) };
  });
  if (!signedIn) throw new AppError('E40101');
  if ('challenge' in signedIn) throw codeWanted(signedIn.challenge);
  return adminReply(keyRing, signedIn);
}
