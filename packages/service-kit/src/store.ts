import type { Database, Scope } from '@portal/database';
import { type Clock, currentContext } from '@portal/kernel';
import {
  appendRowsToOutbox,
  appendToOutbox,
  createEvent,
  type EventDefinition,
  type OutgoingEvent,
  type SelectedRows,
  type SqlExecutor,
} from '@portal/messaging';
import { withExpectedEntry } from './http/operation-log.ts';

/** The only way to send an event. It is committed with the transaction, after the changes that it reports. */
export interface Outbox {
  /** Answers the id of the event. */
  append<D>(
    definition: EventDefinition<D>,
    event: { subject: number | string; partnerId: number | null; data: D },
  ): string;
  /** Writes what was appended so far: for changes of very many, whose events would otherwise wait in memory. */
  flush(): Promise<void>;
  /**
   * Appends an event for each row of a query that gives `subject` (text) and `data` (json), after what was appended so
   * far. For changes of very many rows: the database makes their events by itself, and the first alone is held to the
   * schema.
   */
  appendRows<D>(
    definition: EventDefinition<D>,
    events: { partnerId: number | null; rows: SelectedRows },
  ): Promise<void>;
}

/** One transaction of a service: its database, and the events that go with the change. */
export interface Transaction<Db> {
  readonly db: Db;
  readonly outbox: Outbox;
}

export interface Store<Db> {
  /** Reads in a scope: the rows of one partner, of one unit, or all. */
  read<T>(scope: Scope, work: (db: Db) => Promise<T>): Promise<T>;
  /**
   * Changes in a scope; commits when `work` resolves. It may run again when transactions collide. It is broken off after
   * `longestMs`, a minute by default, and fails when it waits for a row longer than `longestLockMs`: `isLockTimeout`.
   */
  write<T>(
    scope: Scope,
    work: (tx: Transaction<Db>) => Promise<T>,
    options?: { longestMs?: number; longestLockMs?: number },
  ): Promise<T>;
}

export function createStore<Db extends SqlExecutor>(options: {
  database: Database<Db>;
  source: string;
  clock: Clock;
}): Store<Db> {
  const { clock, database, source } = options;
  return {
    read: (scope, work) => database.read(scope, work),
    write: (scope, work, options) =>
      withExpectedEntry((also) =>
        database.transaction(scope, (db) => inTransaction(db, { source, clock }, work, also), options),
      ),
  };
}

/** Runs `work` in the open transaction `db` and writes the events that it appended, and those of `also` after them. */
export async function inTransaction<Db extends SqlExecutor, T>(
  db: Db,
  context: { source: string; clock: Clock },
  work: (tx: Transaction<Db>) => Promise<T>,
  also: (result: T) => readonly OutgoingEvent[] = () => [],
): Promise<T> {
  const events: OutgoingEvent[] = [];
  const flush = async () => appendToOutbox(db, events.splice(0));
  const traceparent = currentContext()?.traceparent;
  const result = await work({
    db,
    outbox: {
      append(definition, { subject, ...more }) {
        const event = createEvent(
          definition,
          { subject: String(subject), ...more },
          { ...context, traceparent },
        );
        events.push(event);
        return event.envelope.id;
      },
      flush,
      async appendRows(definition, events) {
        await flush();
        await appendRowsToOutbox(db, definition, events, { ...context, traceparent });
      },
    },
  });
  events.push(...also(result));
  await flush();
  return result;
}
