import { tenantEvents } from '@portal/contracts';
import type { Scope } from '@portal/database';
import { type Clock, fieldError } from '@portal/kernel';
import type { Store } from '@portal/service-kit';
import type { TenantDb } from '../data/db.ts';
import { holdPartner } from '../data/partner-repository.ts';
import { insertUnit } from '../data/unit-repository.ts';
import { type NewUnit, unitStateOf } from '../domain/unit.ts';

/**
 * Makes an outsourcing unit with the licences that its partners may share. Throws `E40402` on ownerPartnerid for an unknown
 * owner, `E40029` when the name is taken.
 */
export async function createUnit(
  { clock, store }: { store: Store<TenantDb>; clock: Clock },
  unit: NewUnit,
  scope: Scope,
): Promise<{ id: number }> {
  return store.write(scope, async ({ db, outbox }) => {
    if (!(await holdOwner(db, unit.ownerPartnerid))) throw unknownOwner();
    const { id, revision } = await insertUnit(db, unit, clock.now());
    outbox.append(tenantEvents.unitCreated, {
      subject: id,
      partnerId: null,
      data: unitStateOf(id, { ...unit, revision }),
    });
    return { id };
  });
}

/** Whether it is a partner or none; one stays until the transaction ends, so that who deletes it then finds the unit. */
export async function holdOwner(db: TenantDb, partnerId: number): Promise<boolean> {
  return partnerId === 0 || (await holdPartner(db, partnerId));
}

export const unknownOwner = () => fieldError('E40402', 'ownerPartnerid', 'notFound');
