import { type Passwords, refuseGuessable } from '@portal/accounts';
import { identityEvents } from '@portal/contracts';
import type { Scope } from '@portal/database';
import { AppError, type Clock } from '@portal/kernel';
import type { Store } from '@portal/service-kit';
import { insertAdmin } from '../data/admin-repository.ts';
import type { IdentityDb } from '../data/db.ts';
import { holdUnit } from '../data/unit-repository.ts';
import { type Giver, type NewAdmin, requireMayGive, requireReach } from '../domain/admin.ts';
import { holdGiver } from './hold-giver.ts';

/**
 * Makes a platform or unit administrator.
 * Throws what `requireReach`, `requireMayGive` and `holdGiver` refuse, `E40401` for an unknown unit, `E40029` on `email` when it
 * is taken, `E40002` on `password` for one that is guessable.
 */
export async function createAdmin(
  { clock, passwords, store }: { store: Store<IdentityDb>; clock: Clock; passwords: Passwords },
  { password, ...admin }: NewAdmin,
  giver: Giver,
  scope: Scope,
): Promise<{ id: number }> {
  const { unitId } = admin;
  requireReach(giver, unitId);
  requireMayGive(admin, giver);
  refuseGuessable(password, admin);
  const passwordHash = await passwords.hash(password);
  return store.write(scope, async ({ db, outbox }) => {
    await holdGiver(db, giver, { unitId });
    if (unitId !== null && !(await holdUnit(db, unitId))) throw new AppError('E40401');
    const { id, revision } = await insertAdmin(db, { ...admin, passwordHash }, clock.now());
    outbox.append(identityEvents.adminCreated, {
      subject: id,
      partnerId: null,
      data: { adminId: id, revision, ...admin },
    });
    return { id };
  });
}
