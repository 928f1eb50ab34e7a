import type { identityRoutes } from '@portal/contracts';
import { changeAccountPassword } from '@portal/contracts/internal';
import { AppError, type Clock } from '@portal/kernel';
import type { Call, Peers, Store } from '@portal/service-kit';
import type { IdentityDb } from '../data/db.ts';
import { hasTwoFactor } from '../data/two-factor-repository.ts';
import { ownerOf } from '../domain/owner.ts';
import { revokeAfterPasswordChange } from './revoke-after-password-change.ts';

/**
 * Gives a person of a tenant another password, as the user service allows, and ends their other sessions. Throws `E40102` when they got
 * another one meanwhile.
 */
export async function changePartnerPassword(
  deps: { store: Store<IdentityDb>; clock: Clock; peers: Peers; waitUntilRevoked: () => Promise<void> },
  {
    address: clientAddress,
    caller,
    scope,
  }: Pick<Call<typeof identityRoutes.changePartnerPassword>, 'address' | 'caller' | 'scope'>,
  { currentPassword, password }: { currentPassword?: string | undefined; password: string },
): Promise<void> {
  const { accountId, partnerId, sessionId } = caller;
  const twoFactor = await deps.store.read(scope, (db) => hasTwoFactor(db, ownerOf(caller)));
  const { generation } = await deps.peers
    .call(changeAccountPassword, {
      params: { id: accountId },
      body: { partnerId, currentPassword, password, keptSessionId: sessionId, clientAddress, twoFactor },
    })
    .catch((error: unknown) => {
      // Changed by a link, or in another session: that ended this one.
      throw error instanceof AppError && error.code === 'E40004' ? new AppError('E40102') : error;
    });
  await revokeAfterPasswordChange(deps, { accountId, partnerId, generation, keptSessionId: sessionId });
}
