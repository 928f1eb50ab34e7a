import type { Language } from '@portal/contracts';
import { findAccount } from '@portal/contracts/internal';
import type { Scope } from '@portal/database';
import { AppError, type Clock } from '@portal/kernel';
import {
  type AdminCaller,
  type Caller,
  ofPartner,
  type Peers,
  type Seals,
  type Store,
} from '@portal/service-kit';
import { findAdmin, lockAdmin } from '../data/admin-repository.ts';
import type { IdentityDb } from '../data/db.ts';
import { disableTwoFactor } from '../data/two-factor-repository.ts';
import { ownerOf } from '../domain/owner.ts';
import { endAdminSessions, endPeopleSessions } from './end-sessions.ts';
import { tellTwoFactor } from './tell-two-factor.ts';

interface Dependencies {
  readonly store: Store<IdentityDb>;
  readonly clock: Clock;
  readonly peers: Peers;
  readonly seals: Seals;
  readonly waitUntilRevoked: () => Promise<void>;
}

/**
 * Takes the two factors of a person of a tenant away, ends their sessions, and tells them by mail. Throws `E40301` for the
 * caller's own, `E40403` for nobody of the tenant, `E40034` for who has none.
 */
export async function removeAccountTwoFactor(
  { clock, peers, seals, store, waitUntilRevoked }: Dependencies,
  { caller }: { readonly caller: Caller },
  { accountId, partnerId }: { readonly partnerId: number; readonly accountId: number },
): Promise<void> {
  if (caller.kind === 'tenant' && caller.accountId === accountId) throw new AppError('E40301');
  const { email, name } = await peers.call(findAccount, { body: { partnerId, accountId } });
  const owner = ownerOf({ kind: 'tenant', accountId, partnerId });
  await store.write(ofPartner(partnerId), async (tx) => {
    await endPeopleSessions(tx, [{ accountId, partnerId }], clock.now());
    const revision = await disableTwoFactor(tx.db, owner);
    if (revision === null) throw new AppError('E40034');
    tellTwoFactor(tx, seals, owner, {
      revision,
      template: 'twoFactorRemoved',
      to: { email, name, language: null },
    });
  });
  await waitUntilRevoked();
}

/** The same of an administrator, by another. Throws `E40401` for nobody. */
export async function removeAdminTwoFactor(
  { clock, seals, store, waitUntilRevoked }: Dependencies,
  {
    caller,
    language,
    scope,
  }: { readonly caller: AdminCaller; readonly scope: Scope; readonly language: Language },
  adminId: number,
): Promise<void> {
  if (caller.adminId === adminId) throw new AppError('E40301');
  await store.write(scope, async (tx) => {
    await lockAdmin(tx.db, adminId);
    const admin = await findAdmin(tx.db, adminId);
    if (!admin) throw new AppError('E40401');
    const { email, name, unitId } = admin;
    const owner = ownerOf({ kind: 'admin', adminId, unitId });
    const revision = await disableTwoFactor(tx.db, owner);
    if (revision === null) throw new AppError('E40034');
    await endAdminSessions(tx, { adminId }, clock.now());
    tellTwoFactor(tx, seals, owner, {
      revision,
      template: 'twoFactorRemoved',
      to: { email, name, language },
    });
  });
  await waitUntilRevoked();
}
