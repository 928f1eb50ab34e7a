import { copyOf, type GroupState, groupStates, retoldUserStates, type UserState } from '@portal/service-kit';
import type { PushDb } from '../../data/db.ts';
import { deleteGroups, deletePeople, keepGroups, keepPeople } from '../data/people-repository.ts';

/** The name of the copy of people: what is told of a device of somebody who was deleted is dropped. */
export const peopleCopy = 'keep-people';

/** The people of tenants, and the groups that they are in. */
export const people = copyOf<PushDb, UserState, number>(peopleCopy, retoldUserStates, {
  keep: async ({ db }, known) =>
    keepPeople(
      db,
      known.map(({ id: userId, partnerId, state: { active, email, groupIds, isUser, loginUserId } }) => ({
        userId,
        partnerId,
        loginId: email ?? loginUserId ?? '',
        // Nobody is reached who is inactive.
        isUser: isUser && active !== false,
        groupIds,
      })),
    ),
  forget: async ({ db }, gone) =>
    deletePeople(
      db,
      gone.map(({ id: userId, partnerId }) => ({ userId, partnerId })),
    ),
});

export const groups = copyOf<PushDb, GroupState, number>('keep-groups', groupStates, {
  keep: async ({ db }, known) =>
    keepGroups(
      db,
      known.map(({ id: groupId, partnerId, state: { name } }) => ({ groupId, partnerId, name })),
    ),
  forget: async ({ db }, gone) =>
    deleteGroups(
      db,
      gone.map(({ id: groupId, partnerId }) => ({ groupId, partnerId })),
    ),
});
