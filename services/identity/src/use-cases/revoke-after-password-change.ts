import type { Clock } from '@portal/kernel';
import { ofPartner, type Store } from '@portal/service-kit';
import type { IdentityDb } from '../data/db.ts';
import { forgetLinksBefore } from '../data/password-link-repository.ts';
import { endPeopleSessions } from './end-sessions.ts';

/**
 * What follows a new password of a person of a tenant: their sessions from before it end, but for the kept one, and their
 * links to choose one, everywhere before the answer. The user service tells it as well, should this never come to be; what it
 * tells is told on as `password.changed`.
 */
export async function revokeAfterPasswordChange(
  {
    clock,
    waitUntilRevoked,
    store,
  }: { store: Store<IdentityDb>; clock: Clock; waitUntilRevoked: () => Promise<void> },
  account: {
    readonly accountId: number;
    readonly partnerId: number;
    readonly generation: number | undefined;
    readonly keptSessionId?: string;
  },
): Promise<void> {
  await store.write(ofPartner(account.partnerId), async (tx) => {
    await endPeopleSessions(tx, [account], clock.now());
    await forgetLinksBefore(tx.db, [account]);
  });
  await waitUntilRevoked();
}
