import type { PageReply } from '@portal/contracts';
import { pageReply } from '@portal/database';
import { fieldError } from '@portal/kernel';
import { ofPartner } from '@portal/service-kit';
import type { Dependencies } from '../../dependencies.ts';
import { knowMember, type Player } from '../../rollouts/data/reached-repository.ts';
import { type Asker, haveStayed, inGroupsNow, inGroupsSince, readAsker } from '../data/asker.ts';
import {
  changedFor,
  changedForEveryone,
  changedInGroups,
  type DeliveredView,
  type MaybeChanged,
} from '../data/delivered-views.ts';
import type { SharedAnswer, SharedAnswers } from '../data/shared-answers.ts';
import { beginning, type Cursor, decodeCursor, encodeCursor, type Moment } from '../domain/cursor.ts';
import { viewsFor } from './views-for.ts';

export interface DeliveredPage extends PageReply {
  readonly files: readonly DeliveredView[];
  readonly removedIds: readonly number[];
  readonly cursor: string;
}

/**
 * What is delivered to a player at this moment or, with `since`, what has changed for them. Where there is more than a
 * page, whoever goes on with `since` set to the cursor of the first page gets the rest and misses nothing that happens
 * meanwhile; the other pages of the same question are there for those who only look.
 * @throws AppError `E40002` on `since` for a cursor that is not this player's
 */
export function listDelivered(
  deps: Pick<Dependencies, 'answers' | 'clock' | 'direct' | 'watch'>,
  player: Player,
  query: { page: number; perPage: number; since: string | undefined },
): DeliveredPage | Promise<DeliveredPage> {
  const now = deps.clock.now();
  const cursor = query.since === undefined ? undefined : decodeCursor(player, query.since);
  return unchanged(deps, player, query, cursor, now) ?? readChanges(deps, player, query, cursor, now);
}

/** The common case, from memory alone: nothing was written since, and nothing has come due. */
function unchanged(
  { watch }: Pick<Dependencies, 'watch'>,
  { partnerId }: Player,
  query: { page: number; perPage: number; since: string | undefined },
  cursor: Cursor | undefined,
  now: Date,
): DeliveredPage | undefined {
  if (query.since === undefined || cursor === undefined || cursor.rest !== undefined) return undefined;
  const quiet = watch.quietOf(partnerId);
  const { applications, change, time } = cursor.upTo;
  if (
    quiet?.change !== change ||
    quiet.applications !== applications ||
    time < quiet.from ||
    time > now.getTime() ||
    now.getTime() >= quiet.until
  ) {
    return undefined;
  }
  return { files: [], removedIds: [], cursor: query.since, ...pageReply(0, query) };
}

async function readChanges(
  { answers, direct, watch }: Pick<Dependencies, 'answers' | 'direct' | 'watch'>,
  player: Player,
  query: { page: number; perPage: number },
  cursor: Cursor | undefined,
  now: Date,
): Promise<DeliveredPage> {
  const { partnerId } = player;
  const { page, perPage } = query;
  const db = direct.statements(ofPartner(partnerId));
  const asker = await readAsker(db, player, watch);
  // From a change that is still to come: no cursor of this database.
  const isAhead = ({ applications, change }: Moment) =>
    change > asker.change || applications > asker.applications;
  const since = cursor?.rest?.from ?? cursor?.upTo ?? beginning;
  if (isAhead(since) || isAhead(cursor?.upTo ?? since)) {
    throw fieldError('E40002', 'since', 'invalidValue');
  }
  const asked = answers.sameAs(partnerId, since);
  const { at, quiet, value } = await readMaybeChanged(answers, asker, asked, now);
  const who = await knowMember(db, asker, value.plans.values(), since.change);
  const { changed, removed } = changedFor(value, who, since);
  const after = cursor?.rest?.after ?? 0;
  const remaining = changed.filter((id) => id > after);
  const ids = remaining.slice((page - 1) * perPage, page * perPage);
  // What was read of others belongs to this change or to a later one, which is asked for again.
  const reached: Moment = cursor?.rest
    ? cursor.upTo
    : {
        change: Math.min(asker.change, quiet.change),
        applications: Math.min(asker.applications, quiet.applications),
        time: at.getTime(),
      };
  const last = ids.at(-1);
  const isLast = last === undefined || last === remaining.at(-1);
  return {
    files: await viewsFor(answers, asker, { areGiven: true, ids, plans: value.plans, who }, now),
    // The rest of a longer answer repeats nothing; removals meanwhile are reported after it.
    removedIds: cursor?.rest ? [] : removed,
    cursor: encodeCursor(
      player,
      isLast ? { upTo: reached } : { upTo: reached, rest: { after: last, from: since } },
    ),
    ...pageReply(remaining.length, query),
  };
}

/** One answer for everyone of the tenant whose groups have stayed the same since then, where it is not too long; else by groups. */
async function readMaybeChanged(
  answers: SharedAnswers,
  asker: Asker,
  since: Moment,
  now: Date,
): Promise<SharedAnswer<MaybeChanged>> {
  const { partnerId } = asker;
  const key = `changes ${since.change} ${since.applications} ${since.time}`;
  if (since.change !== beginning.change && haveStayed(asker, since.change)) {
    const { value, ...answer } = await answers.of(asker, key, now, async (reads, moment) => ({
      forEveryone: await changedForEveryone(reads, { partnerId }, since, moment),
    }));
    if (value.forEveryone) return { ...answer, value: value.forEveryone };
  }
  const groups = since.change === beginning.change ? inGroupsNow(asker) : inGroupsSince(asker, since.change);
  return answers.of(asker, `${key} ${groups.groups}`, now, async (reads, moment) =>
    changedInGroups(reads, groups, since, moment),
  );
}
