import type { identityRoutes } from '@portal/contracts';
import { changeAccountPassword } from '@portal/contracts/internal';
import type { Clock } from '@portal/kernel';
import type { Call, Peers, Store } from '@portal/service-kit';
import type { IdentityDb } from '../data/db.ts';
import { settlePasswordChange } from './settle-password-change.ts';

/** Gives a person of a tenant another password, as the user service allows, and ends their other sessions. */
export async function changePartnerPassword(
  deps: { store: Store<IdentityDb>; clock: Clock; peers: Peers; felt: () => Promise<void> },
  {
    address: clientAddress,
    caller: { accountId, partnerId, sessionId },
  }: Pick<Call<typeof identityRoutes.changePartnerPassword>, 'address' | 'caller'>,
  { currentPassword, password }: { currentPassword?: string | undefined; password: string },
): Promise<void> {
  const { generation } = await deps.peers.call(changeAccountPassword, {
    params: { id: accountId },
    body: { partnerId, currentPassword, password, keptSessionId: sessionId, clientAddress },
  });
  await settlePasswordChange(deps, { accountId, partnerId, generation, keptSessionId: sessionId });
}
