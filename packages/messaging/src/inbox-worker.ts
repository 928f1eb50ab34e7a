import { type Clock, inSpan, type Logger, runInContext, type Tracer } from '@portal/kernel';
import { type Backoff, backoffDelay } from './backoff.ts';
import type { EventEnvelope } from './event.ts';
import { Signal } from './signal.ts';
import type { SqlExecutor } from './sql-executor.ts';
import type { Subscription } from './subscription.ts';

/** Runs `work` in one transaction of the service, in the scope that the event needs, and commits when it resolves. */
export type RunInTransaction<Tx extends SqlExecutor> = <T>(
  work: (tx: Tx) => Promise<T>,
  event: EventEnvelope,
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
  /** The effect is committed, or the failure recorded: what waited behind may be due now. */
  | 'settled'
  /** Another instance has the event, or the failure could not be recorded: looking again at once would find the same. */
  | 'left';

const batchSize = 32;
const maxErrorLength = 4_000;

/** Holds for a row `task` that no earlier live row of its handler and key stands before. */
const isFirstOfKey = `NOT EXISTS (
  SELECT 1 FROM messaging.inbox earlier
  WHERE earlier.handler = task.handler AND earlier.key = task.key
    AND earlier.status = 'live' AND earlier.seq < task.seq)`;

/** Takes due events out of the inbox and runs their handlers, several keys at a time. */
export class InboxWorker<Tx extends SqlExecutor> {
  readonly #options: InboxWorkerOptions<Tx>;
  readonly #handlers: readonly string[];
  readonly #wake = new Signal();
  readonly #slotFreed = new Signal();
  readonly #inHand = new Map<string, Promise<void>>();
  #stopping = false;
  #running: Promise<void> | undefined;

  constructor(options: InboxWorkerOptions<Tx>) {
    this.#options = options;
    this.#handlers = [...new Set(options.subscriptions.map(({ handler }) => handler))];
  }

  start(): void {
    this.#running ??= this.#run();
  }

  wake(): void {
    this.#wake.set();
  }

  /** Finishes the events in hand. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#wake.set();
    await this.#running;
    await Promise.all(this.#inHand.values());
  }

  async #run(): Promise<void> {
    while (!this.#stopping) {
      const tasks = await this.#findDue();
      for (const task of tasks) {
        while (this.#inHand.size >= this.#options.concurrency)
          await this.#slotFreed.wait(this.#options.pollMs);
        if (this.#stopping) return;
        this.#begin(task);
      }
      if (tasks.length < batchSize) await this.#wake.wait(this.#options.pollMs);
    }
  }

  #begin(task: Task): void {
    const work = this.#process(task).then((outcome) => {
      this.#inHand.delete(task.seq);
      this.#slotFreed.set();
      if (outcome === 'settled') this.#wake.set();
    });
    this.#inHand.set(task.seq, work);
  }

  async #findDue(): Promise<readonly Task[]> {
    const { database, clock, logger } = this.#options;
    try {
      return await database.$queryRawUnsafe<Task[]>(
        `SELECT seq::text, handler, envelope, attempts FROM messaging.inbox task
         WHERE status = 'live' AND available_at <= $1::timestamptz AND handler = ANY($2::text[])
           AND seq <> ALL($3::bigint[]) AND ${isFirstOfKey}
         ORDER BY task.seq LIMIT ${batchSize}`,
        clock.now().toISOString(),
        this.#handlers,
        [...this.#inHand.keys()],
      );
    } catch (error) {
      logger.warn({ err: error }, 'Inbox cannot be read');
      return [];
    }
  }

  /** In the trace of what caused the event. */
  #process(task: Task): Promise<Outcome> {
    const { id, traceparent, type } = task.envelope;
    const attributes = { 'messaging.message.id': id, 'messaging.message.type': type };
    return runInContext({ requestId: id, traceparent, tracer: this.#options.tracer }, async () => {
      try {
        return await inSpan(`process ${task.handler}`, { kind: 'consumer', attributes }, async () =>
          this.#handle(task),
        );
      } catch (error) {
        return this.#recordFailure(task, error);
      }
    });
  }

  #handle(task: Task): Promise<Outcome> {
    const { clock, runInTransaction, subscriptions } = this.#options;
    return runInTransaction(async (tx) => {
      // Claim and mark in one: the row stays locked until the effect commits with it, or both are undone.
      const claimed = await tx.$executeRawUnsafe(
        `UPDATE messaging.inbox SET status = 'done', settled_at = $3::timestamptz
           WHERE (handler, event_id) = (
             SELECT handler, event_id FROM messaging.inbox task
             WHERE handler = $1::text AND event_id = $2::uuid AND status = 'live' AND ${isFirstOfKey}
             FOR UPDATE SKIP LOCKED)`,
        task.handler,
        task.envelope.id,
        clock.now().toISOString(),
      );
      if (claimed === 0) return 'left';
      const wanted = subscriptions.find(
        ({ handler, event }) => handler === task.handler && event.type === task.envelope.type,
      );
      if (!wanted) throw new Error(`${task.handler} does not handle ${task.envelope.type}`);
      await wanted.handle(tx, task.envelope);
      return 'settled';
    }, task.envelope);
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
         WHERE handler = $1::text AND event_id = $2::uuid AND status = 'live'
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
      return 'settled';
    } catch (failure) {
      const err = new AggregateError([error, failure]);
      logger.warn({ ...about, err }, 'Event failed, and so did the record of it');
      return 'left';
    }
  }
}

function describe(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return text.replaceAll('\0', '').slice(0, maxErrorLength);
}
