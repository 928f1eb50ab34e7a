import type { RouteInput, RouteReply } from '@portal/contracts';
import type { findRecipients as contract } from '@portal/contracts/internal';
import { groupStateOf } from '../domain/group.ts';
import { personOf } from '../domain/person.ts';
import { findUsers } from './account-repository.ts';
import type { UserDb } from './db.ts';
import { groupIdsByAccount } from './membership-repository.ts';

/** The groups and users among those named that a partner has, as events tell of them. */
export async function findRecipients(
  db: UserDb,
  { groupIds, partnerId, userIds }: RouteInput<typeof contract>['body'],
): Promise<RouteReply<typeof contract>> {
  const groups = await db.group.findMany({
    where: { partnerId, id: { in: groupIds } },
    orderBy: { id: 'asc' },
  });
  const users = await findUsers(db, partnerId, userIds);
  const groupIdsOf = await groupIdsByAccount(db, partnerId, userIds);
  return {
    groups: groups.map(groupStateOf),
    users: users.map((user) => personOf(user, groupIdsOf.get(user.id) ?? [])),
  };
}
