import { AppError, type Logger } from '@portal/kernel';
import pg from 'pg';
import { type BinaryQuery, type BinaryRow, queryBinary } from './binary-rows.ts';
import { isUnreachable } from './database-errors.ts';
import { planName } from './kept-plan.ts';
import { poolOptions } from './pool-options.ts';
import { createScopeSigner, describeScope, type Scope, type ScopeSigner, scopeKeyOf } from './scope.ts';
import { tracedQuery } from './traced-query.ts';

/**
 * Connections for statements that Prisma has no words for, or takes too long over, under the same row-level security: there is
 * no statement without a scope. A connection keeps its scope, so that calls of one tenant after the other cost one round trip.
 */
export interface ScopedPool {
  /**
   * Runs statements on one connection; each of them is broken off after `longestMs`, and fails when it waits for a row longer than
   * `longestLockMs`: `isLockTimeout`. Rejects with `E50301` where the database cannot be reached.
   */
  use<T>(
    scope: Scope,
    longestMs: number,
    work: (connection: ScopedConnection) => Promise<T>,
    longestLockMs?: number,
  ): Promise<T>;
  /** As `use`, in one transaction. `onSent` is called when all of it is sent: then it waits for the database alone. */
  transaction<T>(
    scope: Scope,
    longestMs: number,
    work: (connection: ScopedTransaction) => Promise<T>,
    onSent?: () => void,
  ): Promise<T>;
  /** As `transaction`, of reads alone, which all see the same moment. */
  snapshot<T>(
    scope: Scope,
    longestMs: number,
    work: (connection: ScopedTransaction) => Promise<T>,
  ): Promise<T>;
  ready(): Promise<void>;
  /** Closes the connections once they are free. */
  close(): Promise<void>;
}

export interface ScopedConnection {
  /** The connection keeps the plan of a statement that says so: `keptPlan`. */
  query<Row extends pg.QueryResultRow>(query: pg.QueryConfig): Promise<pg.QueryResult<Row>>;
  /** Hands over the rows as bytes, for statements that have very many. */
  queryBinary(query: BinaryQuery, onRow: (row: BinaryRow) => void): Promise<void>;
}

export interface ScopedTransaction extends ScopedConnection {
  /**
   * Sends a statement whose answer nobody needs, right before what follows; its failure is that of the transaction. What is sent
   * last goes with the commit, in the same round trip.
   */
  send(query: pg.QueryConfig): void;
}

/** Runs statements on a connection. */
export const executorOf = (connection: Pick<ScopedConnection, 'query'>) => ({
  $executeRawUnsafe: async (text: string, ...values: unknown[]): Promise<number> =>
    (await connection.query({ text, values })).rowCount ?? 0,
});

interface State {
  readonly signed: ScopeSigner;
  /** The scope and the limits that it has. */
  entered: string;
}

export function createScopedPool(options: { url: string; poolSize: number; logger: Logger }): ScopedPool {
  const key = scopeKeyOf(options.url);
  const states = new WeakMap<pg.ClientBase, State>();
  const pool = new pg.Pool({
    ...poolOptions(options),
    // eslint-disable-next-line @typescript-eslint/no-misused-promises -- the pool waits for it, which its types do not say
    async onConnect(client) {
      client.on('error', () => undefined);
      states.set(client, { signed: await createScopeSigner(client, key), entered: '' });
    },
  });
  pool.on('error', (error) => options.logger.warn({ err: error }, 'idle database connection lost'));

  const withConnection = async <T>(
    scope: Scope,
    longestMs: number,
    work: (client: pg.PoolClient, entered: Promise<unknown>) => Promise<T>,
    longestLockMs = 0,
  ): Promise<T> => {
    let client: pg.PoolClient | undefined;
    let isBroken = false;
    try {
      client = await pool.connect();
      return await work(client, enter(client, scope, longestMs, longestLockMs));
    } catch (error) {
      isBroken = isUnreachable(error);
      if (isBroken) throw new AppError('E50301', [], { cause: error });
      throw error;
    } finally {
      client?.release(isBroken || states.get(client)?.entered === '');
    }
  };

  /** Sent ahead of the statements, which need not wait: under another scope they would find no row that they may see. */
  const enter = async (
    client: pg.PoolClient,
    scope: Scope,
    longestMs: number,
    longestLockMs: number,
  ): Promise<void> => {
    const state = states.get(client);
    if (!state) throw new Error('A connection without a scope');
    const asked = `${longestMs} ${longestLockMs} ${describeScope(scope)}`;
    if (state.entered === asked) return;
    state.entered = '';
    const { text, values = [] } = state.signed(scope, 'session');
    await client.query({
      text: `${text}, set_config('statement_timeout', $2, false), set_config('lock_timeout', $3, false)`,
      values: [...values, String(longestMs), String(longestLockMs)],
    });
    state.entered = asked;
  };

  const connectionOf = (client: pg.PoolClient, entered: Promise<unknown>): ScopedConnection => {
    entered.catch(() => undefined);
    return {
      async query<Row extends pg.QueryResultRow>(given: pg.QueryConfig) {
        const name = given.name ?? planName(given.text);
        const query = name === undefined ? given : { ...given, name };
        const sent = tracedQuery(query, async () => client.query<Row>(query));
        sent.catch(() => undefined);
        await entered;
        return sent;
      },
      async queryBinary(query, onRow) {
        const sent = tracedQuery(query, async () => queryBinary(client, query, onRow));
        sent.catch(() => undefined);
        await entered;
        return sent;
      },
    };
  };

  return {
    use: async (scope, longestMs, work, longestLockMs) =>
      withConnection(
        scope,
        longestMs,
        async (client, entered) => work(connectionOf(client, entered)),
        longestLockMs,
      ),
    transaction: async (scope, longestMs, work, onSent) =>
      withConnection(scope, longestMs, async (client, entered) =>
        inTransaction('BEGIN', client, connectionOf(client, entered), work, onSent),
      ),
    snapshot: async (scope, longestMs, work) =>
      withConnection(scope, longestMs, async (client, entered) =>
        inTransaction(
          'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
          client,
          connectionOf(client, entered),
          work,
        ),
      ),
    ready: async () => {
      await pool.query('SELECT 1').catch((cause: unknown) => {
        throw new AppError('E50301', [], { cause });
      });
    },
    close: async () => pool.end(),
  };
}

async function inTransaction<T>(
  begin: string,
  client: pg.PoolClient,
  connection: ScopedConnection,
  work: (connection: ScopedTransaction) => Promise<T>,
  onSent?: () => void,
): Promise<T> {
  const sent: Promise<unknown>[] = [];
  const send = (query: pg.QueryConfig) => {
    const one = connection.query(query);
    one.catch(() => undefined);
    sent.push(one);
  };
  send({ text: begin });
  try {
    const result = await work({ ...connection, send });
    // After a failure it takes everything back without a word: what was sent before it tells.
    send({ text: 'COMMIT' });
    onSent?.();
    await Promise.all(sent);
    return result;
  } catch (error) {
    // The pool takes no connection back with an open transaction.
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}
