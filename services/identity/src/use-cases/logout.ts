import type { Clock } from '@portal/kernel';
import { type Caller, everything, ofPartner, type Store } from '@portal/service-kit';
import type { IdentityDb } from '../data/db.ts';
import { endSession } from './end-sessions.ts';

/** Ends the caller's session, everywhere before the answer. */
export async function logout(
  { clock, felt, store }: { store: Store<IdentityDb>; clock: Clock; felt: () => Promise<void> },
  caller: Caller,
): Promise<void> {
  const scope = caller.kind === 'admin' ? everything : ofPartner(caller.partnerId);
  await store.write(scope, (tx) => endSession(tx, caller.sessionId, clock.now()));
  await felt();
}
