import { changeAccountPassword } from '@portal/contracts/internal';
import type { Clock } from '@portal/kernel';
import type { Peers, Store, TenantCaller } from '@portal/service-kit';
import type { IdentityDb } from '../data/db.ts';
import { settlePasswordChange } from './settle-password-change.ts';

/** Gives a person of a tenant another password, as the user service allows, and ends their other sessions. */
export async function changePartnerPassword(
  deps: { store: Store<IdentityDb>; clock: Clock; peers: Peers; felt: () => Promise<void> },
  { accountId, partnerId, sessionId }: TenantCaller,
  { currentPassword, password }: { currentPassword?: string | undefined; password: string },
): Promise<void> {
  const { generation } = await deps.peers.call(changeAccountPassword, {
    params: { id: accountId },
    body: { partnerId, currentPassword, password, keptSessionId: sessionId },
  });
  await settlePasswordChange(deps, { accountId, partnerId, generation, keptSessionId: sessionId });
}
