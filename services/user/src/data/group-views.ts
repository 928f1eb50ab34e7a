import {
  foldCase,
  formatDateTime,
  type RouteInput,
  type RouteReply,
  type Selection,
  type userRoutes,
} from '@portal/contracts';
import { likeContaining, orderedBy, pageReply, searchFor, selectedIds } from '@portal/database';
import type { z } from 'zod';
import type { UserDb } from './db.ts';
import { type Group, Prisma } from './generated/client.ts';

type Query = RouteInput<typeof userRoutes.listGroups>['query'];
export type AskedGroups = z.output<typeof userRoutes.groupFilters> & {
  /** Of an export. */
  readonly ids?: readonly number[] | undefined;
};

export type CountedGroup = Group & { readonly userCount: number; readonly fileCount: number };

const { sql } = Prisma;

const columns: Record<Query['orderKey'], Prisma.Sql> = {
  id: sql`g.id`,
  name: sql`g.name_key`,
  role: sql`g.role`,
  createdAt: sql`g.created_at`,
  updatedAt: sql`g.updated_at`,
};

/** Conditions on the group `g`. */
function groupsAsked(partnerId: number, asked: AskedGroups): Prisma.Sql {
  const { excludeIds, ids, name } = asked;
  const search = searchOf(asked);
  const conditions = [
    sql`g.partner_id = ${partnerId}`,
    ...(search ? [search.condition] : []),
    ...(name ? [sql`g.name_key LIKE ${likeContaining(foldCase(name))}`] : []),
    ...(ids ? [sql`g.id = ANY(${ids}::integer[])`] : []),
    ...(excludeIds ? [sql`g.id <> ALL(${excludeIds}::integer[])`] : []),
  ];
  return Prisma.join(conditions, ' AND ');
}

function searchOf({ q }: AskedGroups): ReturnType<typeof searchFor> | undefined {
  return q ? searchFor(foldCase(q), { id: sql`g.id`, texts: [sql`g.name_key`] }) : undefined;
}

/** What the search box names first comes first. */
const firstOf = (asked: AskedGroups) =>
  sql`CASE WHEN ${searchOf(asked)?.first ?? sql`true`} THEN 0 ELSE 1 END`;

/** A page of groups, or with `all` the ids, names and roles of every one by name. */
export async function listGroups(
  db: UserDb,
  partnerId: number,
  query: Query,
): Promise<RouteReply<typeof userRoutes.listGroups>> {
  const where = groupsAsked(partnerId, query);
  if (query.all) {
    const groups = await db.$queryRaw<{ id: number; name: string; role: number }[]>`
      SELECT g.id, g.name, g.role FROM groups g WHERE ${where} ORDER BY ${firstOf(query)}, g.name_key, g.id`;
    return { groups };
  }
  const [counted] = await db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::integer AS count FROM groups g WHERE ${where}`;
  const { order, orderKey, page, perPage } = query;
  const ids = await db.$queryRaw<{ id: number }[]>`
    SELECT g.id FROM groups g WHERE ${where}
    ORDER BY ${firstOf(query)}, ${orderedBy(columns[orderKey], sql`g.id`, { nullable: false, order, reversed: false })}
    OFFSET ${(page - 1) * perPage} LIMIT ${perPage}`;
  const groups = await db.group.findMany({ where: { partnerId, id: { in: ids.map(({ id }) => id) } } });
  const rows = new Map((await withCounts(db, partnerId, groups)).map((group) => [group.id, group]));
  return {
    ...pageReply(counted?.count ?? 0, query),
    groups: ids.flatMap(({ id }) => {
      const group = rows.get(id);
      return group ? [toRow(group)] : [];
    }),
  };
}

/**
 * The ids of the groups that are selected, ascending. Throws `E40404` for a group that the partner does not have, `E40034` on
 * expectedCount where the filter shows another number by now.
 */
export async function selectGroups(
  db: UserDb,
  partnerId: number,
  selection: Selection<AskedGroups>,
): Promise<number[]> {
  return selectedIds(db, selection, {
    from: sql`groups g`,
    id: sql`g.id`,
    where: (asked) => groupsAsked(partnerId, asked),
    all: {},
    unknown: 'E40404',
  });
}

export async function groupDetail(
  db: UserDb,
  partnerId: number,
  id: number,
): Promise<RouteReply<typeof userRoutes.getGroup> | null> {
  const group = await db.group.findUnique({ where: { partnerId_id: { partnerId, id } } });
  const [counted] = await withCounts(db, partnerId, group ? [group] : []);
  return counted ? toRow(counted) : null;
}

/** At most `take` of the groups that are asked for, in the order of their ids, from behind the id `after`. */
export async function groupsAfter(
  db: UserDb,
  partnerId: number,
  asked: AskedGroups,
  { after, take }: { after: number; take: number },
): Promise<CountedGroup[]> {
  const ids = await db.$queryRaw<{ id: number }[]>`
    SELECT g.id FROM groups g WHERE ${groupsAsked(partnerId, asked)} AND g.id > ${after} ORDER BY g.id LIMIT ${take}`;
  const groups = await db.group.findMany({
    where: { partnerId, id: { in: ids.map(({ id }) => id) } },
    orderBy: { id: 'asc' },
  });
  return withCounts(db, partnerId, groups);
}

/** The members and the files of all `groups`, each in one query. */
async function withCounts(db: UserDb, partnerId: number, groups: readonly Group[]): Promise<CountedGroup[]> {
  const where = { partnerId, groupId: { in: groups.map(({ id }) => id) } };
  const members = await db.membership.groupBy({ by: ['groupId'], where, _count: true });
  const files = await db.groupFile.groupBy({ by: ['groupId'], where, _count: true });
  const userCounts = new Map(members.map(({ groupId, _count }) => [groupId, _count]));
  const fileCounts = new Map(files.map(({ groupId, _count }) => [groupId, _count]));
  return groups.map((group) => ({
    ...group,
    userCount: userCounts.get(group.id) ?? 0,
    fileCount: fileCounts.get(group.id) ?? 0,
  }));
}

function toRow({ id, name, note, role, userCount, fileCount, createdAt, updatedAt }: CountedGroup) {
  return {
    id,
    name,
    note,
    role,
    userCount,
    fileCount,
    createdAt: formatDateTime(createdAt),
    updatedAt: formatDateTime(updatedAt),
  };
}
