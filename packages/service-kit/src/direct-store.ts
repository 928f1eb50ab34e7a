import { createScopedPool, type RawQueries, rawQueries, type Scope, untilNoConflict } from '@portal/database';
import type { Clock, Logger } from '@portal/kernel';
import type { SqlExecutor } from '@portal/messaging';
import { withExpectedEntry } from './http/operation-log.ts';
import { inTransaction, type Outbox } from './store.ts';

/** A statement with its values, as `Prisma.sql` makes it. */
export interface Statement {
  readonly text: string;
  readonly values: unknown[];
}

/** One transaction of statements written by hand. */
export interface DirectTransaction {
  readonly db: RawQueries;
  readonly outbox: Outbox;
}

/** One on a connection of the direct store, as no other has it. */
export interface SendingTransaction extends DirectTransaction {
  /**
   * Sends a statement whose answer nobody needs; its failure is that of the transaction. What is sent last goes with the commit, so
   * that rows which others want are locked for no round trip.
   */
  send(statement: Statement): void;
}

/**
 * Statements that are written by hand, on connections of their own: for what comes thousands of times a second, or to all in the
 * morning. All else uses the store.
 */
export interface DirectStore {
  /**
   * In a scope; each statement is a transaction by itself, so it must have no effect besides its own. It fails when it waits for a row
   * longer than `longestLockMs`: `isLockTimeout`.
   */
  statements(scope: Scope, longestLockMs?: number): RawQueries;
  /**
   * Reads that all see the same moment. `first` is sent ahead of everything else, with nobody waiting for it: settings, in whose answer
   * there is nothing.
   */
  read<T>(scope: Scope, first: Statement, work: (db: RawQueries) => Promise<T>): Promise<T>;
  /**
   * As `write` of the store; `first` as of `read`, mostly a lock. `onSent` is called when it waits for nothing but its commit: what is sent from then on comes after it.
   */
  write<T>(
    scope: Scope,
    first: Statement | undefined,
    work: (tx: SendingTransaction) => Promise<T>,
    onSent?: () => void,
  ): Promise<T>;
  close(): Promise<void>;
}

const longestMs = 30_000;

export function createDirectStore(options: {
  readonly url: string;
  readonly poolSize: number;
  readonly source: string;
  readonly clock: Clock;
  readonly logger: Logger;
}): DirectStore {
  const pool = createScopedPool(options);
  return {
    statements: (scope, longestLockMs) =>
      rawQueries({
        query: async (query) =>
          untilNoConflict(async () =>
            pool.use(scope, longestMs, async (connection) => connection.query(query), longestLockMs),
          ),
      }),
    read: async (scope, first, work) =>
      pool.snapshot(scope, longestMs, async (snapshot) => {
        snapshot.send(first);
        return work(rawQueries(snapshot));
      }),
    write: async (scope, first, work, onSent) =>
      withExpectedEntry(async (also) =>
        untilNoConflict(async () =>
          pool.transaction(
            scope,
            longestMs,
            async (transaction) => {
              if (first) transaction.send(first);
              const db = rawQueries(transaction);
              // Events are written last: they go with the commit.
              const written: SqlExecutor = {
                async $executeRawUnsafe(text, ...values) {
                  transaction.send({ text, values });
                  return 0;
                },
                $queryRawUnsafe: async <R>(text: string, ...values: unknown[]) =>
                  (await transaction.query({ text, values })).rows as R,
              };
              const send = ({ text, values }: Statement) => transaction.send({ text, values });
              return inTransaction(written, options, async ({ outbox }) => work({ db, send, outbox }), also);
            },
            onSent,
          ),
        ),
      ),
    close: async () => pool.close(),
  };
}
