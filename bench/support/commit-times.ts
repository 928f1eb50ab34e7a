import { setTimeout as sleep } from 'node:timers/promises';
import { type Product, startProduct } from '@portal/testing/product';
import type { QueryResult } from 'pg';
import { type Figure, quantile } from './figure.ts';
import { withDatabase } from './product-database.ts';

/** What takes time from one commit to another: PostgreSQL itself keeps the moment of every commit, to the microsecond and by one clock. */

interface Queryable {
  query(sql: string, values?: unknown[]): Promise<QueryResult<{ id: number; at: number }>>;
}

/** Has PostgreSQL keep them, from its next start on. */
export async function keepCommitTimes(superuser: Queryable): Promise<void> {
  await superuser.query('ALTER SYSTEM SET track_commit_timestamp = on');
}

/** A product whose PostgreSQL keeps them. */
export async function startProductWithCommitTimes(): Promise<Product> {
  const product = await startProduct({ LOG_LEVEL: 'warn' });
  await withDatabase(product, 'postgres', keepCommitTimes);
  await product.stop();
  await product.start();
  return product;
}

/** When the row of each id was committed, in milliseconds. */
export async function commitTimes(
  db: Queryable,
  { idColumn, ids, table }: { table: string; idColumn: string; ids: readonly number[] },
): Promise<Map<number, number>> {
  const { rows } = await db.query(
    `SELECT ${idColumn} AS id, extract(epoch FROM pg_xact_commit_timestamp(xmin))::float8 * 1000 AS at
     FROM ${table} WHERE ${idColumn} = ANY($1::integer[])`,
    [ids],
  );
  return new Map(rows.map(({ at, id }) => [id, at]));
}

/** Milliseconds from commit to commit of the rows that belong together by their ids, once all have arrived. */
export async function latencies(
  ids: readonly number[],
  times: {
    left(ids: readonly number[]): Promise<Map<number, number>>;
    arrived(ids: readonly number[]): Promise<Map<number, number>>;
  },
  withinMs: number,
): Promise<number[]> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const arrived = await times.arrived(ids);
    if (arrived.size === ids.length) {
      const left = await times.left(ids);
      return ids.map((id) => (arrived.get(id) ?? Number.NaN) - (left.get(id) ?? Number.NaN));
    }
    if (performance.now() > deadline) throw new Error(`${ids.length - arrived.size} rows never arrived`);
    await sleep(200);
  }
}

/** The 99th percentile of times that were measured so; `how` says what was done. */
export function latencyFigure(
  what: string,
  samples: readonly number[],
  { how, limitMs }: { how: string; limitMs: number },
): Figure {
  const [p50 = 0, p99 = 0, longest = 0] = [0.5, 0.99, 1].map((share) => quantile(samples, share));
  return {
    what: `${what}; p99`,
    target: `${limitMs} ms`,
    measured: `${Math.round(p99)} ms`,
    value: p99,
    better: 'lower',
    detail:
      `${samples.length} ${how}: median ${Math.round(p50)} ms, longest ${Math.round(longest)} ms, ` +
      `by PostgreSQL's commit timestamps`,
    met: p99 < limitMs,
  };
}
