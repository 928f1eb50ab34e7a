import { tenantEvents, userEvents } from '@portal/contracts';
import type { EventEnvelope } from '@portal/messaging';
import { type EventHandler, keepExportTasks, on, onMany } from '@portal/service-kit';
import type { FileDb } from '../data/db.ts';
import { forgetGroup, keepGroup, keepMemberships, keepPartner } from '../use-cases/keep-copies.ts';

/** All that this service learns from others. */
export const subscriptions: readonly EventHandler<FileDb>[] = [
  on(tenantEvents.partnerCreated, 'keep-partners', async ({ db }, { data }) => keepPartner(db, data)),

  on(userEvents.groupCreated, 'keep-groups', async ({ db }, event) =>
    keepGroup(db, { ...event.data, partnerId: partnerOf(event) }),
  ),
  on(userEvents.groupUpdated, 'keep-groups', async ({ db }, event) =>
    keepGroup(db, { ...event.data, partnerId: partnerOf(event) }),
  ),
  on(userEvents.groupDeleted, 'keep-groups', async (tx, event) =>
    forgetGroup(tx, partnerOf(event), event.data.groupId),
  ),

  onMany(userEvents.userCreated, 'keep-memberships', async (tx, events) =>
    keepMemberships(tx, events.map(memberOf)),
  ),
  onMany(userEvents.userUpdated, 'keep-memberships', async (tx, events) =>
    keepMemberships(tx, events.map(memberOf)),
  ),
  onMany(userEvents.userDeleted, 'keep-memberships', async (tx, events) =>
    keepMemberships(
      tx,
      events.map((event) => memberOf({ ...event, data: { ...event.data, groupIds: [] } })),
    ),
  ),

  ...keepExportTasks(['files']),
];

function memberOf(event: EventEnvelope<{ userId: number; groupIds: readonly number[] }>) {
  const { groupIds, userId } = event.data;
  return { userId, groupIds, partnerId: partnerOf(event), at: new Date(event.time) };
}

/** Groups and people belong to a tenant; an event of one that names none is a fault of its sender. */
function partnerOf({ id, partnerid, type }: EventEnvelope): number {
  if (partnerid === null) throw new Error(`${type} ${id} names no tenant`);
  return partnerid;
}
