import { type Passwords, refuseGuessable } from '@portal/accounts';
import { identityEvents } from '@portal/contracts';
import type { Scope } from '@portal/database';
import { type Clock, fieldError } from '@portal/kernel';
import type { Store } from '@portal/service-kit';
import { insertAdmin } from '../data/admin-repository.ts';
import type { IdentityDb } from '../data/db.ts';
import { unitExists } from '../data/unit-repository.ts';
import { type Giver, type NewAdmin, requireMayGive } from '../domain/admin.ts';

/**
 * Makes a platform or unit administrator.
 * Throws what `requireMayGive` refuses, `E40401` on `unitId` for an unknown unit, `E40029` on `email` when it is taken, `E40002`
 * on `password` for one that is guessable.
 */
export async function createAdmin(
  { clock, passwords, store }: { store: Store<IdentityDb>; clock: Clock; passwords: Passwords },
  { password, ...admin }: NewAdmin,
  giver: Giver,
  scope: Scope,
): Promise<{ id: number }> {
  requireMayGive(admin, giver);
  refuseGuessable(password, admin);
  const passwordHash = await passwords.hash(password);
  return store.write(scope, async ({ db, outbox }) => {
    if (admin.unitId !== null && !(await unitExists(db, admin.unitId))) {
      throw fieldError('E40401', 'unitId', 'notFound');
    }
    const { id, revision } = await insertAdmin(db, { ...admin, passwordHash }, clock.now());
    outbox.append(identityEvents.adminCreated, {
      subject: id,
      partnerId: null,
      data: { adminId: id, revision, ...admin },
    });
    return { id };
  });
}
