import type pg from 'pg';

export const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Connections that stay open without work. To open one takes some 15 ms of processor time, until PostgreSQL has read what its statements
 * need of the catalogues, and jobs look several times a minute. What many callers at once need is closed again after ten seconds:
 * the connections of a server are counted over all instances.
 */
const KEPT_CONNECTIONS = 2;
const IDLE_TIMEOUT_MS = 10_000;

/** What every pool of a service's connections has. */
export function poolOptions({ poolSize, url }: { url: string; poolSize: number }): pg.PoolConfig {
  return {
    connectionString: url,
    max: poolSize,
    min: KEPT_CONNECTIONS,
    pipeline: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
  };
}
