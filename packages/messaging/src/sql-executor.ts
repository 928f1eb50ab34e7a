import type { ClientBase, Pool } from 'pg';

/** Runs SQL with `$1`-style parameters. A Prisma client and its interactive transactions are this already. */
export interface SqlExecutor {
  /** @returns the number of rows affected */
  $executeRawUnsafe(sql: string, ...params: unknown[]): Promise<number>;
  $queryRawUnsafe<T>(sql: string, ...params: unknown[]): Promise<T>;
}

/** The same for a connection or pool of `pg`. */
export function pgExecutor(connection: ClientBase | Pool): SqlExecutor {
  return {
    $executeRawUnsafe: async (sql, ...params) => (await connection.query(sql, params)).rowCount ?? 0,
    // The caller states the shape of its own rows, as with Prisma.
    $queryRawUnsafe: async <T>(sql: string, ...params: unknown[]) =>
      (await connection.query(sql, params)).rows as T,
  };
}

/** Runs `work` in a transaction on a connection of the pool; commits when it resolves, undoes all when it rejects. */
export async function inTransaction<T>(pool: Pool, work: (tx: SqlExecutor) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const result = await work(pgExecutor(client));
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}
