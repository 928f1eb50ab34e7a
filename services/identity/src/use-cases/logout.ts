import type { identityRoutes } from '@portal/contracts';
import type { Clock } from '@portal/kernel';
import type { Call, Store } from '@portal/service-kit';
import type { IdentityDb } from '../data/db.ts';
import { endSession } from './end-sessions.ts';

type SignedIn = (typeof identityRoutes)['adminLogout' | 'partnerLogout' | 'userLogout'];

/** Revokes the caller's session; it has ended everywhere before the answer. */
export async function logout(
  {
    clock,
    waitUntilRevoked,
    store,
  }: { store: Store<IdentityDb>; clock: Clock; waitUntilRevoked: () => Promise<void> },
  { caller, scope }: Pick<Call<SignedIn>, 'caller' | 'scope'>,
): Promise<void> {
  await store.write(scope, (tx) => endSession(tx, caller.sessionId, clock.now()));
  await waitUntilRevoked();
}
