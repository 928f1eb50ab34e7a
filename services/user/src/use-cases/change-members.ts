import { userEvents } from '@portal/contracts';
import { AppError } from '@portal/kernel';
import { ofPartner } from '@portal/service-kit';
import { lockUsers } from '../data/account-repository.ts';
import { lockGroup } from '../data/group-repository.ts';
import { addToGroup, groupIdsByAccount, removeFromGroup } from '../data/membership-repository.ts';
import { lockPartner } from '../data/partner-repository.ts';
import type { Dependencies } from '../dependencies.ts';
import { personOf } from '../domain/person.ts';

interface GroupKey {
  readonly partnerId: number;
  readonly id: number;
}

/**
 * Puts users into a group, all or none. Throws `E40404` for a group and `E40403` for a user that the partner does not
 * have.
 */
export async function addMembers(
  dependencies: Pick<Dependencies, 'store'>,
  group: GroupKey,
  userIds: readonly number[],
): Promise<void> {
  await changeMembers(dependencies, group, userIds, addToGroup);
}

/** Takes users out of a group, all or none. Throws as `addMembers`. */
export async function removeMembers(
  dependencies: Pick<Dependencies, 'store'>,
  group: GroupKey,
  userIds: readonly number[],
): Promise<void> {
  await changeMembers(dependencies, group, userIds, removeFromGroup);
}

/** Tells of those for whom something is different now, and of nobody else. */
async function changeMembers(
  { store }: Pick<Dependencies, 'store'>,
  group: GroupKey,
  userIds: readonly number[],
  change: typeof addToGroup | typeof removeFromGroup,
): Promise<void> {
  const { partnerId } = group;
  const wanted = [...new Set(userIds)];
  await store.write(ofPartner(partnerId), async ({ db, outbox }) => {
    // Many accounts are held here: one such change of a tenant at a time, and none while users are deleted.
    await lockPartner(db, partnerId);
    const users = await lockUsers(db, partnerId, wanted);
    if (!(await lockGroup(db, partnerId, group.id))) throw new AppError('E40404');
    if (users.length < wanted.length) throw new AppError('E40403');
    const changed = new Set(await change(db, group, wanted));
    const groupIds = await groupIdsByAccount(db, partnerId, [...changed]);
    for (const user of users.filter(({ id }) => changed.has(id))) {
      outbox.append(userEvents.userUpdated, {
        subject: user.id,
        partnerId,
        data: { ...personOf(user, groupIds.get(user.id) ?? []), endsSessions: false },
      });
    }
  });
}
