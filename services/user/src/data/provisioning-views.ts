import { formatDateTime, type RouteInput, type RouteReply } from '@portal/contracts';
import {
  type listProvisionedGroups as groupsContract,
  type ProvisionedGroup,
  type ProvisionedUser,
  provisioningLimits,
  type listProvisionedUsers as usersContract,
} from '@portal/contracts/internal';
import { orderedBy } from '@portal/database';
import { fieldError } from '@portal/kernel';
import type { UserDb } from './db.ts';
import { type Account, type Group, Prisma } from './generated/client.ts';
import { provisionedGroupCondition, provisionedUserFilters } from './provisioning-filters.ts';
import type { UserList } from './user-list.ts';

const { sql } = Prisma;

/** A page of users, as provisioning asks for it. */
export async function listProvisionedUsers(
  db: UserDb,
  list: UserList,
  { filter, order, orderBy: orderKey, partnerId, skip, take }: RouteInput<typeof usersContract>['body'],
): Promise<RouteReply<typeof usersContract>> {
  const filters = provisionedUserFilters(partnerId, filter);
  const { ids, totalCount } = await list.pageOf(db, partnerId, filters, { order, orderKey, skip, take });
  const found = await db.account.findMany({ where: { partnerId, isUser: true, id: { in: ids } } });
  const byId = new Map(found.map((account) => [account.id, account]));
  const users = ids.flatMap((id) => byId.get(id) ?? []);
  return { totalCount, users: users.map(provisionedUser) };
}

export function provisionedUser(account: Account): ProvisionedUser {
  const { active, createdAt, email, externalId, id, loginUserId, name, updatedAt } = account;
  return {
    id,
    version: versionOfUser(account),
    name,
    login: email ?? loginUserId ?? '',
    externalId,
    active,
    createdAt: formatDateTime(createdAt),
    updatedAt: formatDateTime(updatedAt),
  };
}

export const versionOfUser = ({ revision }: Pick<Account, 'revision'>): string => String(revision);

const groupColumns = {
  id: sql`g.id`,
  name: sql`g.name_key`,
  createdAt: sql`g.created_at`,
  updatedAt: sql`g.updated_at`,
};

/** A page of groups, as provisioning asks for it. Throws `E40034` on members where they are more than an answer holds. */
export async function listProvisionedGroups(
  db: UserDb,
  { filter, order, orderBy, partnerId, skip, take, withMembers }: RouteInput<typeof groupsContract>['body'],
): Promise<RouteReply<typeof groupsContract>> {
  const where = provisionedGroupCondition(partnerId, filter);
  const [counted] = await db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::integer AS count FROM groups g WHERE ${where}`;
  const ids = await db.$queryRaw<{ id: number }[]>`
    SELECT g.id FROM groups g WHERE ${where}
    ORDER BY ${orderedBy(groupColumns[orderBy], sql`g.id`, { nullable: false, order, reversed: false })}
    OFFSET ${skip} LIMIT ${take}`;
  const found = await db.group.findMany({ where: { partnerId, id: { in: ids.map(({ id }) => id) } } });
  const byId = new Map(found.map((group) => [group.id, group]));
  const groups = ids.flatMap(({ id }) => byId.get(id) ?? []);
  return {
    totalCount: counted?.count ?? 0,
    groups: await provisionedGroups(db, partnerId, groups, withMembers),
  };
}

/** Groups with their members, each in the order of its id. */
export async function provisionedGroups(
  db: UserDb,
  partnerId: number,
  groups: readonly Group[],
  withMembers: boolean,
): Promise<ProvisionedGroup[]> {
  const members = withMembers ? await membersOf(db, partnerId, groups) : null;
  return groups.map((group) => ({
    id: group.id,
    version: versionOfGroup(group),
    name: group.name,
    externalId: group.externalId,
    ...(members && { memberIds: members.get(group.id) ?? [] }),
    createdAt: formatDateTime(group.createdAt),
    updatedAt: formatDateTime(group.updatedAt),
  }));
}

/** Who is in the groups, by the ids of these. Throws `E40034` on members for more than an answer holds. */
async function membersOf(
  db: UserDb,
  partnerId: number,
  groups: readonly Group[],
): Promise<ReadonlyMap<number, number[]>> {
  const most = provisioningLimits.maxMembersOfAnswer;
  const rows = await db.membership.findMany({
    where: { partnerId, groupId: { in: groups.map(({ id }) => id) } },
    select: { groupId: true, accountId: true },
    orderBy: [{ groupId: 'asc' }, { accountId: 'asc' }],
    take: most + 1,
  });
  if (rows.length > most) throw fieldError('E40034', 'members', 'outOfRange');
  const byGroup = Map.groupBy(rows, ({ groupId }) => groupId);
  return new Map([...byGroup].map(([id, of]) => [id, of.map(({ accountId }) => accountId)]));
}

export const versionOfGroup = ({ membersRevision, revision }: Pick<Group, 'membersRevision' | 'revision'>) =>
  `${revision}.${membersRevision}`;
