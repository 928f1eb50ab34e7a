import { slices } from '@portal/kernel';
import type { SqlExecutor } from '@portal/messaging';
import type { Transaction } from '../store.ts';
import { type EventHandler, onMany } from '../subscriptions.ts';
import type { Gone, Stated, StateEvents, Told } from './state-events.ts';

/** A service's own copy of another's things: what it keeps of them is up to `keep` and `forget`. */
export interface Copy<Db, S, P extends number | null> {
  readonly subscriptions: readonly EventHandler<Db>[];
  /** Keeps what an answer told, as if an event had: what is known already and newer stays. */
  take(tx: Transaction<Db>, told: readonly Told<S, P>[]): Promise<void>;
}

interface Effects<Db, S, P extends number | null> {
  /** Each thing once, in the newest state. */
  keep(tx: Transaction<Db>, states: readonly Stated<S, P>[]): Promise<void>;
  /** Each thing once, and then never again. */
  forget(tx: Transaction<Db>, gone: readonly Gone<P>[]): Promise<void>;
}

/** The revision of an answer of a service that knows none yet: whatever an event told is newer. */
export const olderThanAll = -1;

/** Of how many things one statement decides. */
const mostAtOnce = 5_000;

/**
 * Declares a copy, called `name`, of the things that `events` tell of. Whatever comes, and in whatever order, a state never
 * takes the place of a newer one, and nothing comes back that was deleted. Many at once have one effect.
 */
export function copyOf<Db extends SqlExecutor, S, P extends number | null>(
  name: string,
  events: StateEvents<S, P>,
  effects: Effects<Db, S, P>,
): Copy<Db, S, P> {
  async function take(tx: Transaction<Db>, told: readonly Told<S, P>[]): Promise<void> {
    for (const some of slices(newestOf(told), mostAtOnce)) {
      const { gone, stated } = await admit(tx.db, name, some);
      if (stated.length > 0) await effects.keep(tx, stated);
      if (gone.length > 0) await effects.forget(tx, gone);
    }
  }

  return {
    take,
    subscriptions: events.map(({ event, isSmall, read }) =>
      onMany<Db, unknown>(event, name, async (tx, envelopes) => take(tx, envelopes.flatMap(read)), {
        // By the revisions. What is large waits in the inbox, so that nothing stands behind it.
        knowsRepeats: isSmall,
      }),
    ),
  };
}

/** Of each thing the newest, in the order of their ids, which is the order of the locks. */
function newestOf<S, P extends number | null>(told: readonly Told<S, P>[]): Told<S, P>[] {
  const newest = new Map<number, Told<S, P>>();
  for (const one of told) {
    const known = newest.get(one.id);
    if (!known || (known.state !== null && !isOlder(one, known))) newest.set(one.id, one);
  }
  return [...newest.values()].sort((a, b) => a.id - b.id);
}

function isOlder<S, P extends number | null>(one: Told<S, P>, known: Told<S, P>): boolean {
  return one.state !== null && one.revision !== 0 && one.revision < known.revision;
}

/**
 * Notes how far the copy has come with these things, and answers those that are news. The same state again is: what a service
 * keeps may have grown. What has no revision, 0, is from before there were any, and comes in order.
 */
async function admit<S, P extends number | null>(
  db: SqlExecutor,
  name: string,
  things: readonly Told<S, P>[],
): Promise<{ stated: Stated<S, P>[]; gone: Gone<P>[] }> {
  const rows = things.map(({ at, id, partnerId, revision, state }) => ({
    id,
    partnerId,
    revision,
    deletedAt: state === null ? at : null,
  }));
  const admitted = await db.$queryRawUnsafe<{ id: number; isFirst: boolean }[]>(
    `INSERT INTO messaging.copy AS known (name, id, partner_id, revision, deleted_at)
     SELECT $1, id, "partnerId", revision, "deletedAt"
     FROM jsonb_to_recordset($2::jsonb) AS told (
       id integer, "partnerId" integer, revision integer, "deletedAt" timestamptz)
     ORDER BY id
     ON CONFLICT (name, id) DO UPDATE
     SET revision = greatest(known.revision, excluded.revision), deleted_at = excluded.deleted_at
     WHERE known.deleted_at IS NULL
       AND (excluded.deleted_at IS NOT NULL OR excluded.revision = 0 OR known.revision <= excluded.revision)
     RETURNING id, xmax = 0 AS "isFirst"`,
    name,
    JSON.stringify(rows),
  );
  const isFirst = new Map(admitted.map((row) => [row.id, row.isFirst]));
  const stated: Stated<S, P>[] = [];
  const gone: Gone<P>[] = [];
  for (const { state, ...thing } of things) {
    const first = isFirst.get(thing.id);
    if (first === undefined) continue;
    if (state === null) gone.push(thing);
    else stated.push({ ...thing, state, isFirst: first });
  }
  return { stated, gone };
}

/** As long as an event may come again, and some more. */
const daysKept = 30;
const mostPurged = 10_000;

/** Forgets that things were deleted long ago. Partners are remembered: they are few. */
export async function purgeCopies(sql: SqlExecutor, now: Date): Promise<void> {
  let purged: number;
  do {
    purged = await sql.$executeRawUnsafe(
      `DELETE FROM messaging.copy WHERE (name, id) IN (
         SELECT name, id FROM messaging.copy
         WHERE deleted_at < $1::timestamptz - interval '${daysKept} days' AND partner_id IS DISTINCT FROM id
         LIMIT ${mostPurged})`,
      now.toISOString(),
    );
  } while (purged === mostPurged);
}
