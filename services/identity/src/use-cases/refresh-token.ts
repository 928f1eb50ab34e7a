import type { identityRoutes } from '@portal/contracts';
import { AppError, type Clock } from '@portal/kernel';
import type { Call, Store } from '@portal/service-kit';
import type { IdentityDb } from '../data/db.ts';
import { prolongSession } from '../data/session-repository.ts';
import { tokenExpiry } from '../domain/session.ts';
import { type AccessToken, issueAccessToken } from '../tokens/access-token.ts';
import type { KeyRing } from '../tokens/key-ring.ts';

/**
 * A fresh token of the caller's session. Throws `E40102` once it has ended or is older than sessions may be. While the licence of
 * its tenant is over, the session stays, and goes on when the licence does.
 */
export async function refreshToken(
  deps: { store: Store<IdentityDb>; clock: Clock; keyRing: KeyRing; sessionMs: number },
  { caller, scope }: Pick<Call<typeof identityRoutes.refreshToken>, 'caller' | 'scope'>,
): Promise<AccessToken> {
  const { clock, keyRing, sessionMs, store } = deps;
  const now = clock.now();
  const session = await store.write(scope, ({ db }) =>
    prolongSession(db, caller.sessionId, {
      expiresAt: tokenExpiry(now),
      startedAfter: new Date(now.getTime() - sessionMs),
    }),
  );
  if (!session) throw new AppError('E40102');
  return issueAccessToken(keyRing, session);
}
