import type { RouteInput, RouteReply, twoFactorRoutes } from '@portal/contracts';
import { AppError, type Clock } from '@portal/kernel';
import type { Call, KeyCipher, Seals, Store } from '@portal/service-kit';
import { findAdmin, lockAdmin, recordCodeAttempt } from '../data/admin-repository.ts';
import type { IdentityDb } from '../data/db.ts';
import type { KeyRing } from '../tokens/key-ring.ts';
import { answerChallenge } from './challenge.ts';
import { adminReply, startAdminSession } from './start-admin-session.ts';

type Route = typeof twoFactorRoutes.adminSecondFactor;

/**
 * Signs an administrator in whose password was right. Throws `E40101` for a wrong code, which counts as a wrong sign-in, and for
 * any of a locked account; `E40004` for a challenge that is not good.
 */
export async function secondFactorAdmin(
  deps: { store: Store<IdentityDb>; clock: Clock; cipher: KeyCipher; keyRing: KeyRing; seals: Seals },
  body: RouteInput<Route>['body'],
  call: Pick<Call<Route>, 'address' | 'agent' | 'concerns' | 'language' | 'systemScope'>,
): Promise<RouteReply<Route>> {
  const { clock, keyRing, seals, store } = deps;
  const { challenge, passwordHash, right } = await answerChallenge(deps, call, 'admin', body);
  const adminId = challenge.accountId;
  const scope = call.systemScope('an administrator is known by the challenge');
  const known = await store.read(scope, (db) => findAdmin(db, adminId));
  if (known) call.concerns({ kind: 'admin', id: known.id, role: known.role, unitId: known.unitId });
  const signedIn = await store.write(scope, async (tx) => {
    const now = clock.now();
    // Another password since the challenge was found good.
    if ((await lockAdmin(tx.db, adminId))?.passwordHash !== passwordHash) return 'over';
    const admin = await recordCodeAttempt(tx.db, adminId, { right, now });
    return (
      admin && {
        admin,
        session: await startAdminSession(tx, seals, { admin, call, twoFactorSetup: false }, now),
      }
    );
  });
  if (signedIn === 'over') throw new AppError('E40004');
  if (!signedIn) throw new AppError('E40101');
  return adminReply(keyRing, signedIn);
}
