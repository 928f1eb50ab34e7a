import type { Transaction } from '@portal/service-kit';
import { endAssignments } from '../data/assignment-repository.ts';
import { beginChange } from '../data/changes.ts';
import { dropGroup } from '../data/copies-repository.ts';
import type { FileDb } from '../data/db.ts';
import { addMemberships, currentMemberships, endMemberships } from '../data/membership-repository.ts';

/** A person of a tenant, and the groups that they are in since `at`. */
interface Member {
  readonly partnerId: number;
  readonly userId: number;
  readonly groupIds: readonly number[];
  readonly at: Date;
}

/** Sets the groups that people are in; of one person, the last counts. */
export async function keepMemberships(tx: Transaction<FileDb>, members: readonly Member[]): Promise<void> {
  const last = new Map(members.map((member) => [member.userId, member]));
  // In one order everywhere: the tenants stay locked to the end.
  const tenants = [...Map.groupBy(last.values(), ({ partnerId }) => partnerId)].sort(([a], [b]) => a - b);
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

/** A group that is gone delivers nothing any more. */
export async function forgetGroup(
  tx: Transaction<FileDb>,
  partnerId: number,
  groupId: number,
): Promise<void> {
  const change = await beginChange(tx, partnerId);
  await endMemberships(change, { groupId });
  await endAssignments(change, { groupIds: [groupId] });
  await dropGroup(tx.db, partnerId, groupId);
}
