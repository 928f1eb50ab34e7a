import type { Outbox } from '@portal/service-kit';
import { endAssignments } from '../data/assignment-repository.ts';
import { beginChange } from '../data/changes.ts';
import { dropGroup } from '../data/copies-repository.ts';
import type { FileDb } from '../data/db.ts';
import { addMemberships, currentGroupsOf, endMemberships } from '../data/membership-repository.ts';

export { keepGroup, keepPartner } from '../data/copies-repository.ts';

interface Transaction {
  readonly db: FileDb;
  readonly outbox: Outbox;
}

/** Sets the groups that a person is in since `at`. */
export async function keepMemberships(
  tx: Transaction,
  member: { partnerId: number; userId: number; groupIds: readonly number[]; at: Date },
): Promise<void> {
  const { partnerId, userId } = member;
  const known = await currentGroupsOf(tx.db, partnerId, userId);
  const added = member.groupIds.filter((id) => !known.includes(id));
  const removed = known.filter((id) => !member.groupIds.includes(id));
  if (added.length === 0 && removed.length === 0) return;
  const change = await beginChange(tx, partnerId);
  await addMemberships(change, userId, added, member.at);
  await endMemberships(change, { userId, groupIds: removed });
}

/** A group that is gone delivers nothing any more. */
export async function forgetGroup(tx: Transaction, partnerId: number, groupId: number): Promise<void> {
  const change = await beginChange(tx, partnerId);
  await endMemberships(change, { groupIds: [groupId] });
  await endAssignments(change, { groupIds: [groupId] });
  await dropGroup(tx.db, partnerId, groupId);
}
