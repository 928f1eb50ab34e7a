import { identityEvents } from '@portal/contracts';
import type { Scope } from '@portal/database';
import { AppError, type Clock } from '@portal/kernel';
import { type AdminCaller, concernsRecord, type Store, type Transaction } from '@portal/service-kit';
import { deleteAdmin, findAdminOf } from '../data/admin-repository.ts';
import type { IdentityDb } from '../data/db.ts';
import { requireMayChange, requireOther, requireReach } from '../domain/admin.ts';
import { endAdminSessions } from './end-sessions.ts';
import { holdAdmin } from './hold-giver.ts';

/**
 * Deletes an administrator of a unit, or with null of the platform, and ends their sessions. Throws `E40301` for oneself, and what
 * `holdAdmin` refuses.
 */
export async function removeAdmin(
  {
    clock,
    store,
    waitUntilRevoked,
  }: { store: Store<IdentityDb>; clock: Clock; waitUntilRevoked: () => Promise<void> },
  { caller, scope }: { readonly caller: AdminCaller; readonly scope: Scope },
  which: { readonly adminId: number; readonly unitId: number | null },
): Promise<void> {
  requireReach(caller, which.unitId);
  const found = await store.read(scope, (db) => findAdminOf(db, which));
  if (!found) throw new AppError('E40401');
  requireOther(found, caller);
  await store.write(scope, async (tx) => {
    const { admin, giver } = await holdAdmin(tx.db, caller, { ...which, takesAll: true });
    requireMayChange(admin, giver);
    concernsRecord(admin);
    await dropAdmin(tx, admin, clock.now());
  });
  await waitUntilRevoked();
}

/** Deletes an administrator with all that is theirs, ends their sessions, and tells of it. */
export async function dropAdmin(
  tx: Transaction<IdentityDb>,
  { id }: { readonly id: number },
  now: Date,
): Promise<void> {
  await endAdminSessions(tx, { adminId: id }, now);
  await deleteAdmin(tx.db, id);
  tx.outbox.append(identityEvents.adminDeleted, {
    subject: id,
    partnerId: null,
    data: { adminId: id },
  });
}
