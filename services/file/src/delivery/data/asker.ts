import { keptPlan, type RawQueries } from '@portal/database';
import { operator } from '@portal/storage';
import type { Membership, Player } from '../../rollouts/data/reached-repository.ts';
import type { ChangeWatch } from './change-watch.ts';

/** A player that asks, as the database has it at this moment: what is remembered for others holds if it is of the same moment. */
export interface Asker extends Player {
  /** The number of the tenant's last change. */
  readonly change: number;
  /** That of the last change of applications. */
  readonly applications: number;
  readonly memberships: readonly Membership[];
  /** When it was asked, for `ChangeWatch.keep`. */
  readonly epoch: number;
}

/** One short statement: all else is mostly known from who asked before. */
export async function readAsker(
  db: RawQueries,
  player: Player,
  watch: Pick<ChangeWatch, 'epochOf'>,
): Promise<Asker> {
  const { partnerId, userId } = player;
  const epoch = watch.epochOf(partnerId);
  const [row] = await db.$queryRaw<
    { change: string | null; applications: string | null; memberships: Membership[] }[]
  >`
    SELECT ${keptPlan} (SELECT change_counter FROM partners WHERE partner_id = ${partnerId}) AS change,
      (SELECT change_counter FROM partners WHERE partner_id = ${operator}) AS applications,
      (SELECT coalesce(jsonb_agg(jsonb_build_object('groupId', group_id, 'addedIn', added_in, 'removedIn', removed_in)), '[]')
        FROM memberships WHERE partner_id = ${partnerId} AND user_id = ${userId}) AS memberships`;
  return {
    ...player,
    epoch,
    change: Number(row?.change ?? 0),
    applications: Number(row?.applications ?? 0),
    memberships: row?.memberships ?? [],
  };
}

/** Those whom nothing tells apart in what has become different for them since a change, or in what they have now. */
export interface InGroups {
  readonly partnerId: number;
  /** As JSON, the same text for the same groups: `mine` reads it. */
  readonly groups: string;
}

/** The groups that somebody is in. */
export const inGroupsNow = ({ memberships, partnerId }: Asker): InGroups => ({
  partnerId,
  groups: textOf(
    memberships.flatMap(({ groupId, removedIn }) =>
      removedIn === null ? [{ groupId, addedIn: 0, removedIn }] : [],
    ),
  ),
});

/** Whether somebody is in the same groups as after `change`. */
export const haveStayed = ({ memberships }: Asker, change: number): boolean =>
  memberships.every(
    ({ addedIn, removedIn }) => addedIn <= change && (removedIn === null || removedIn <= change),
  );

/** The groups that somebody is in, or was in after `change`. At which change after it they came or went makes no difference. */
export const inGroupsSince = ({ memberships, partnerId }: Asker, change: number): InGroups => ({
  partnerId,
  groups: textOf(
    memberships
      .filter(({ removedIn }) => removedIn === null || removedIn > change)
      .map(({ addedIn, groupId, removedIn }) => ({
        groupId,
        addedIn: addedIn > change ? change + 1 : 0,
        removedIn: removedIn === null ? null : change + 1,
      })),
  ),
});

const textOf = (memberships: readonly Membership[]): string =>
  JSON.stringify(
    memberships
      .map(({ addedIn, groupId, removedIn }) => [groupId, addedIn, removedIn] as const)
      .sort(([a, since], [b, other]) => a - b || since - other),
  );
