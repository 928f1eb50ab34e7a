import type { RouteInput } from '@portal/contracts';
import type { recordSsoLogin as contract } from '@portal/contracts/internal';
import { AppError } from '@portal/kernel';
import { ofPartner } from '@portal/service-kit';
import { findAccount, recordProvedLogin, type SignedInAccount } from '../data/account-repository.ts';
import type { Dependencies } from '../dependencies.ts';
import { requireActive } from '../domain/active.ts';
import { signInDevice, withDevice } from './sign-in-device.ts';

/**
 * Signs somebody in whom the identity provider of their tenant has proved to be who they are; with `platform`, a user is let in with
 * that device. Throws `E40101` when they are gone, `E40301` when they are inactive, `E40306` and `E40307` as `registerDevice` does.
 */
export async function recordSsoLogin(
  deps: Pick<Dependencies, 'clock' | 'peers' | 'store'>,
  { accountId: id, licensed, partnerId, platform }: RouteInput<typeof contract>['body'],
): Promise<SignedInAccount & { registration?: number }> {
  const client = licensed ? (platform ?? 'portal') : null;
  const { account, registration } = await deps.store.write(ofPartner(partnerId), async (tx) => {
    const { db } = tx;
    const now = deps.clock.now();
    const account = await recordProvedLogin(db, { partnerId, id }, client, now);
    if (!account) {
      requireActive((await findAccount(db, partnerId, id)) ?? { active: true });
      throw new AppError('E40101');
    }
    return { account, registration: await signInDevice(tx, { ...account, partnerId }, platform, now) };
  });
  return withDevice(deps, { ...account, partnerId }, platform, registration);
}
