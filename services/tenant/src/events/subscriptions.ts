import { identityEvents } from '@portal/contracts';
import { type EventHandler, on } from '@portal/service-kit';
import type { TenantDb } from '../data/db.ts';
import { keepUnitAdmin } from '../data/unit-repository.ts';

export const subscriptions: readonly EventHandler<TenantDb>[] = [
  on(identityEvents.adminCreated, 'keep-unit-admins', async ({ db }, { data }) => {
    const { unitId, ...admin } = data;
    if (unitId !== null) await keepUnitAdmin(db, { ...admin, unitId });
  }),
];
