/** Whom a push goes to: everyone in the tenant, the people of one group, or the users named. */
export type Audience = 'all' | { readonly groupId: number } | { readonly userIds: readonly number[] };

/** Those of several groups among others, each person once. */
export type AudienceToRead = Audience | { readonly groupIds: readonly number[] };

/** Group 0: everyone in the tenant. */
export const everyone = 0;

/** Who is to be read for a notification. */
export function audienceOf({
  groupIds,
  target,
  userIds,
}: {
  readonly target: string;
  readonly groupIds: readonly number[];
  readonly userIds: readonly number[];
}): AudienceToRead {
  if (target === 'users') return { userIds };
  if (target !== 'groups' || groupIds.includes(everyone)) return 'all';
  const [groupId] = groupIds;
  return groupIds.length === 1 && groupId !== undefined ? { groupId } : { groupIds };
}
