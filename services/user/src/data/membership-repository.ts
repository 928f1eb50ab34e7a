import type { UserDb } from './db.ts';
import { requireGroups } from './group-repository.ts';

/**
 * Puts an account into these groups and no others. The groups stay until the transaction ends.
 * Answers their ids, ascending. Throws `E40404` on groupIds when the partner lacks one of them.
 */
export async function setGroupsOf(
  db: UserDb,
  account: { readonly partnerId: number; readonly id: number },
  groupIds: readonly number[],
): Promise<number[]> {
  const { id: accountId, partnerId } = account;
  const wanted = [...new Set(groupIds)].sort((a, b) => a - b);
  await requireGroups(db, partnerId, wanted);
  await db.membership.deleteMany({ where: { partnerId, accountId, groupId: { notIn: wanted } } });
  await db.membership.createMany({
    data: wanted.map((groupId) => ({ partnerId, groupId, accountId })),
    skipDuplicates: true,
  });
  return wanted;
}

/** The ids of an account's groups, ascending. */
export async function groupIdsOf(
  db: UserDb,
  account: { readonly partnerId: number; readonly id: number },
): Promise<number[]> {
  const { id: accountId, partnerId } = account;
  const rows = await db.membership.findMany({
    where: { partnerId, accountId },
    select: { groupId: true },
    orderBy: { groupId: 'asc' },
  });
  return rows.map(({ groupId }) => groupId);
}

/** Who is in a group, ascending. */
export async function memberIdsOf(
  db: UserDb,
  { id: groupId, partnerId }: { readonly partnerId: number; readonly id: number },
): Promise<number[]> {
  const rows = await db.membership.findMany({
    where: { partnerId, groupId },
    select: { accountId: true },
    orderBy: { accountId: 'asc' },
  });
  return rows.map(({ accountId }) => accountId);
}

/** Puts accounts into groups. Answers who was not in one of them, once for each. */
export async function joinGroups(
  db: UserDb,
  partnerId: number,
  groupIds: readonly number[],
  accountIds: readonly number[],
): Promise<number[]> {
  if (groupIds.length === 0) return [];
  const added = await db.$queryRaw<{ accountId: number }[]>`
    INSERT INTO memberships (partner_id, group_id, account_id)
    SELECT ${partnerId}, group_id, account_id
    FROM unnest(${[...groupIds]}::integer[]) AS group_id, unnest(${[...accountIds]}::integer[]) AS account_id
    ON CONFLICT DO NOTHING
    RETURNING account_id AS "accountId"`;
  return added.map(({ accountId }) => accountId);
}

/** Takes accounts out of groups. Answers who was in one of them, once for each. */
export async function leaveGroups(
  db: UserDb,
  partnerId: number,
  groupIds: readonly number[],
  accountIds: readonly number[],
): Promise<number[]> {
  if (groupIds.length === 0) return [];
  const removed = await db.$queryRaw<{ accountId: number }[]>`
    DELETE FROM memberships
    WHERE partner_id = ${partnerId} AND group_id = ANY(${[...groupIds]}::integer[])
      AND account_id = ANY(${[...accountIds]}::integer[])
    RETURNING account_id AS "accountId"`;
  return removed.map(({ accountId }) => accountId);
}

/** The ids of the groups of each account, ascending; who is in none is left out. */
export async function groupIdsByAccount(
  db: UserDb,
  partnerId: number,
  accountIds: readonly number[],
): Promise<ReadonlyMap<number, number[]>> {
  const rows = await db.membership.findMany({
    where: { partnerId, accountId: { in: [...accountIds] } },
    select: { accountId: true, groupId: true },
    orderBy: { groupId: 'asc' },
  });
  const byAccount = Map.groupBy(rows, ({ accountId }) => accountId);
  return new Map([...byAccount].map(([id, own]) => [id, own.map(({ groupId }) => groupId)]));
}
