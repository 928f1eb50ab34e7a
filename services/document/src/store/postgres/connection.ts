import { documentLimits } from '@portal/contracts';
import { type ScopedConnection, type ScopedPool, untilNoConflict } from '@portal/database';
import type { DatabaseRef } from '../document-store.ts';
import { invalid, tookTooLong } from '../filter/filter.ts';
import { createTurns } from '../turns.ts';

/** Reading and writing of what a caller named: as long as other services' statements. */
const longest = 30_000;
/** What goes through a whole collection: an index, an import that waits, the end of a database. */
const longestOfAll = 10 * 60_000;

/** Connections that a tenant has at once; single documents of one collection use as many. */
const ofTenant = 4;
/** Besides those, for what goes through a whole collection. */
const longOfTenant = 2;
/** Of each tenant: each keeps a call open. */
const mostLongWaiting = 20;

/** How long work waits for its turn. */
const longestWaits = {
  /** As long as for a connection. */
  call: 5_000,
  /** It goes through a whole collection; the gateway waits a minute for all of it. */
  longCall: 30_000,
  /** A piece of what goes on for long: those before it would be for nothing. */
  piece: 60_000,
  /** An import that waits to be stored would be lost, and may have come a long way. */
  import: 10 * 60_000,
};

const QUERY_CANCELED = '57014';
const INVALID_REGULAR_EXPRESSION = '2201B';
const UNIQUE_VIOLATION = '23505';

export interface Connections {
  /** Each statement is a transaction by itself. The work runs again where it collides with another's, so it must have no other effect. */
  use<T>(
    database: DatabaseRef,
    work: (connection: ScopedConnection) => Promise<T>,
    options?: { waitsAs?: keyof typeof longestWaits },
  ): Promise<T>;
  /** Runs again, as well. */
  transaction<T>(
    database: DatabaseRef,
    work: (connection: ScopedConnection) => Promise<T>,
    options?: { isLong?: boolean; waitsAs?: keyof typeof longestWaits },
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
  const short = createTurns({ atOnce: ofTenant });
  const longOfOne = createTurns({ atOnce: longOfTenant, mostWaiting: mostLongWaiting });
  const longOfAll = createTurns({ atOnce: Math.max(1, Math.floor(poolSize / 2)) });
  const use = async <T>(
    database: DatabaseRef,
    longestMs: number,
    work: (connection: ScopedConnection) => Promise<T>,
    waitsAs: keyof typeof longestWaits = 'call',
  ): Promise<T> =>
    short(database.partnerId, longestWaits[waitsAs], async () =>
      untilNoConflict(async () => pool.use(scopeOf(database), longestMs, work)),
    );
  return {
    use: async (database, work, { waitsAs } = {}) => use(database, longest, work, waitsAs),
    transaction: async (database, work, { isLong = false, waitsAs = isLong ? 'longCall' : 'call' } = {}) => {
      const waitMs = longestWaits[waitsAs];
      const run = async (longestMs: number) =>
        untilNoConflict(async () => pool.transaction(scopeOf(database), longestMs, work));
      if (!isLong) return short(database.partnerId, waitMs, async () => run(longest));
      const until = performance.now() + waitMs;
      return longOfOne(database.partnerId, waitMs, async () =>
        longOfAll('', until - performance.now(), async () => run(longestOfAll)),
      );
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
