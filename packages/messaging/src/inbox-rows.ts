import type { EventEnvelope } from './event.ts';
import type { SqlExecutor } from './sql-executor.ts';

/** An event that a handler has to handle. */
export interface Task {
  /** A bigint, as text. */
  readonly seq: string;
  readonly handler: string;
  readonly envelope: EventEnvelope;
  /** Failures so far. */
  readonly attempts: number;
}

/** Events of a handler that are looked up at once, and of a key: a search after each would cost more than the effect. */
export const maxEvents = 128;
const maxEventsOfKey = 32;
const maxErrorLength = 4_000;
const longestLockMs = 200;
const longestStatementMs = 5_000;

/**
 * Begins a transaction that handles events as they come. All that comes to the service next stands behind it, so a lock that another
 * holds, or a statement that takes long, ends it soon.
 * @returns whether no events of the handler are stored that are not handled yet
 */
export async function beginAtOnce(tx: SqlExecutor, handler: string): Promise<boolean> {
  const [row] = await tx.$queryRawUnsafe<{ isFirst: boolean }[]>(
    `SELECT NOT EXISTS (SELECT FROM messaging.inbox WHERE handler = $1::text AND status = 'live') AS "isFirst",
       set_config('lock_timeout', '${longestLockMs}', true), set_config('statement_timeout', '${longestStatementMs}', true)`,
    handler,
  );
  return row?.isFirst ?? false;
}

/** Due events of `handlers` but those in hand, the events of each key in order from the one that no other stands before. */
export async function findDue(
  database: SqlExecutor,
  due: { readonly now: Date; readonly handlers: readonly string[]; readonly inHand: readonly Task[] },
): Promise<readonly Task[]> {
  return database.$queryRawUnsafe<Task[]>(
    `SELECT seq::text, handler, envelope, attempts
     FROM messaging.due_events($1::timestamptz, $2::text[], $3::bigint[], ${maxEvents}, ${maxEventsOfKey})
     ORDER BY place, due_events.seq`,
    due.now.toISOString(),
    due.handlers,
    due.inHand.map(({ seq }) => seq),
  );
}

/**
 * Claims and marks in one: the rows stay locked until the effect commits with them, or all is undone. What another instance
 * has in hand is left to it, and so is what comes after that.
 * @returns the ids of the events that are this transaction's now
 */
export async function claim(
  tx: SqlExecutor,
  handler: string,
  tasks: readonly Task[],
  now: Date,
): Promise<ReadonlySet<string>> {
  // Neither done nor dead, and not live: the indexes of the live ones would be gone through for each.
  const claimed = await tx.$queryRawUnsafe<{ eventId: string }[]>(
    `WITH free AS MATERIALIZED (
       SELECT handler, event_id, key, seq FROM messaging.inbox
       WHERE handler = $1::text AND event_id = ANY($2::uuid[]) AND status NOT IN ('done', 'dead')
       ORDER BY seq FOR UPDATE SKIP LOCKED)
     UPDATE messaging.inbox SET status = 'done', settled_at = $3::timestamptz
     FROM free
     WHERE inbox.handler = free.handler AND inbox.event_id = free.event_id
       AND messaging.stands_first(free.handler, free.key, free.seq, (SELECT array_agg(event_id) FROM free))
     RETURNING inbox.event_id AS "eventId"`,
    handler,
    tasks.map(({ envelope }) => envelope.id),
    now.toISOString(),
  );
  return new Set(claimed.map(({ eventId }) => eventId));
}

/** Counts a failure; the event is due again at `availableAt`, or a dead letter after `maxAttempts`. */
export async function recordFailure(
  database: SqlExecutor,
  { envelope, handler }: Task,
  failure: {
    readonly error: unknown;
    readonly availableAt: Date;
    readonly maxAttempts: number;
    readonly now: Date;
  },
): Promise<{ readonly attempts: number; readonly status: string } | undefined> {
  const [recorded] = await database.$queryRawUnsafe<{ attempts: number; status: string }[]>(
    `UPDATE messaging.inbox
     SET attempts = attempts + 1, error = $3::text, available_at = $4::timestamptz,
       status = CASE WHEN attempts + 1 < $5::integer THEN 'live' ELSE 'dead' END,
       settled_at = CASE WHEN attempts + 1 < $5::integer THEN NULL ELSE $6::timestamptz END
     WHERE handler = $1::text AND event_id = $2::uuid AND status NOT IN ('done', 'dead')
     RETURNING attempts, status`,
    handler,
    envelope.id,
    describe(failure.error),
    failure.availableAt.toISOString(),
    failure.maxAttempts,
    failure.now.toISOString(),
  );
  return recorded;
}

function describe(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return text.replaceAll('\0', '').slice(0, maxErrorLength);
}
