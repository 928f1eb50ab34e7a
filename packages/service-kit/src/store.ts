import type { Database, Scope } from '@portal/database';
import { type Clock, currentContext } from '@portal/kernel';
import {
  appendToOutbox,
  createEvent,
  type EventDefinition,
  type OutgoingEvent,
  type SqlExecutor,
} from '@portal/messaging';
import { withExpectedEntry } from './http/operation-log.ts';

/** The only way to send an event. It leaves with the transaction, after the changes that it tells of. */
export interface Outbox {
  append<D>(
    definition: EventDefinition<D>,
    event: { subject: number | string; partnerId: number | null; data: D },
  ): void;
  /** Writes what was appended so far: for a change of so many things that their events must not be held together. */
  flush(): Promise<void>;
}

/** One transaction of a service: its database, and the events that go with the change. */
export interface Transaction<Db> {
  readonly db: Db;
  readonly outbox: Outbox;
}

export interface Store<Db> {
  /** Reads in a scope: the rows of one partner, or all. */
  read<T>(scope: Scope, work: (db: Db) => Promise<T>): Promise<T>;
  /**
   * Changes in a scope; commits when `work` resolves. It may run again when transactions collide. It is broken off after
   * `longestMs`, in a minute when not told.
   */
  write<T>(
    scope: Scope,
    work: (tx: Transaction<Db>) => Promise<T>,
    options?: { longestMs?: number },
  ): Promise<T>;
}

export const ofPartner = (partnerId: number): Scope => ({ kind: 'partner', partnerId });
export const everything: Scope = { kind: 'system' };

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

/** Runs `work` in the open transaction `db` and writes the events that it appended, and `also` after them. */
export async function inTransaction<Db extends SqlExecutor, T>(
  db: Db,
  context: { source: string; clock: Clock },
  work: (tx: Transaction<Db>) => Promise<T>,
  also: readonly OutgoingEvent[] = [],
): Promise<T> {
  const events: OutgoingEvent[] = [];
  const flush = async () => appendToOutbox(db, ...events.splice(0));
  const result = await work({
    db,
    outbox: {
      append(definition, { subject, partnerId, data }) {
        const traceparent = currentContext()?.traceparent;
        events.push(
          createEvent(definition, { subject: String(subject), partnerId, data }, { ...context, traceparent }),
        );
      },
      flush,
    },
  });
  events.push(...also);
  await flush();
  return result;
}
