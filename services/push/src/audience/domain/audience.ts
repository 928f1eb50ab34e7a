/** Whom a push goes to: everyone in the tenant, the people of one group, or the users named. */
export type Audience = 'all' | { readonly groupId: number } | { readonly userIds: readonly number[] };

/** Group 0: everyone in the tenant. */
export const everyone = 0;

/**
 * What is read, one after the other, of a notification that goes to all, to several groups or to users. Somebody who is in several groups
 * is in each of these: whoever reads them passes over devices that they have read already.
 */
export function audiencesOf(notification: {
  readonly target: string;
  readonly groupIds: readonly number[];
  readonly userIds: readonly number[];
}): readonly Audience[] {
  const { groupIds, target, userIds } = notification;
  if (target === 'users') return [{ userIds }];
  if (target !== 'groups' || groupIds.includes(everyone)) return ['all'];
  return groupIds.map((groupId) => ({ groupId }));
}
