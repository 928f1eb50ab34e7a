import type { RouteReply, twoFactorRoutes } from '@portal/contracts';
import type { Store } from '@portal/service-kit';
import type { IdentityDb } from '../data/db.ts';
import { isTwoFactorRequired } from '../data/security-settings-repository.ts';
import { countRecoveryCodes, hasTwoFactor } from '../data/two-factor-repository.ts';
import { ownerOf } from '../domain/owner.ts';
import type { Self } from './require-code.ts';

export async function readTwoFactor(
  { store }: { readonly store: Store<IdentityDb> },
  { caller, scope }: Self,
): Promise<RouteReply<typeof twoFactorRoutes.getAdminTwoFactor>> {
  const owner = ownerOf(caller);
  return store.read(scope, async (db) => ({
    enabled: await hasTwoFactor(db, owner),
    required: await isTwoFactorRequired(db, owner.partnerId),
    recoveryCodesLeft: await countRecoveryCodes(db, owner),
  }));
}
