import {
  copyOf,
  type GroupState,
  groupStates,
  retoldUserStates,
  type Transaction,
  type UserState,
} from '@portal/service-kit';
import { endAssignments } from '../../assignments/data/assignment-repository.ts';
import type { FileDb } from '../../data/db.ts';
import { beginChange } from '../../files/data/changes.ts';
import { dropPeople, keepPeople } from '../../receipts/data/audience-repository.ts';
import { noteNewcomers } from '../../rollouts/data/telling-repository.ts';
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

/** The name of the copy of people. */
export const membersCopy = 'keep-memberships';

/** Who is in which groups, and who they are. */
export const members = copyOf<FileDb, UserState, number>(membersCopy, retoldUserStates, {
  async keep(tx, people) {
    await replaceMemberships(
      tx,
      people.map(({ at, id: userId, partnerId, state: { groupIds } }) => ({
        at,
        groupIds,
        partnerId,
        userId,
      })),
    );
    await keepPeople(
      tx.db,
      people.map(({ id: userId, partnerId, state: { email, groupIds, isUser, loginUserId, name } }) => ({
        userId,
        partnerId,
        name,
        loginId: email ?? loginUserId ?? '',
        groupIds: isUser ? groupIds : null,
      })),
    );
  },
  async forget(tx, people) {
    await replaceMemberships(
      tx,
      people.map(({ at, id: userId, partnerId }) => ({ at, groupIds: [], partnerId, userId })),
    );
    await dropPeople(tx.db, people);
  },
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
  await noteNewcomers(change.db, partnerId, added);
  await endMemberships(change, { ids: removed.map(({ id }) => id) });
}

/** Nothing is delivered through a deleted group. */
async function forgetGroup(tx: Transaction<FileDb>, partnerId: number, groupId: number): Promise<void> {
  const change = await beginChange(tx, partnerId);
  await endMemberships(change, { groupId });
  await endAssignments(change, { groupIds: [groupId] });
  await dropGroup(tx.db, partnerId, groupId);
}
