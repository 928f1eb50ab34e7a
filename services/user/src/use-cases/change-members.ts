import { AppError } from '@portal/kernel';
import { concernsRecord, type Transaction } from '@portal/service-kit';
import { lockUsers, reviseAccounts } from '../data/account-repository.ts';
import type { UserDb } from '../data/db.ts';
import type { Account } from '../data/generated/client.ts';
import { lockGroup } from '../data/group-repository.ts';
import { groupIdsByAccount, joinGroups, leaveGroups } from '../data/membership-repository.ts';
import type { Dependencies } from '../dependencies.ts';
import { personOf } from '../domain/person.ts';
import { tellUpdated } from './tell-people.ts';

interface GroupKey {
  readonly partnerId: number;
  readonly id: number;
}

/**
 * Puts users into a group, all or none. Throws `E40404` for a group and `E40403` for a user that the partner does not
 * have.
 */
export async function addMembers(
  deps: Pick<Dependencies, 'inTurn'>,
  group: GroupKey,
  userIds: readonly number[],
): Promise<void> {
  await changeMembers(deps, group, userIds, joinGroups);
}

/** Takes users out of a group, all or none. Throws as `addMembers`. */
export async function removeMembers(
  deps: Pick<Dependencies, 'inTurn'>,
  group: GroupKey,
  userIds: readonly number[],
): Promise<void> {
  await changeMembers(deps, group, userIds, leaveGroups);
}

/** Tells of those for whom something is different now, and of nobody else. */
async function changeMembers(
  { inTurn }: Pick<Dependencies, 'inTurn'>,
  group: GroupKey,
  userIds: readonly number[],
  change: typeof joinGroups | typeof leaveGroups,
): Promise<void> {
  const { partnerId } = group;
  const wanted = [...new Set(userIds)];
  // Many accounts are held here: one such change of a tenant at a time, and none while users are deleted.
  await inTurn(partnerId, async ({ db, outbox }) => {
    const users = await lockUsers(db, partnerId, wanted);
    const locked = await lockGroup(db, partnerId, group.id);
    if (!locked) throw new AppError('E40404');
    concernsRecord(locked);
    if (users.length < wanted.length) throw new AppError('E40403');
    const changed = new Set(await change(db, partnerId, [group.id], wanted));
    await tellOfGroups(
      { db, outbox },
      partnerId,
      users.filter(({ id }) => changed.has(id)),
    );
  });
}

/** Tells of users who are in other groups now. They are held already. */
export async function tellOfGroups(
  { db, outbox }: Transaction<UserDb>,
  partnerId: number,
  users: readonly Account[],
): Promise<void> {
  const ids = users.map(({ id }) => id);
  await reviseAccounts(db, partnerId, ids);
  const groupIds = await groupIdsByAccount(db, partnerId, ids);
  tellUpdated(
    outbox,
    partnerId,
    users.map((user) => ({
      ...personOf({ ...user, revision: user.revision + 1 }, groupIds.get(user.id) ?? []),
      endsSessions: false,
    })),
  );
}
