import type { Clock, Logger, Tracer } from '@portal/kernel';
import { type ClientBase, Pool } from 'pg';
import type { Backoff } from './backoff.ts';
import { createDeadLetters, type DeadLetters } from './dead-letters.ts';
import type { EventEnvelope } from './event.ts';
import type { BusSubscription, EventBus } from './event-bus.ts';
import { InboxWorker, type RunInTransaction } from './inbox-worker.ts';
import { slicesOf } from './slices.ts';
import { pgExecutor, type SqlExecutor } from './sql-executor.ts';
import { type HandlerStats, readInboxStats } from './stats.ts';
import type { Subscription } from './subscription.ts';

export interface InboxOptions<Tx extends SqlExecutor> {
  /** The consumer group: each event reaches one instance of the service. */
  readonly service: string;
  /** The service's database; the inbox opens at most two connections besides those of `runInTransaction`. */
  readonly connectionString: string;
  /** Makes a connection ready that was opened just now. */
  readonly onConnect?: (client: ClientBase) => Promise<void>;
  readonly subscriptions: readonly Subscription<Tx>[];
  readonly runInTransaction: RunInTransaction<Tx>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** How often to look for events that other instances released; 5 s by default. */
  readonly pollMs?: number;
  /** Events worked on at once, each of another handler or key; 4 by default. */
  readonly concurrency?: number;
  /** Tries before an event is dead; 10 by default. */
  readonly maxAttempts?: number;
  /** Between tries; 1 s to 10 min by default. */
  readonly retry?: Backoff;
  readonly tracer?: Tracer | undefined;
}

export interface Inbox {
  /** Subscribes to the bus and begins to work. */
  start(bus: EventBus): Promise<void>;
  /** Stops receiving from the bus, finishes the claimed events, and closes its connections. */
  stop(): Promise<void>;
  readonly deadLetters: DeadLetters;
  /** Forgets events handled more than 7 days ago: a repeat older than that would take effect again. @returns how many */
  purge(): Promise<number>;
  /** For each handler of this service, and removed handlers that still have events. */
  stats(): Promise<Readonly<Record<string, HandlerStats>>>;
}

const keptMs = 7 * 24 * 60 * 60 * 1_000;
const purgeBatch = 10_000;
/** Events that are handled as they come, in one transaction. */
const mostAtOnce = 1_000;
/**
 * Characters of events, each once for each handler, that are stored by one statement. PostgreSQL takes no JSON array of more than
 * 256 MiB in its own form, which is several times as long as the text.
 */
const statementSize = { most: 4_000_000, sizeOf: ({ text }: ReceivedText) => text.length };

interface Received {
  readonly handler: string;
  readonly envelope: EventEnvelope;
}

interface ReceivedText {
  readonly handler: string;
  readonly text: string;
}

/** @throws Error when a handler is subscribed twice to one type */
export function createInbox<Tx extends SqlExecutor>(options: InboxOptions<Tx>): Inbox {
  const { clock, connectionString, logger, onConnect, service, subscriptions } = options;
  const handlersOf = handlersByType(subscriptions);
  const handlers = [...new Set(subscriptions.map(({ handler }) => handler))];
  const knowsRepeats = (handler: string, type: string) =>
    subscriptions.some((one) => one.handler === handler && one.event.type === type && one.knowsRepeats);
  const pool = new Pool({
    connectionString,
    max: 2,
    application_name: `${service} inbox`,
    keepAlive: true,
    // eslint-disable-next-line @typescript-eslint/no-misused-promises -- the pool waits for it, which its types do not say
    onConnect,
  });
  pool.on('error', (error) => logger.warn({ err: error }, 'Inbox lost a connection'));
  // Its queries are rejected with the error; a connection without a listener that breaks would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const database = pgExecutor(pool);
  const worker = new InboxWorker({
    pollMs: 5_000,
    concurrency: 4,
    maxAttempts: 10,
    retry: { firstMs: 1_000, longestMs: 600_000 },
    tracer: undefined,
    ...options,
    database,
  });
  let busSubscription: BusSubscription | undefined;

  /** Takes the events that this service handles. */
  async function receive(envelopes: readonly EventEnvelope[]): Promise<void> {
    const received = envelopes.flatMap((envelope) =>
      (handlersOf.get(envelope.type) ?? []).map((handler) => ({ handler, envelope })),
    );
    const ofHandlers = [...Map.groupBy(received, (one) => one.handler)];
    const rows = await Promise.all(
      ofHandlers.map(async ([handler, events]) =>
        events.every(({ envelope }) => knowsRepeats(handler, envelope.type))
          ? notHandled(handler, events)
          : events,
      ),
    );
    if (rows.some((some) => some.length > 0)) await store(rows.flat());
  }

  /** Handles events of one handler as they come. @returns those that are to be stored */
  async function notHandled(handler: string, received: readonly Received[]): Promise<readonly Received[]> {
    for (let from = 0; from < received.length; from += mostAtOnce) {
      const events = received.slice(from, from + mostAtOnce).map(({ envelope }) => envelope);
      if (!(await worker.handleAtOnce(handler, events))) return received.slice(from);
    }
    return [];
  }

  /** It skips known ones: what a failure leaves half stored comes again. */
  async function store(rows: readonly Received[]): Promise<void> {
    for (const slice of slicesOf(textsOf(rows), statementSize)) {
      await database.$executeRawUnsafe(
        `INSERT INTO messaging.inbox (handler, event_id, key, envelope, available_at)
         SELECT handler, (envelope ->> 'id')::uuid, envelope ->> 'subject', envelope, $2::timestamptz
         FROM ROWS FROM (jsonb_to_recordset($1::jsonb) AS (handler text, envelope jsonb))
           WITH ORDINALITY AS received (handler, envelope, position)
         ORDER BY position
         ON CONFLICT DO NOTHING`,
        `[${slice.map(({ text }) => text).join()}]`,
        clock.now().toISOString(),
      );
      worker.received(slice.map(({ handler }) => handler));
    }
  }

  return {
    async start(bus) {
      if (subscriptions.length === 0) return;
      const topics = [...new Set(subscriptions.map(({ event }) => event.topic))];
      worker.start();
      busSubscription = await bus.subscribe({ group: service, topics, onBatch: receive });
    },

    async stop() {
      await busSubscription?.close();
      await worker.stop();
      await pool.end();
    },

    deadLetters: createDeadLetters(database, clock, () => worker.wake()),

    async purge() {
      const before = new Date(clock.now().getTime() - keptMs).toISOString();
      let purged = 0;
      for (let deleted = purgeBatch; deleted === purgeBatch; purged += deleted) {
        deleted = await database.$executeRawUnsafe(
          `DELETE FROM messaging.inbox WHERE (handler, event_id) IN (
             SELECT handler, event_id FROM messaging.inbox
             WHERE status = 'done' AND settled_at < $1::timestamptz LIMIT ${purgeBatch})`,
          before,
        );
      }
      return purged;
    },

    stats: () => readInboxStats(database, clock, handlers),
  };
}

/** One at a time: those of a whole batch may be more than a process can hold. */
function* textsOf(rows: readonly Received[]): Generator<ReceivedText> {
  for (const row of rows) yield { handler: row.handler, text: JSON.stringify(row) };
}

function handlersByType(
  subscriptions: readonly Subscription<never>[],
): ReadonlyMap<string, readonly string[]> {
  const handlersOf = new Map<string, string[]>();
  for (const { event, handler } of subscriptions) {
    const handlers = handlersOf.get(event.type) ?? [];
    if (handlers.includes(handler)) throw new Error(`${handler} is subscribed to ${event.type} twice`);
    handlersOf.set(event.type, [...handlers, handler]);
  }
  return handlersOf;
}
