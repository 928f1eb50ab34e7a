import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, errorTypeOf, type Logger, type Span, type Tracer } from '@portal/kernel';
import { Client, type ClientBase, type QueryResult } from 'pg';
import { type Backoff, backoffDelay } from './backoff.ts';
import { CoveredIds } from './covered-ids.ts';
import type { EventEnvelope } from './event.ts';
import type { BusMessage, EventBus } from './event-bus.ts';
import { Signal } from './signal.ts';
import { type OutboxStats, readOutboxStats } from './stats.ts';

export interface RelayOptions {
  /** The service's database. The relay holds one connection of its own: the advisory lock and LISTEN live on it. */
  readonly connectionString: string;
  /** Makes a connection ready that was opened just now. */
  readonly onConnect?: (client: ClientBase) => Promise<void>;
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly logger: Logger;
  /** How often to look without being woken, which a commit does in any case; 10 s by default. */
  readonly lookMs?: number;
  /** How soon another instance takes over; 1 s by default. */
  readonly takeOverMs?: number;
  /** How long late events are collected after the first one; 200 ms by default. */
  readonly collectMs?: number;
  /** Events read and published at once, while as many more are read ahead; 500 by default. */
  readonly batchSize?: number;
  /** Bytes of events, in their text, after which no further one is read with them; 4 MB by default. */
  readonly batchBytes?: number;
  /** Between tries while the database or the bus fails; 100 ms to 10 s by default. */
  readonly retry?: Backoff;
  /** How long `stop` waits for the current batch; 5 s by default. Unmarked events are published again later. */
  readonly stopWithinMs?: number;
  readonly tracer?: Tracer | undefined;
}

/** Publishes the events of the outbox. Only one instance of a service does this at a time. */
export interface Relay {
  /** Runs until `stop`, and survives losses of the database and the bus. */
  start(): void;
  /** Finishes the current batch and lets another instance take over. */
  stop(): Promise<void>;
  /**
   * Resolves when everything, or everything urgent, committed to the outbox before the call is published, by whichever
   * instance.
   * @throws Error after `timeoutMs`
   */
  drain(timeoutMs: number, which?: 'all' | 'urgent'): Promise<void>;
  /** @throws Error while the database is away */
  stats(): Promise<OutboxStats>;
}

interface OutboxRow {
  /** A bigint, as text. */
  readonly id: string;
  readonly topic: string;
  readonly key: string;
  readonly envelope: EventEnvelope;
  /** With it, what was read comes to `batchBytes`. */
  readonly fills: true | null;
}

interface ReadAhead {
  readonly covered: CoveredIds;
  /** What the read deletes. */
  readonly published: readonly OutboxRow[];
  /** What is read already and not yet published. */
  readonly inHand: readonly OutboxRow[];
}

/** Published in parallel, each in its own order, so that urgent events do not wait for the bulk of an import. */
const lanes = { urgent: 'urgent', rest: 'NOT urgent AND NOT late', late: 'late' } as const;
type Lane = keyof typeof lanes;

const drainLookMs = 20;

const idsOf = (rows: readonly OutboxRow[]): readonly string[] => rows.map(({ id }) => id);

export function createRelay(options: RelayOptions): Relay {
  return new OutboxRelay(options);
}

class OutboxRelay implements Relay {
  readonly #options: Required<Omit<RelayOptions, 'tracer'>> & Pick<RelayOptions, 'tracer'>;
  readonly #stopping = new AbortController();
  readonly #wakes = { urgent: new Signal(), rest: new Signal(), late: new Signal() };
  /** A lane has nothing in hand. */
  readonly #caughtUp = new Signal();
  #collecting: NodeJS.Timeout | undefined;
  #client: Client | undefined;
  #running: Promise<void> | undefined;
  #queries: Promise<unknown> = Promise.resolve();

  constructor(options: RelayOptions) {
    this.#options = {
      lookMs: 10_000,
      takeOverMs: 1_000,
      collectMs: 200,
      batchSize: 500,
      batchBytes: 4_000_000,
      retry: { firstMs: 100, longestMs: 10_000 },
      stopWithinMs: 5_000,
      onConnect: async () => undefined,
      ...options,
    };
  }

  start(): void {
    this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    clearTimeout(this.#collecting);
    this.#wakeAll();
    await Promise.race([this.#running, sleep(this.#options.stopWithinMs, undefined, { ref: false })]);
    await this.#client?.end();
  }

  async drain(timeoutMs: number, which: 'all' | 'urgent' = 'all'): Promise<void> {
    const those = which === 'all' ? 'true' : lanes.urgent;
    if (which === 'all') this.#wakes.late.set();
    const deadline = performance.now() + timeoutMs;
    let newest: string | null | undefined;
    for (;;) {
      try {
        if (newest === undefined) {
          const sql = `SELECT max(id) AS id FROM messaging.outbox WHERE ${those}`;
          newest = (await this.#queryOne<{ id: string | null }>(sql)).id;
        }
        if (newest === null || !(await this.#isPending(those, newest))) return;
      } catch (error) {
        this.#options.logger.debug({ err: error }, 'Drain waits for the database');
      }
      const left = deadline - performance.now();
      if (left <= 0) throw new Error(`The outbox was not published within ${timeoutMs} ms`);
      await this.#caughtUp.wait(Math.min(left, drainLookMs));
    }
  }

  async stats(): Promise<OutboxStats> {
    const reader = {
      // The shape of the rows is known where the statement is.
      $queryRawUnsafe: async <T>(sql: string, ...params: unknown[]) => (await this.#ask(sql, params)) as T,
    };
    return readOutboxStats(reader, this.#options.clock);
  }

  #wakeAll(): void {
    for (const wake of Object.values(this.#wakes)) wake.set();
  }

  /** Something was added to a lane. */
  #wake(lane: string | undefined): void {
    if (lane === 'late') {
      this.#collecting ??= setTimeout(() => {
        this.#collecting = undefined;
        this.#wakes.late.set();
      }, this.#options.collectMs);
    } else if (lane === 'rest') {
      // What is urgent may have come in the same transaction, and leaves first.
      this.#wakes.urgent.set();
      this.#wakes.rest.set();
    } else if (lane === 'urgent') this.#wakes.urgent.set();
    else this.#wakeAll();
  }

  async #isPending(those: string, upToId: string): Promise<boolean> {
    const sql = `SELECT EXISTS (SELECT 1 FROM messaging.outbox WHERE ${those} AND id <= $1) AS pending`;
    return (await this.#queryOne<{ pending: boolean }>(sql, [upToId])).pending;
  }

  async #queryOne<T extends object>(sql: string, params: unknown[] = []): Promise<T> {
    const [row] = await this.#ask<T>(sql, params);
    if (!row) throw new Error('The query gave no row');
    return row;
  }

  async #ask<T extends object>(sql: string, params: unknown[]): Promise<T[]> {
    if (!this.#client) throw new Error('The relay has no connection to the database');
    return (await this.#query<T>(this.#client, sql, params)).rows;
  }

  /** One query at a time: the relay, `drain` and `stats` share the connection. */
  async #query<T extends object>(client: Client, sql: string, params: unknown[]): Promise<QueryResult<T>> {
    const result = this.#queries.then(() => client.query<T>(sql, params));
    this.#queries = result.catch(() => undefined);
    return result;
  }

  async #run(): Promise<void> {
    let failures = 0;
    while (!this.#stopping.signal.aborted) {
      try {
        await this.#session(() => {
          failures = 0;
        });
      } catch (error) {
        failures += 1;
        this.#options.logger.warn({ err: error, failures }, 'Relay lost the database');
        await this.#pause(failures);
      }
    }
  }

  /** Uses one connection: waits for the lock, then relays until it is stopped or the connection breaks. */
  async #session(onProgress: () => void): Promise<void> {
    const client = new Client({
      connectionString: this.#options.connectionString,
      application_name: 'portal relay',
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
      query_timeout: 30_000,
    });
    // A broken connection is found by the next query; waking makes that now.
    client.on('error', () => this.#wakeAll());
    client.on('notification', ({ payload }) => this.#wake(payload));
    try {
      await client.connect();
      await this.#options.onConnect(client);
      this.#client = client;
      // A mark that a crash of the database forgets only means a repeat, which every inbox knows.
      await client.query('SET synchronous_commit = off');
      if (!(await this.#takeTurn(client, onProgress))) return;
      await client.query('LISTEN messaging_outbox');
      const relay = async (lane: Lane) =>
        this.#relay(client, lane, onProgress).catch(async (error: unknown) => {
          // The other lanes end with it: none is left behind to publish beside the next session's.
          await client.end().catch(() => undefined);
          // Where a query has told of the loss, the connection does not once more: those that wait would wait for `lookMs`.
          this.#wakeAll();
          throw error;
        });
      const lanesOver = [relay('urgent'), relay('rest'), relay('late')];
      await Promise.allSettled(lanesOver);
      await Promise.all(lanesOver);
    } finally {
      this.#client = undefined;
      await client.end().catch(() => undefined);
    }
  }

  /** Waits until no other instance relays. @returns false if stopped meanwhile */
  async #takeTurn(client: Client, onProgress: () => void): Promise<boolean> {
    while (!this.#stopping.signal.aborted) {
      const sql = `SELECT pg_try_advisory_lock(hashtextextended('messaging.relay', 0)) AS locked`;
      const { rows } = await client.query<{ locked: boolean }>(sql);
      onProgress();
      if (rows[0]?.locked) return true;
      await this.#wakes.rest.wait(this.#options.takeOverMs);
    }
    return false;
  }

  async #relay(client: Client, lane: Lane, onProgress: () => void): Promise<void> {
    const { lookMs } = this.#options;
    let failures = 0;
    let rows: readonly OutboxRow[] = [];
    let published: readonly OutboxRow[] = [];
    const covered = new CoveredIds();
    while (!this.#stopping.signal.aborted) {
      if (rows.length === 0) rows = await this.#read(client, lane, { covered, published: [], inHand: [] });
      // While a batch is on its way, the one before is marked and the one after is read.
      const [ahead, sent] = await Promise.all([
        this.#mayBeMore(rows)
          ? this.#read(client, lane, { covered, published, inHand: rows })
          : this.#mark(client, published).then(() => []),
        this.#publish(rows),
      ]);
      onProgress();
      published = sent;
      const allPublished = published.length === rows.length;
      // What is read ahead may not overtake what was not published.
      rows = allPublished ? ahead : [];
      failures = allPublished ? 0 : failures + 1;
      if (rows.length > 0) continue;
      await this.#mark(client, published);
      this.#caughtUp.set();
      published = [];
      covered.reset();
      await (allPublished ? this.#wakes[lane].wait(lookMs) : this.#pause(failures));
    }
    await this.#mark(client, published);
  }

  /**
   * Always from the lowest id that can be there: a transaction that commits late has a lower id than rows already published. Marks
   * what is published in the same statement: after one of its own the database would wait until a batch is encoded. One event may be as
   * large as a thousand others: the sum of what stands before it decides, and an envelope that stays is not looked into.
   */
  async #read(
    client: Client,
    lane: Lane,
    { covered, inHand, published }: ReadAhead,
  ): Promise<readonly OutboxRow[]> {
    const { batchBytes, batchSize } = this.#options;
    // The transaction gets a number only where a batch is read ahead: one event would pay for it as much as 500.
    const { rows } = await this.#query<OutboxRow & { oldest: string; own: string | null }>(
      client,
      `WITH marked AS (DELETE FROM messaging.outbox WHERE id = ANY($1::bigint[]))
       SELECT id, topic, key, envelope, CASE WHEN bytes_before + bytes >= $5 THEN true END AS fills,
         (SELECT pg_snapshot_xmin(pg_current_snapshot())) AS oldest,
         CASE WHEN $3::bigint[] <> '{}' THEN (SELECT pg_current_xact_id()) END AS own
       FROM (
         SELECT *, sum(bytes) OVER (ORDER BY id ROWS UNBOUNDED PRECEDING) - bytes AS bytes_before
         FROM (
           SELECT id, topic, key, envelope, bytes FROM messaging.outbox
           WHERE ${lanes[lane]} AND id > $2 AND id <> ALL($1::bigint[] || $3::bigint[]) ORDER BY id LIMIT $4) AS next
       ) AS summed
       WHERE bytes_before < $5 ORDER BY id`,
      [idsOf(published), covered.upTo, idsOf(inHand), batchSize, batchBytes],
    );
    const last = rows.at(-1);
    if (last?.own) covered.add({ lastId: last.id, oldest: last.oldest, own: last.own });
    return rows;
  }

  /** Whether the read that gave these may have left some. */
  #mayBeMore(rows: readonly OutboxRow[]): boolean {
    return rows.length >= this.#options.batchSize || rows.at(-1)?.fills === true;
  }

  async #mark(client: Client, published: readonly OutboxRow[]): Promise<void> {
    if (published.length === 0) return;
    const sql = 'DELETE FROM messaging.outbox WHERE id = ANY($1::bigint[])';
    await this.#query(client, sql, [idsOf(published)]);
  }

  /** Publishes topic by topic, so that one that fails does not hold up the others. @returns what is out */
  async #publish(rows: readonly OutboxRow[]): Promise<readonly OutboxRow[]> {
    const topics = Map.groupBy(rows, ({ topic }) => topic);
    const published = await Promise.all(
      [...topics].map(async ([topic, ofTopic]) => {
        const messages: BusMessage[] = ofTopic.map(({ key, envelope }) => ({ key, envelope }));
        const spans = this.#spansOf(topic, messages);
        try {
          await this.#options.bus.publish(topic, messages);
          for (const span of spans) span.end();
          return ofTopic;
        } catch (error) {
          for (const span of spans) span.end(errorTypeOf(error));
          this.#options.logger.warn({ err: error, topic, events: messages.length }, 'Publishing failed');
          return [];
        }
      }),
    );
    return published.flat();
  }

  /** One for each event whose cause is known, in the trace of that. */
  #spansOf(topic: string, messages: readonly BusMessage[]): readonly Span[] {
    const { tracer } = this.#options;
    if (!tracer) return [];
    return messages.flatMap(({ envelope: { id, traceparent, type } }) => {
      if (traceparent === undefined) return [];
      const attributes = { 'messaging.destination.name': topic, 'messaging.message.id': id };
      return [tracer.start(`publish ${type}`, { kind: 'producer', parent: traceparent, attributes })];
    });
  }

  async #pause(failures: number): Promise<void> {
    const ms = backoffDelay(this.#options.retry, failures);
    await sleep(ms, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
  }
}
