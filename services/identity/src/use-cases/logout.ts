import type { identityRoutes } from '@portal/contracts';
import { ssoLogoutSeal } from '@portal/contracts/internal';
import type { Clock } from '@portal/kernel';
import type { Call, Seals, Store } from '@portal/service-kit';
import type { IdentityDb } from '../data/db.ts';
import { findSession } from '../data/session-views.ts';
import { endSession } from './end-sessions.ts';

type SignedIn = (typeof identityRoutes)['adminLogout' | 'partnerLogout' | 'userLogout'];
interface Dependencies {
  readonly store: Store<IdentityDb>;
  readonly clock: Clock;
  readonly waitUntilRevoked: () => Promise<void>;
}

/** Revokes the caller's session; it has ended everywhere before the answer. */
export async function logout(
  { clock, store, waitUntilRevoked }: Dependencies,
  { caller, scope }: Pick<Call<SignedIn>, 'caller' | 'scope'>,
): Promise<void> {
  await store.write(scope, (tx) => endSession(tx, caller.sessionId, clock.now()));
  await waitUntilRevoked();
}

/** The same in the portal; answers where the browser goes to end it at the identity provider too, where it has a logout. */
export async function logoutOfPortal(
  deps: Dependencies & { readonly publicUrl: string; readonly seals: Seals },
  call: Pick<Call<(typeof identityRoutes)['partnerLogout']>, 'caller' | 'scope'>,
): Promise<{ logoutUrl?: string }> {
  const { publicUrl, seals, store } = deps;
  const session = await store.read(call.scope, (db) => findSession(db, call.caller.sessionId));
  await logout(deps, call);
  if (!session?.ssoLogout) return {};
  const token = seals.seal(session.id, ssoLogoutSeal, 'sso');
  return { logoutUrl: `${publicUrl}/v1/user/login/sso/logout?token=${encodeURIComponent(token)}` };
}
