import type { Clock, Logger, Tracer } from '@portal/kernel';
import { type Backoff, backoffDelay } from './backoff.ts';
import type { EventEnvelope } from './event.ts';
import { beginAtOnce, claim, findDue, maxEvents, recordFailure, type Task } from './inbox-rows.ts';
import { traced } from './inbox-trace.ts';
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

type Outcome =
  /** The effect is committed; events that waited for it are due now. */
  | 'done'
  /** The failure is recorded; events behind it are due when it becomes a dead letter. */
  | 'failed'
  /** Another instance has claimed the event, or the failure could not be recorded; do not look again at once. */
  | 'left';

/** How long events of lingering handlers are collected after the first one. */
const lingerMs = 200;
/** Timers and the clock of due times may differ; a timer that fires early would find nothing. */
const clockSlackMs = 5;

/**
 * Claims due events of the inbox and runs their handlers, several in parallel: all due events of a handler in one
 * transaction, because a commit costs more than most effects, in order per key. A handler has one such transaction at a
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
  /** Handlers that were skipped because they were busy. */
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

  /**
   * Has the effect of events of a handler that knows repeats, as they come. @returns false where they are to be stored: the effect
   * failed or would wait for others, or earlier ones are stored, behind which they come
   */
  async handleAtOnce(handler: string, events: readonly EventEnvelope[]): Promise<boolean> {
    const { logger, runInTransaction } = this.#options;
    const types = [...new Set(events.map(({ type }) => type))];
    try {
      return await runInTransaction(async (tx) => {
        if (!(await beginAtOnce(tx, handler))) return false;
        await this.#haveEffect(tx, handler, events);
        return true;
      }, types);
    } catch (error) {
      logger.debug({ err: error, handler, events: events.length }, 'Events are stored and tried one by one');
      return false;
    }
  }

  /** Finishes the claimed events. */
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
      // Events of lingering handlers that arrived meanwhile are collected again.
      const lingers = chain.every(({ handler }) => this.#lingering.has(handler)) && chain.length < maxEvents;
      if (passedOver || (outcome !== 'left' && !lingers)) this.#wake.set();
    });
    this.#inHand.set(chain, work);
  }

  /** All in one transaction; if it fails, one by one and key by key, so that a failing event delays no other key. */
  async #processAll(tasks: readonly Task[]): Promise<Outcome> {
    if (tasks.length > 1 && tasks.every(({ attempts }) => attempts === 0)) {
      try {
        return await this.#handle(tasks);
      } catch (error) {
        this.#options.logger.debug({ err: error, events: tasks.length }, 'Events are tried one by one');
      }
    }
    const outcomes: Outcome[] = [];
    for (const chain of chainsOf(tasks)) outcomes.push(await this.#processInOrder(chain));
    return outcomes.includes('left') ? 'left' : 'done';
  }

  /** Continues while each event succeeds. @returns the outcome of the last attempt */
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
      const tasks = await findDue(database, {
        now: clock.now(),
        handlers: this.#handlers.filter((handler) => !this.#passedOver.has(handler)),
        inHand: inHand.flat(),
      });
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
    const { tracer } = this.#options;
    try {
      return await traced(tracer, task.handler, [task.envelope], () => this.#handle([task]));
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
      const ids = await claim(tx, handler, tasks, clock.now());
      const events = tasks.flatMap(({ envelope }) => (ids.has(envelope.id) ? [envelope] : []));
      if (events.length === 0) return 'left';
      // Of one event alone the transaction is in its trace as well.
      await this.#haveEffect(tx, handler, events, { isTraced: tasks.length === 1 });
      return 'done';
    }, types);
  }

  async #haveEffect(
    tx: Tx,
    handler: string,
    events: readonly EventEnvelope[],
    { isTraced = false } = {},
  ): Promise<void> {
    for (const { subscription, run } of this.#runsOf(handler, events)) {
      const effect = () => subscription.handle(tx, run);
      await (isTraced ? effect() : traced(this.#options.tracer, handler, run, effect));
    }
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

  /** Outside the transaction, which is undone. */
  async #recordFailure(task: Task, error: unknown): Promise<Outcome> {
    const { clock, database, logger, maxAttempts, retry } = this.#options;
    const { handler, envelope } = task;
    const about = { err: error, handler, eventId: envelope.id, type: envelope.type };
    const now = clock.now();
    const delay = backoffDelay(retry, task.attempts + 1);
    const availableAt = new Date(now.getTime() + delay);
    try {
      const recorded = await recordFailure(database, task, { error, availableAt, maxAttempts, now });
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

function placeOf({ envelope, handler }: Task): string {
  return `${handler} ${envelope.subject}`;
}

/** Each list those of one key, in order. */
function chainsOf(tasks: readonly Task[]): readonly (readonly Task[])[] {
  return [...Map.groupBy(tasks, ({ envelope }) => envelope.subject).values()];
}
