import { type Sql, sqltag } from '@prisma/client/runtime/client';
import type pg from 'pg';
import { executorOf, type ScopedConnection } from './scoped-pool.ts';

/** Statements written by hand, as a transaction of Prisma takes them. */
export interface RawQueries {
  $queryRaw<T = unknown>(query: TemplateStringsArray | Sql, ...values: unknown[]): PromiseLike<T>;
  /** Answers the number of rows. */
  $executeRaw(query: TemplateStringsArray | Sql, ...values: unknown[]): PromiseLike<number>;
  $executeRawUnsafe(text: string, ...values: unknown[]): Promise<number>;
}

/**
 * The same on a connection of the driver: Prisma takes longer over a short statement than PostgreSQL. Values come as the driver reads
 * them, so whole numbers of 64 bits and decimals are texts. Each statement is sent when it is asked for, behind those before it.
 */
export const rawQueries = (connection: Pick<ScopedConnection, 'query'>): RawQueries => ({
  // The caller states the shape of its own rows, as with Prisma.
  $queryRaw: async <T>(query: TemplateStringsArray | Sql, ...values: unknown[]) =>
    (await connection.query(statementOf(query, values))).rows as T,
  $executeRaw: async (query, ...values) => (await connection.query(statementOf(query, values))).rowCount ?? 0,
  ...executorOf(connection),
});

function statementOf(query: TemplateStringsArray | Sql, given: readonly unknown[]): pg.QueryConfig {
  const { text, values } = 'text' in query ? query : sqltag(query, ...given);
  return { text, values };
}
