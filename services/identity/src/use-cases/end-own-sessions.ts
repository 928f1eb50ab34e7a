import type { Scope } from '@portal/database';
import { AppError, type Clock } from '@portal/kernel';
import type { Caller, Store } from '@portal/service-kit';
import type { IdentityDb } from '../data/db.ts';
import { ownerOf } from '../domain/owner.ts';
import { endOtherSessionsOf, endSessionOf } from './end-sessions.ts';

interface Dependencies {
  readonly store: Store<IdentityDb>;
  readonly clock: Clock;
  readonly waitUntilRevoked: () => Promise<void>;
}
interface Self {
  readonly caller: Caller;
  readonly scope: Scope;
}

/** Ends a session of the caller, be it this one. Throws `E40401` for one that is not theirs, or has ended. */
export async function endOwnSession(
  { clock, store, waitUntilRevoked }: Dependencies,
  { caller, scope }: Self,
  sessionId: string,
): Promise<void> {
  await store.write(scope, async (tx) => {
    if (!(await endSessionOf(tx, ownerOf(caller), sessionId, clock.now()))) throw new AppError('E40401');
  });
  await waitUntilRevoked();
}

/** Ends every session of the caller but this one, and whatever sign-in of theirs is under way. */
export async function endOtherSessions(
  { clock, store, waitUntilRevoked }: Dependencies,
  { caller, scope }: Self,
): Promise<void> {
  await store.write(scope, (tx) => endOtherSessionsOf(tx, caller, clock.now()));
  await waitUntilRevoked();
}
