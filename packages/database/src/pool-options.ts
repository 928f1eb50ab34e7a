import type pg from 'pg';

export const CONNECT_TIMEOUT_MS = 5_000;

/**
 * A connection takes some 15 ms of processor time from its opening until PostgreSQL has read what its statements need of the
 * catalogues. Jobs look at least once a minute: what they open stays open.
 */
const IDLE_TIMEOUT_MS = 120_000;

/** What every pool of a service's connections has. */
export function poolOptions({ poolSize, url }: { url: string; poolSize: number }): pg.PoolConfig {
  return {
    connectionString: url,
    max: poolSize,
    pipeline: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
  };
}
