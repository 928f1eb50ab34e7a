import { documentLimits } from '@portal/contracts';
import { type ScopedConnection, type ScopedPool, untilNoConflict } from '@portal/database';
import type { DatabaseRef } from '../document-store.ts';
import { invalid, tookTooLong } from '../filter/filter.ts';
import { createTurns } from './turns.ts';

/** Reading and writing of what a caller named: as long as other services' statements. */
const longest = 30_000;
/** What goes through a whole collection: an index, an import that waits, the end of a database. */
const longestOfAll = 10 * 60_000;

/** Connections that a tenant has at once; single documents of one collection use as many. */
const ofTenant = 4;
/** Besides those, for what goes through a whole collection. */
const longOfTenant = 2;
/** As long as for a connection. */
const longestWaitMs = 5_000;

const QUERY_CANCELED = '57014';
const INVALID_REGULAR_EXPRESSION = '2201B';
const UNIQUE_VIOLATION = '23505';

export interface Connections {
  /** Each statement is a transaction by itself. The work runs again where it collides with another's, so it must have no other effect. */
  use<T>(database: DatabaseRef, work: (connection: ScopedConnection) => Promise<T>): Promise<T>;
  /** Runs again, as well. */
  transaction<T>(
    database: DatabaseRef,
    work: (connection: ScopedConnection) => Promise<T>,
    options?: { isLong?: boolean },
  ): Promise<T>;
  /** For a filter, or a list without one: what takes too long is refused. */
  filter<T>(
    database: DatabaseRef,
    work: (connection: ScopedConnection) => Promise<T>,
    options?: { isFiltered?: boolean },
  ): Promise<T>;
}

/** Statements on the rows of the tenant whose database it is. No tenant keeps all connections, and long work of all leaves half. */
export function connectionsOf(pool: ScopedPool, poolSize: number): Connections {
  const scopeOf = ({ partnerId }: DatabaseRef) => ({ kind: 'partner', partnerId }) as const;
  const short = createTurns({ atOnce: ofTenant, longestWaitMs });
  // It would be lost for nothing, and may have come a long way: what waits of an import is there.
  const longOfOne = createTurns({ atOnce: longOfTenant, longestWaitMs: longestOfAll });
  const longOfAll = createTurns({
    atOnce: Math.max(1, Math.floor(poolSize / 2)),
    longestWaitMs: longestOfAll,
  });
  const use = async <T>(
    database: DatabaseRef,
    longestMs: number,
    work: (connection: ScopedConnection) => Promise<T>,
  ): Promise<T> =>
    short(database.partnerId, async () =>
      untilNoConflict(async () => pool.use(scopeOf(database), longestMs, work)),
    );
  return {
    use: async (database, work) => use(database, longest, work),
    transaction: async (database, work, { isLong = false } = {}) => {
      const run = async (longestMs: number) =>
        untilNoConflict(async () => pool.transaction(scopeOf(database), longestMs, work));
      return isLong
        ? longOfOne(database.partnerId, async () => longOfAll('', async () => run(longestOfAll)))
        : short(database.partnerId, async () => run(longest));
    },
    filter: async (database, work, { isFiltered = true } = {}) => {
      try {
        return await use(database, documentLimits.filterTimeout, work);
      } catch (error) {
        const state = stateOf(error);
        if (state === QUERY_CANCELED) throw tookTooLong(isFiltered);
        if (state === INVALID_REGULAR_EXPRESSION) throw invalid();
        throw error;
      }
    },
  };
}

export const isUniqueViolation = (error: unknown): boolean => stateOf(error) === UNIQUE_VIOLATION;

const stateOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
