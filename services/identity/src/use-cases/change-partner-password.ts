import { identityEvents } from '@portal/contracts';
import { changeAccountPassword } from '@portal/contracts/internal';
import type { Clock } from '@portal/kernel';
import { ofPartner, type Peers, type Store, type TenantCaller } from '@portal/service-kit';
import type { IdentityDb } from '../data/db.ts';
import { endAccountSessions } from './end-sessions.ts';

/** Gives a person of a tenant another password, as the user service allows, and ends their other sessions. */
export async function changePartnerPassword(
  deps: { store: Store<IdentityDb>; clock: Clock; peers: Peers; felt: () => Promise<void> },
  { accountId, partnerId, sessionId }: TenantCaller,
  { currentPassword, password }: { currentPassword?: string | undefined; password: string },
): Promise<void> {
  const { clock, felt, peers, store } = deps;
  await peers.call(changeAccountPassword, {
    params: { id: accountId },
    body: { partnerId, currentPassword, password },
  });
  await store.write(ofPartner(partnerId), async (tx) => {
    await endAccountSessions(tx, { accountId, partnerId, except: sessionId }, clock.now());
    tx.outbox.append(identityEvents.passwordChanged, {
      subject: accountId,
      partnerId,
      data: { accountKind: 'account', accountId },
    });
  });
  await felt();
}
