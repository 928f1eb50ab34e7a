import { tenantEvents, userEvents } from '@portal/contracts';
import {
  type EventEnvelope,
  type EventHandler,
  keepExportTasks,
  on,
  onMany,
  partnerOf,
} from '@portal/service-kit';
import { keepGroup, keepPartner } from '../data/copies-repository.ts';
import type { FileDb } from '../data/db.ts';
import { forgetGroup, keepMemberships } from '../use-cases/keep-copies.ts';

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
