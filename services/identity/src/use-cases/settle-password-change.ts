import { identityEvents } from '@portal/contracts';
import type { Clock } from '@portal/kernel';
import { ofPartner, type Store } from '@portal/service-kit';
import type { IdentityDb } from '../data/db.ts';
import { endAccountSessions } from './end-sessions.ts';

/** What follows a new password of a person of a tenant: their sessions end, but for `except`, everywhere before the answer. */
export async function settlePasswordChange(
  { clock, felt, store }: { store: Store<IdentityDb>; clock: Clock; felt: () => Promise<void> },
  account: { readonly accountId: number; readonly partnerId: number; readonly except?: string },
): Promise<void> {
  const { accountId, partnerId } = account;
  await store.write(ofPartner(partnerId), async (tx) => {
    await endAccountSessions(tx, account, clock.now());
    tx.outbox.append(identityEvents.passwordChanged, {
      subject: accountId,
      partnerId,
      data: { accountKind: 'account', accountId },
    });
  });
  await felt();
}
