import type { RouteInput } from '@portal/contracts';
import type { recordSsoLogin as contract } from '@portal/contracts/internal';
import { AppError } from '@portal/kernel';
import { ofPartner } from '@portal/service-kit';
import { findAccount, recordProvedLogin, type SignedInAccount } from '../data/account-repository.ts';
import type { Dependencies } from '../dependencies.ts';
import { requireActive } from '../domain/active.ts';
import { withDevice } from './with-device.ts';

/**
 * Signs somebody in whom the identity provider of their tenant has proved to be who they are; with `platform`, a user is let in with
 * that device. Throws `E40101` when they are gone, `E40301` when they are inactive, `E40306` and `E40307` as `registerDevice` does.
 */
export async function recordSsoLogin(
  deps: Pick<Dependencies, 'clock' | 'direct' | 'inTurn' | 'peers' | 'store'>,
  { accountId: id, licensed, partnerId, platform }: RouteInput<typeof contract>['body'],
): Promise<SignedInAccount & { registration?: number }> {
  const { clock, direct, store } = deps;
  const client = licensed ? (platform ?? 'portal') : null;
  const scope = ofPartner(partnerId);
  const signedIn = await recordProvedLogin(direct.statements(scope), { partnerId, id }, client, clock.now());
  if (!signedIn) {
    requireActive((await store.read(scope, (db) => findAccount(db, partnerId, id))) ?? { active: true });
    throw new AppError('E40101');
  }
  return withDevice(deps, partnerId, signedIn, platform);
}
