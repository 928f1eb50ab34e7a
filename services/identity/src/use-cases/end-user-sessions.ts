import { findAccount } from '@portal/contracts/internal';
import type { Clock } from '@portal/kernel';
import { ofPartner, type Peers, type Store } from '@portal/service-kit';
import type { IdentityDb } from '../data/db.ts';
import { endPeopleSessions } from './end-sessions.ts';

/** Ends every session of a person of a tenant, in the portal and in players. Throws `E40403` for nobody of it. */
export async function endUserSessions(
  {
    clock,
    peers,
    store,
    waitUntilRevoked,
  }: { store: Store<IdentityDb>; clock: Clock; peers: Peers; waitUntilRevoked: () => Promise<void> },
  account: { readonly partnerId: number; readonly accountId: number },
): Promise<void> {
  await peers.call(findAccount, { body: account });
  await store.write(ofPartner(account.partnerId), (tx) => endPeopleSessions(tx, [account], clock.now()));
  await waitUntilRevoked();
}
