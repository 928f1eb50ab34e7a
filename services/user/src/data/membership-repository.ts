import { fieldError } from '@portal/kernel';
import type { UserDb } from './db.ts';

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
  const found = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM groups WHERE partner_id = ${partnerId} AND id = ANY(${wanted}::integer[])
    ORDER BY id FOR KEY SHARE`;
  if (found.length < wanted.length) throw fieldError('E40404', 'groupIds', 'notFound');
  await db.membership.deleteMany({ where: { partnerId, accountId } });
  await db.membership.createMany({ data: wanted.map((groupId) => ({ partnerId, groupId, accountId })) });
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
