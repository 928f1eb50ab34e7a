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
