import type { Clock } from '@portal/kernel';
import { ofPartner, type Store } from '@portal/service-kit';
import type { IdentityDb } from '../data/db.ts';
import { endSession } from './end-sessions.ts';

/** Ends sessions of a partner that began by single sign-on; they have ended everywhere before the answer. */
export async function endSsoSessions(
  {
    clock,
    store,
    waitUntilRevoked,
  }: { store: Store<IdentityDb>; clock: Clock; waitUntilRevoked: () => Promise<void> },
  { partnerId, sessionIds }: { readonly partnerId: number; readonly sessionIds: readonly string[] },
): Promise<void> {
  await store.write(ofPartner(partnerId), async (tx) => {
    for (const id of sessionIds) await endSession(tx, id, clock.now());
  });
  await waitUntilRevoked();
}
