import {
  type Clock,
  errorTypeOf,
  inSpan,
  type Logger,
  runInContext,
  type Span,
  type Tracer,
} from '@portal/kernel';
import { type Backoff, backoffDelay } from './backoff.ts';
import type { EventEnvelope } from './event.ts';
import { Signal } from './signal.ts';
import type { SqlExecutor } from './sql-executor.ts';
import type { Subscription } from './subscription.ts';

/** Runs `work`, the effect of events of this type, in one transaction of the service, and commits when it resolves. */
export type RunInTransaction<Tx extends SqlExecutor> = <T>(
  work: (tx: Tx) => Promise<T>,
  eventType: string,
) => Promise<T>;

export interface InboxWorkerOptions<Tx extends SqlExecutor> {
  readonly database: SqlExecutor;
  readonly subscriptions: readonly Subscription<Tx>[];
  readonly runInTransaction: RunInTransaction<Tx>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly pollMs: number;
  readonly concurrency: number;
  readonly maxAttempts: number;
  readonly retry: Backoff;
  readonly tracer: Tracer | undefined;
}

interface Task {
  /** A bigint, as text. */
  readonly seq: string;
  readonly handler: string;
  readonly envelope: EventEnvelope;
  /** Failures so far. */
  readonly attempts: number;
}

type Outcome =
  /** The effect is committed: what waited behind is due now. */
  | 'done'
  /** The failure is recorded; what waits behind is due when it is given up. */
  | 'failed'
  /** Another instance has the event, or the failure could not be recorded: looking again at once would find the same. */
  | 'left';

/** Handlers and keys looked up at once. */
const batchSize = 32;
/** Events of them in memory at once, and of one: a search after each would go through all of a long backlog. */
const maxEvents = 128;
const maxEventsOfKey = 32;
const maxErrorLength = 4_000;
/** How long events that are handled together are waited for, once one has come. */
const gatherMs = 200;

/** Takes due events out of the inbox and runs their handlers, several keys at a time and each key in order. */
export class InboxWorker<Tx extends SqlExecutor> {
  readonly #options: InboxWorkerOptions<Tx>;
  readonly #handlers: readonly string[];
  /** Handlers whose events are handled together. */
  readonly #together: ReadonlySet<string>;
  readonly #wake = new Signal();
  readonly #slotFreed = new Signal();
  readonly #inHand = new Map<readonly Task[], Promise<void>>();
  #gathering: NodeJS.Timeout | undefined;
  #stopping = false;
  #running: Promise<void> | undefined;

  constructor(options: InboxWorkerOptions<Tx>) {
    this.#options = options;
    const { subscriptions } = options;
    this.#handlers = [...new Set(subscriptions.map(({ handler }) => handler))];
    this.#together = new Set(subscriptions.filter(({ together }) => together).map(({ handler }) => handler));
  }

  start(): void {
    this.#running ??= this.#run();
  }

  wake(): void {
    this.#wake.set();
  }

  /** Events of these handlers have come. */
  received(handlers: readonly string[]): void {
    if (!handlers.every((handler) => this.#together.has(handler))) return this.wake();
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined;
      this.wake();
    }, gatherMs);
  }

  /** Finishes the events in hand. */
  async stop(): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#gathering);
    this.#wake.set();
    await this.#running;
    await Promise.all(this.#inHand.values());
  }

  async #run(): Promise<void> {
    while (!this.#stopping) {
      const chains = await this.#findDue();
      for (const chain of chains) {
        while (this.#inHand.size >= this.#options.concurrency)
          await this.#slotFreed.wait(this.#options.pollMs);
        if (this.#stopping) return;
        this.#begin(chain);
      }
      if (chains.length < batchSize) await this.#wake.wait(this.#options.pollMs);
    }
  }

  #begin(chain: readonly Task[]): void {
    const work = this.#processAll(chain).then((outcome) => {
      this.#inHand.delete(chain);
      this.#slotFreed.set();
      // What came meanwhile for a handler that takes many together is gathered again.
      const tookAll = this.#isTogether(chain) && chain.length < batchSize;
      if (outcome !== 'left' && !tookAll) this.#wake.set();
    });
    this.#inHand.set(chain, work);
  }

  #isTogether([first]: readonly Task[]): boolean {
    return first !== undefined && this.#together.has(first.handler);
  }

  /** Together where that is wanted; should it fail, key by key, so that no event is held up by another's fault. */
  async #processAll(tasks: readonly Task[]): Promise<Outcome> {
    if (!this.#isTogether(tasks) || tasks.length === 1) return this.#processInOrder(tasks);
    const spans = this.#spansOf(tasks);
    try {
      const outcome = await this.#handle(tasks);
      for (const span of spans) span.end();
      return outcome;
    } catch (error) {
      for (const span of spans) span.end(errorTypeOf(error));
      this.#options.logger.debug({ err: error, events: tasks.length }, 'Events are tried one by one');
    }
    const outcomes = await Promise.all(byKey(tasks).map((chain) => this.#processInOrder(chain)));
    return outcomes.includes('left') ? 'left' : 'done';
  }

  /** One for each event whose cause is known, in the trace of that. */
  #spansOf(tasks: readonly Task[]): readonly Span[] {
    const { tracer } = this.#options;
    if (!tracer) return [];
    return tasks.flatMap(({ envelope, handler }) => {
      const { traceparent: parent } = envelope;
      if (parent === undefined) return [];
      return [
        tracer.start(`process ${handler}`, { kind: 'consumer', parent, attributes: attributesOf(envelope) }),
      ];
    });
  }

  /** Goes on for as long as each takes effect. @returns what became of the last that was tried */
  async #processInOrder(chain: readonly Task[]): Promise<Outcome> {
    let outcome: Outcome = 'left';
    for (const task of chain) {
      if (this.#stopping) break;
      outcome = await this.#process(task);
      if (outcome !== 'done') break;
    }
    return outcome;
  }

  /**
   * Due events, each list those of one handler and key in order, from the one that no other stands before, or of one
   * handler that takes them together.
   */
  async #findDue(): Promise<readonly (readonly Task[])[]> {
    const { database, clock, logger } = this.#options;
    try {
      const tasks = await database.$queryRawUnsafe<Task[]>(
        `SELECT seq::text, handler, envelope, attempts
         FROM messaging.due_events($1::timestamptz, $2::text[], $3::bigint[], ${batchSize}, ${maxEventsOfKey})
         ORDER BY place, due_events.seq LIMIT ${maxEvents}`,
        clock.now().toISOString(),
        this.#handlers,
        [...this.#inHand.keys()].flatMap((chain) => chain.map(({ seq }) => seq)),
      );
      const { apart = [], together = [] } = Object.groupBy(tasks, (task) =>
        this.#isTogether([task]) ? 'together' : 'apart',
      );
      return [...byKey(apart), ...Map.groupBy(together, ({ handler }) => handler).values()];
    } catch (error) {
      logger.warn({ err: error }, 'Inbox cannot be read');
      return [];
    }
  }

  /** In the trace of what caused the event. */
  #process(task: Task): Promise<Outcome> {
    const { id, traceparent } = task.envelope;
    const attributes = attributesOf(task.envelope);
    return runInContext({ requestId: id, traceparent, tracer: this.#options.tracer }, async () => {
      try {
        return await inSpan(`process ${task.handler}`, { kind: 'consumer', attributes }, async () =>
          this.#handle([task]),
        );
      } catch (error) {
        return this.#recordFailure(task, error);
      }
    });
  }

  /** Those of one handler, in one transaction. */
  async #handle(tasks: readonly Task[]): Promise<Outcome> {
    const { clock, runInTransaction, subscriptions } = this.#options;
    const [first] = tasks;
    if (!first) return 'left';
    const { handler } = first;
    const { type } = first.envelope;
    return runInTransaction(async (tx) => {
      // Claim and mark in one: the rows stay locked until the effect commits with them, or all is undone. What another
      // instance has in hand is left to it; of many it is waited for, since what comes after it may be among them. Neither
      // done nor dead, and not live: the indexes of the live ones would be gone through for each.
      const claimed = await tx.$queryRawUnsafe<{ eventId: string }[]>(
        `UPDATE messaging.inbox SET status = 'done', settled_at = $3::timestamptz
           WHERE (handler, event_id) IN (
             SELECT handler, event_id FROM messaging.inbox task
             WHERE handler = $1::text AND event_id = ANY($2::uuid[]) AND status NOT IN ('done', 'dead')
               AND messaging.stands_first(handler, key, seq, $2::uuid[])
             ORDER BY seq FOR UPDATE ${tasks.length === 1 ? 'SKIP LOCKED' : ''})
         RETURNING event_id AS "eventId"`,
        handler,
        tasks.map(({ envelope }) => envelope.id),
        clock.now().toISOString(),
      );
      const ids = new Set(claimed.map(({ eventId }) => eventId));
      const events = tasks.flatMap(({ envelope }) => (ids.has(envelope.id) ? [envelope] : []));
      if (events.length === 0) return 'left';
      const wanted = subscriptions.find(
        (subscription) => subscription.handler === handler && subscription.event.type === type,
      );
      if (!wanted) throw new Error(`${handler} does not handle ${type}`);
      await wanted.handle(tx, events);
      return 'done';
    }, type);
  }

  /** Outside the transaction, which is undone. */
  async #recordFailure(task: Task, error: unknown): Promise<Outcome> {
    const { clock, database, logger, maxAttempts, retry } = this.#options;
    const { handler, envelope } = task;
    const about = { err: error, handler, eventId: envelope.id, type: envelope.type };
    const now = clock.now();
    const availableAt = new Date(now.getTime() + backoffDelay(retry, task.attempts + 1));
    try {
      const [recorded] = await database.$queryRawUnsafe<{ attempts: number; status: string }[]>(
        `UPDATE messaging.inbox
         SET attempts = attempts + 1, error = $3::text, available_at = $4::timestamptz,
           status = CASE WHEN attempts + 1 < $5::integer THEN 'live' ELSE 'dead' END,
           settled_at = CASE WHEN attempts + 1 < $5::integer THEN NULL ELSE $6::timestamptz END
         WHERE handler = $1::text AND event_id = $2::uuid AND status NOT IN ('done', 'dead')
         RETURNING attempts, status`,
        handler,
        envelope.id,
        describe(error),
        availableAt.toISOString(),
        maxAttempts,
        now.toISOString(),
      );
      if (recorded?.status === 'dead') logger.error({ ...about, ...recorded }, 'Event is a dead letter');
      else logger.warn({ ...about, ...recorded }, 'Event failed and comes again');
      return 'failed';
    } catch (failure) {
      const err = new AggregateError([error, failure]);
      logger.warn({ ...about, err }, 'Event failed, and so did the record of it');
      return 'left';
    }
  }
}

function attributesOf({ id, type }: EventEnvelope) {
  return { 'messaging.message.id': id, 'messaging.message.type': type };
}

/** Each list those of one handler and key, in order. */
function byKey(tasks: readonly Task[]): readonly (readonly Task[])[] {
  return [...Map.groupBy(tasks, ({ envelope, handler }) => `${handler} ${envelope.subject}`).values()];
}

function describe(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return text.replaceAll('\0', '').slice(0, maxErrorLength);
}
