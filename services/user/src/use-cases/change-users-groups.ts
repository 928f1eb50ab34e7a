import type { Selection } from '@portal/contracts';
import { slicesOf } from '@portal/database';
import { concernsRecords } from '@portal/service-kit';
import { lockUsers } from '../data/account-repository.ts';
import { requireGroups } from '../data/group-repository.ts';
import { joinGroups, leaveGroups } from '../data/membership-repository.ts';
import { type AskedUsers, selectUsers } from '../data/user-filters.ts';
import type { Dependencies } from '../dependencies.ts';
import { tellOfGroups } from './change-members.ts';

/**
 * Puts the users who are selected into the groups `add` and takes them out of `remove`, all or none, and tells of those for whom
 * something is different now. Answers how many are selected. Throws `E40404` on add or remove for a group and `E40403` for a user
 * that the partner does not have, `E40034` when the filter shows another number by now.
 */
export async function changeUsersGroups(
  { inTurn }: Pick<Dependencies, 'inTurn'>,
  partnerId: number,
  change: Selection<AskedUsers> & {
    readonly add?: readonly number[] | undefined;
    readonly remove?: readonly number[] | undefined;
  },
): Promise<{ count: number }> {
  const [add, remove] = [change.add, change.remove].map((ids = []) => [...new Set(ids)]) as [
    number[],
    number[],
  ];
  // As every change of many accounts: one of a tenant at a time.
  return inTurn(partnerId, async ({ db, outbox }) => {
    await requireGroups(db, partnerId, add, 'add');
    await requireGroups(db, partnerId, remove, 'remove');
    const selected = await selectUsers(db, partnerId, change);
    concernsRecords(selected);
    for (const some of slicesOf(selected)) {
      const users = await lockUsers(db, partnerId, some);
      const changed = new Set([
        ...(await joinGroups(db, partnerId, add, some)),
        ...(await leaveGroups(db, partnerId, remove, some)),
      ]);
      await tellOfGroups(
        { db, outbox },
        partnerId,
        users.filter(({ id }) => changed.has(id)),
      );
      await outbox.flush();
    }
    return { count: selected.length };
  });
}
