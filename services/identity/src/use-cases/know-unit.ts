import { findUnit } from '@portal/contracts/internal';
import type { Scope } from '@portal/database';
import { AppError, type Clock } from '@portal/kernel';
import {
  type AdminCaller,
  type Copy,
  copyOf,
  olderThanAll,
  type Peers,
  type Store,
  type UnitState,
  unitStates,
} from '@portal/service-kit';
import { lockAdminsOfUnit } from '../data/admin-repository.ts';
import type { IdentityDb } from '../data/db.ts';
import { dropUnit, unitExists, upsertUnit } from '../data/unit-repository.ts';
import { requireReach } from '../domain/admin.ts';
import { dropAdmin } from './remove-admin.ts';

/** What this service keeps of the units. With a unit its administrators go, should one have been made meanwhile. */
export function copyOfUnits({ clock }: { readonly clock: Clock }): Copy<IdentityDb, UnitState, null> {
  return copyOf<IdentityDb, UnitState, null>('keep-units', unitStates, {
    async keep({ db }, known) {
      for (const { id, state } of known) await upsertUnit(db, { id, name: state.name });
    },
    async forget(tx, gone) {
      for (const { id } of gone) {
        // Waits for whoever makes an administrator in it; whoever comes later finds no unit.
        await dropUnit(tx.db, id);
        for (const admin of await lockAdminsOfUnit(tx.db, id)) await dropAdmin(tx, admin, clock.now());
      }
    },
  });
}

/**
 * Asks the tenant service about a unit that no event has told of yet. Throws `E40401` for one that does not exist, or is another
 * than the caller's.
 */
export async function knowUnit(
  { clock, peers, store }: { store: Store<IdentityDb>; clock: Clock; peers: Peers },
  { caller, scope }: { readonly caller: AdminCaller; readonly scope: Scope },
  unitId: number,
): Promise<void> {
  requireReach(caller, unitId);
  if (await store.read(scope, (db) => unitExists(db, unitId))) return;
  // Theirs was known when they were made.
  if (caller.unitId !== null) throw new AppError('E40401');
  const state = await peers.call(findUnit, { body: { unitId } });
  const { revision = olderThanAll } = state;
  await store.write(scope, async (tx) => {
    await copyOfUnits({ clock }).take(tx, [
      { id: unitId, partnerId: null, revision, at: clock.now(), state },
    ]);
    if (!(await unitExists(tx.db, unitId))) throw new AppError('E40401');
  });
}
