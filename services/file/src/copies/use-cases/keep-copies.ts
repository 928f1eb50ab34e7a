import {
  copyOf,
  type GroupState,
  groupStates,
  type Transaction,
  type UserState,
  userStates,
} from '@portal/service-kit';
import { endAssignments } from '../../assignments/data/assignment-repository.ts';
import type { FileDb } from '../../data/db.ts';
import { beginChange } from '../../files/data/changes.ts';
import { dropGroup, keepGroups } from '../data/copies-repository.ts';
import { addMemberships, currentMemberships, endMemberships } from '../data/membership-repository.ts';

/** The groups of tenants. The files of one that is gone go to nobody by it. */
export const groups = copyOf<FileDb, Pick<GroupState, 'name'>, number>('keep-groups', groupStates, {
  keep: async ({ db }, known) =>
    keepGroups(
      db,
      known.map(({ id: groupId, partnerId, state: { name } }) => ({ groupId, partnerId, name })),
    ),
  async forget(tx, gone) {
    for (const { id, partnerId } of gone) await forgetGroup(tx, partnerId, id);
  },
});

/** Who is in which groups. */
export const members = copyOf<FileDb, Pick<UserState, 'groupIds'>, number>('keep-memberships', userStates, {
  keep: async (tx, people) =>
    replaceMemberships(
      tx,
      people.map(({ at, id: userId, partnerId, state: { groupIds } }) => ({
        at,
        groupIds,
        partnerId,
        userId,
      })),
    ),
  forget: async (tx, people) =>
    replaceMemberships(
      tx,
      people.map(({ at, id: userId, partnerId }) => ({ at, groupIds: [], partnerId, userId })),
    ),
});

/** A person of a tenant, and the groups that they are in since `at`. */
interface Member {
  readonly partnerId: number;
  readonly userId: number;
  readonly groupIds: readonly number[];
  readonly at: Date;
}

/** Sets the groups that people are in. */
async function replaceMemberships(tx: Transaction<FileDb>, members: readonly Member[]): Promise<void> {
  // In one order everywhere: the tenants stay locked to the end.
  const tenants = [...Map.groupBy(members, ({ partnerId }) => partnerId)].sort(([a], [b]) => a - b);
  for (const [partnerId, ofTenant] of tenants) await keepMembershipsOf(tx, partnerId, ofTenant);
}

async function keepMembershipsOf(
  tx: Transaction<FileDb>,
  partnerId: number,
  members: readonly Member[],
): Promise<void> {
  const ids = members.map(({ userId }) => userId);
  const known = Map.groupBy(await currentMemberships(tx.db, partnerId, ids), ({ userId }) => userId);
  const added = members.flatMap(({ at: addedAt, groupIds, userId }) => {
    const held = known.get(userId) ?? [];
    return groupIds
      .filter((id) => !held.some(({ groupId }) => groupId === id))
      .map((groupId) => ({ userId, groupId, addedAt }));
  });
  const removed = members.flatMap(({ groupIds, userId }) =>
    (known.get(userId) ?? []).filter(({ groupId }) => !groupIds.includes(groupId)),
  );
  if (added.length === 0 && removed.length === 0) return;
  const change = await beginChange(tx, partnerId);
  await addMemberships(change, added);
  await endMemberships(change, { ids: removed.map(({ id }) => id) });
}

/** Nothing is delivered through a deleted group. */
async function forgetGroup(tx: Transaction<FileDb>, partnerId: number, groupId: number): Promise<void> {
  const change = await beginChange(tx, partnerId);
  await endMemberships(change, { groupId });
  await endAssignments(change, { groupIds: [groupId] });
  await dropGroup(tx.db, partnerId, groupId);
}
