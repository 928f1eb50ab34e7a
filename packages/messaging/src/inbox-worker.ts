import { type Clock, errorTypeOf, inSpan, type Logger, runInContext, type Tracer } from '@portal/kernel';
import { type Backoff, backoffDelay } from './backoff.ts';
import type { EventEnvelope } from './event.ts';
import { Signal } from './signal.ts';
import type { SqlExecutor } from './sql-executor.ts';
import type { Subscription } from './subscription.ts';

/** Runs `work`, the effect of events of these types, in one transaction of the service, and commits when it resolves. */
export type RunInTransaction<Tx extends SqlExecutor> = <T>(
  work: (tx: Tx) => Promise<T>,
  eventTypes: readonly string[],
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

/** Events of a handler that are looked up at once, and of a key: a search after each would cost more than the effect. */
const maxEvents = 128;
const maxEventsOfKey = 32;
const maxErrorLength = 4_000;
/** How long events that nobody waits for are gathered, once one has come. */
const lingerMs = 200;
/** Timers do not run by the clock that says when an event is due: one that is early would find nothing. */
const clockSlackMs = 5;

/**
 * Takes due events out of the inbox and runs their handlers, several at a time: what is due of one handler in one
 * transaction, for a commit costs more than most effects, and each key in order. A handler has one such transaction at a
 * time, so that a backlog of its own leaves room for the others.
 */
export class InboxWorker<Tx extends SqlExecutor> {
  readonly #options: InboxWorkerOptions<Tx>;
  readonly #handlers: readonly string[];
  /** Handlers whose effect nobody waits for. */
  readonly #lingering: ReadonlySet<string>;
  readonly #wake = new Signal();
  readonly #slotFreed = new Signal();
  readonly #inHand = new Map<readonly Task[], Promise<void>>();
  /** Handlers that were not looked at since they had something in hand. */
  readonly #passedOver = new Set<string>();
  #gathering: NodeJS.Timeout | undefined;
  #stopping = false;
  #running: Promise<void> | undefined;

  constructor(options: InboxWorkerOptions<Tx>) {
    this.#options = options;
    const { subscriptions } = options;
    const handlersOf = (some: readonly Subscription<Tx>[]) => new Set(some.map(({ handler }) => handler));
    this.#handlers = [...handlersOf(subscriptions)];
    this.#lingering = handlersOf(subscriptions.filter(({ lingers }) => lingers));
  }

  start(): void {
    this.#running ??= this.#run();
  }

  wake(): void {
    this.#wake.set();
  }

  /** Events of these handlers have come. */
  received(handlers: readonly string[]): void {
    if (!handlers.every((handler) => this.#lingering.has(handler))) return this.wake();
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined;
      this.wake();
    }, lingerMs);
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
      if (chains.length < maxEvents) await this.#wake.wait(this.#options.pollMs);
    }
  }

  #begin(chain: readonly Task[]): void {
    const work = this.#processAll(chain).then((outcome) => {
      this.#inHand.delete(chain);
      this.#slotFreed.set();
      const handlers = [...new Set(chain.map(({ handler }) => handler))];
      const passedOver = handlers.filter((handler) => this.#passedOver.delete(handler)).length > 0;
      // What came meanwhile and nobody waits for is gathered again.
      const lingers = chain.every(({ handler }) => this.#lingering.has(handler)) && chain.length < maxEvents;
      if (passedOver || (outcome !== 'left' && !lingers)) this.#wake.set();
    });
    this.#inHand.set(chain, work);
  }

  /** Many keys in one transaction; should it fail, key by key, so that no event is held up by another's fault. */
  async #processAll(tasks: readonly Task[]): Promise<Outcome> {
    const chains = chainsOf(tasks);
    if (chains.length === 1) return this.#processInOrder(tasks);
    try {
      return await this.#handle(tasks);
    } catch (error) {
      this.#options.logger.debug({ err: error, events: tasks.length }, 'Events are tried one by one');
    }
    const outcomes: Outcome[] = [];
    for (const chain of chains) outcomes.push(await this.#processInOrder(chain));
    return outcomes.includes('left') ? 'left' : 'done';
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
   * Due events, each list those of one handler that has none in hand, the events of each key in order from the one that no
   * other stands before. A key that has failed has a list of its own, after the others: it would undo them again.
   */
  async #findDue(): Promise<readonly (readonly Task[])[]> {
    const { database, clock, logger } = this.#options;
    const inHand = [...this.#inHand.keys()];
    for (const [first] of inHand) if (first?.attempts === 0) this.#passedOver.add(first.handler);
    try {
      const tasks = await database.$queryRawUnsafe<Task[]>(
        `SELECT seq::text, handler, envelope, attempts
         FROM messaging.due_events($1::timestamptz, $2::text[], $3::bigint[], ${maxEvents}, ${maxEventsOfKey})
         ORDER BY place, due_events.seq`,
        clock.now().toISOString(),
        this.#handlers.filter((handler) => !this.#passedOver.has(handler)),
        inHand.flatMap((chain) => chain.map(({ seq }) => seq)),
      );
      const failed = new Set(tasks.flatMap((task) => (task.attempts > 0 ? [placeOf(task)] : [])));
      const lists = Map.groupBy(tasks, (task) => (failed.has(placeOf(task)) ? placeOf(task) : task.handler));
      return [...lists]
        .sort(([one], [other]) => Number(failed.has(one)) - Number(failed.has(other)))
        .map(([, list]) => list);
    } catch (error) {
      logger.warn({ err: error }, 'Inbox cannot be read');
      return [];
    }
  }

  async #process(task: Task): Promise<Outcome> {
    try {
      return await this.#traced(task.handler, [task.envelope], () => this.#handle([task]));
    } catch (error) {
      return this.#recordFailure(task, error);
    }
  }

  /** Those of one handler, in one transaction. */
  async #handle(tasks: readonly Task[]): Promise<Outcome> {
    const { clock, runInTransaction } = this.#options;
    const [first] = tasks;
    if (!first) return 'left';
    const { handler } = first;
    const types = [...new Set(tasks.map(({ envelope }) => envelope.type))];
    return runInTransaction(async (tx) => {
      // Claim and mark in one: the rows stay locked until the effect commits with them, or all is undone. What another
      // instance has in hand is left to it, and so is what comes after that. Neither done nor dead, and not live: the
      // indexes of the live ones would be gone through for each.
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
        clock.now().toISOString(),
      );
      const ids = new Set(claimed.map(({ eventId }) => eventId));
      const events = tasks.flatMap(({ envelope }) => (ids.has(envelope.id) ? [envelope] : []));
      if (events.length === 0) return 'left';
      for (const { subscription, run } of this.#runsOf(handler, events)) {
        const effect = () => subscription.handle(tx, run);
        // Of one event alone the transaction is in its trace as well.
        await (tasks.length === 1 ? effect() : this.#traced(handler, run, effect));
      }
      return 'done';
    }, types);
  }

  /** The events in order; those that follow each other and are one subscription's, which takes many, go together. */
  #runsOf(
    handler: string,
    events: readonly EventEnvelope[],
  ): readonly { readonly subscription: Subscription<Tx>; readonly run: readonly EventEnvelope[] }[] {
    const runs: { subscription: Subscription<Tx>; run: EventEnvelope[] }[] = [];
    for (const event of events) {
      const last = runs.at(-1);
      if (last?.subscription.takesMany && last.subscription.event.type === event.type) last.run.push(event);
      else runs.push({ subscription: this.#subscriptionTo(handler, event.type), run: [event] });
    }
    return runs;
  }

  #subscriptionTo(handler: string, type: string): Subscription<Tx> {
    const wanted = this.#options.subscriptions.find(
      (subscription) => subscription.handler === handler && subscription.event.type === type,
    );
    if (!wanted) throw new Error(`${handler} does not handle ${type}`);
    return wanted;
  }

  /** Runs `work` on one event in the trace of what caused it; on many, with a span in the trace of each. */
  async #traced<T>(handler: string, events: readonly EventEnvelope[], work: () => Promise<T>): Promise<T> {
    const { tracer } = this.#options;
    const name = `process ${handler}`;
    const [event] = events;
    if (event && events.length === 1) {
      const { id, traceparent } = event;
      return runInContext({ requestId: id, traceparent, tracer }, () =>
        inSpan(name, { kind: 'consumer', attributes: attributesOf(event) }, work),
      );
    }
    const spans = events.flatMap((one) => {
      const { traceparent: parent } = one;
      if (!tracer || parent === undefined) return [];
      return [tracer.start(name, { kind: 'consumer', parent, attributes: attributesOf(one) })];
    });
    try {
      const result = await work();
      for (const span of spans) span.end();
      return result;
    } catch (error) {
      for (const span of spans) span.end(errorTypeOf(error));
      throw error;
    }
  }

  /** Outside the transaction, which is undone. */
  async #recordFailure(task: Task, error: unknown): Promise<Outcome> {
    const { clock, database, logger, maxAttempts, retry } = this.#options;
    const { handler, envelope } = task;
    const about = { err: error, handler, eventId: envelope.id, type: envelope.type };
    const now = clock.now();
    const delay = backoffDelay(retry, task.attempts + 1);
    const availableAt = new Date(now.getTime() + delay);
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
      else {
        logger.warn({ ...about, ...recorded }, 'Event failed and comes again');
        setTimeout(() => this.wake(), delay + clockSlackMs).unref();
      }
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

function placeOf({ envelope, handler }: Task): string {
  return `${handler} ${envelope.subject}`;
}

/** Each list those of one key, in order. */
function chainsOf(tasks: readonly Task[]): readonly (readonly Task[])[] {
  return [...Map.groupBy(tasks, ({ envelope }) => envelope.subject).values()];
}

function describe(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return text.replaceAll('\0', '').slice(0, maxErrorLength);
}
