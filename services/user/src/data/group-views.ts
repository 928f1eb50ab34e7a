import {
  foldCase,
  formatDateTime,
  type RouteInput,
  type RouteReply,
  type userRoutes,
} from '@portal/contracts';
import { contains, listPage, pageReply } from '@portal/database';
import type { UserDb } from './db.ts';
import type { Group, Prisma } from './generated/client.ts';

type Query = RouteInput<typeof userRoutes.listGroups>['query'];

export type CountedGroup = Group & { readonly userCount: number };

/** A page of groups, or with `all` the ids, names and roles of every one by name. */
export async function listGroups(
  db: UserDb,
  partnerId: number,
  query: Query,
): Promise<RouteReply<typeof userRoutes.listGroups>> {
  const name = contains(query.name === undefined ? undefined : foldCase(query.name));
  const where: Prisma.GroupWhereInput = {
    partnerId,
    ...(name && { nameKey: name }),
    ...(query.excludeIds && { id: { notIn: query.excludeIds } }),
  };
  if (query.all) {
    const groups = await db.group.findMany({
      where,
      orderBy: [{ nameKey: 'asc' }, { id: 'asc' }],
      select: { id: true, name: true, role: true },
    });
    return { groups };
  }
  const totalCount = await db.group.count({ where });
  const orderKey = query.orderKey === 'name' ? 'nameKey' : query.orderKey;
  const groups = await db.group.findMany({ where, ...listPage({ ...query, orderKey }) });
  const counted = await withUserCounts(db, partnerId, groups);
  return { ...pageReply(totalCount, query), groups: counted.map(toRow) };
}

export async function groupDetail(
  db: UserDb,
  partnerId: number,
  id: number,
): Promise<RouteReply<typeof userRoutes.getGroup> | null> {
  const group = await db.group.findUnique({ where: { partnerId_id: { partnerId, id } } });
  const [counted] = await withUserCounts(db, partnerId, group ? [group] : []);
  return counted ? toRow(counted) : null;
}

/** At most `take` groups in the order of their ids, from behind the id `after`. */
export async function groupsAfter(
  db: UserDb,
  partnerId: number,
  { after, take }: { after: number; take: number },
): Promise<CountedGroup[]> {
  const groups = await db.group.findMany({
    where: { partnerId, id: { gt: after } },
    orderBy: { id: 'asc' },
    take,
  });
  return withUserCounts(db, partnerId, groups);
}

/** The members of all `groups` in one query. */
async function withUserCounts(
  db: UserDb,
  partnerId: number,
  groups: readonly Group[],
): Promise<CountedGroup[]> {
  const counts = await db.membership.groupBy({
    by: ['groupId'],
    where: { partnerId, groupId: { in: groups.map(({ id }) => id) } },
    _count: true,
  });
  const userCounts = new Map(counts.map(({ groupId, _count }) => [groupId, _count]));
  return groups.map((group) => ({ ...group, userCount: userCounts.get(group.id) ?? 0 }));
}

function toRow({ id, name, note, role, userCount, createdAt, updatedAt }: CountedGroup) {
  return {
    id,
    name,
    note,
    role,
    userCount,
    createdAt: formatDateTime(createdAt),
    updatedAt: formatDateTime(updatedAt),
  };
}
