import { AsyncLocalStorage } from 'node:async_hooks';
import { AppError, inSpan, type Logger } from '@portal/kernel';
import { PrismaPg } from '@prisma/adapter-pg';
import type { SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import pg from 'pg';
import { isConflict, isUnreachable } from './database-errors.ts';
import { planName } from './kept-plan.ts';
import { CONNECT_TIMEOUT_MS, poolOptions } from './pool-options.ts';
import { createScopeSigner, describeScope, type Scope, type ScopeSigner, scopeKeyOf } from './scope.ts';
import { sendBegin } from './send-begin.ts';

export type Isolation = 'read committed' | 'repeatable read' | 'serializable';

/**
 * A service's database. There is no way to query outside a transaction, nor a transaction without a scope: row-level
 * security follows from it. `Tx` is the generated `Prisma.TransactionClient`.
 *
 * Every method rejects with `E50301` where the database cannot be reached.
 */
export interface Database<Tx extends Executor> {
  /**
   * Runs `work` in one transaction. It may be run again, up to three times more, when it collides with another
   * (serialization failure, deadlock), so it must have no effect besides its statements. It is broken off after
   * `longestMs`; each statement after 30 s. One that waits for a row longer than `longestLockMs` fails: `isLockTimeout`.
   */
  transaction<T>(
    scope: Scope,
    work: (tx: Tx) => Promise<T>,
    options?: { isolation?: Isolation; longestMs?: number; longestLockMs?: number | undefined },
  ): Promise<T>;
  /** As `transaction`, seeing one moment throughout and refusing to write. */
  read<T>(scope: Scope, work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Gives what is left of a transaction another scope: for events of many tenants, which are handled in one. */
  enter(tx: Tx, scope: Scope): Promise<void>;
  /** How the connections are used at this moment. */
  poolUse(): PoolUse;
  /** Resolves when the database answers. */
  ready(): Promise<void>;
  /** Closes the connections after the running transactions have ended. */
  close(): Promise<void>;
}

export interface PoolUse {
  readonly used: number;
  readonly idle: number;
  /** Transactions that wait for a connection. */
  readonly waiting: number;
  readonly max: number;
}

/** What is used of a generated `Prisma.TransactionClient`. */
export interface Executor {
  $executeRawUnsafe(sql: string, ...params: unknown[]): PromiseLike<number>;
}

/** What is used of a generated `PrismaClient`. */
interface TransactionalClient<Tx> {
  $transaction<T>(work: (tx: Tx) => Promise<T>, options: { maxWait: number; timeout: number }): Promise<T>;
  $disconnect(): Promise<void>;
}

const STATEMENT_TIMEOUT_MS = 30_000;
const TRANSACTION_TIMEOUT_MS = 60_000;
const RETRIES = 3;

/** Opens the database of `url` (a role without rights beyond rows; see `provisionDatabase`). Connects at first use. */
export function createDatabase<Tx extends Executor>(options: {
  url: string;
  /** Most connections at once; further transactions wait for one, at most five seconds. */
  poolSize: number;
  /** The class that Prisma generated for the service. */
  PrismaClient: new (options: {
    adapter: SqlDriverAdapterFactory;
  }) => TransactionalClient<Tx>;
  logger: Logger;
}): Database<Tx> {
  const { logger } = options;
  const key = scopeKeyOf(options.url);
  const pool = new pg.Pool({
    ...poolOptions(options),
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: TRANSACTION_TIMEOUT_MS,
    // eslint-disable-next-line @typescript-eslint/no-misused-promises -- the pool waits for it, which its types do not say
    async onConnect(client) {
      // Its queries are rejected with the error. Between the pool's listener and Prisma's there is a moment without any,
      // and a connection that breaks in it would end the process.
      client.on('error', () => undefined);
      const signed = await createScopeSigner(client, key);
      // Prisma's BEGIN takes the transaction's mode and scope along, in the same round trip.
      sendBegin(client, () => {
        const opened = transactionBeingOpened();
        opened.signed = signed;
        const { longestLockMs, mode, scope } = opened;
        const { text, values = [] } = signed(scope, 'transaction');
        const then =
          longestLockMs === undefined
            ? { text, values }
            : {
                text: `${text}, set_config('lock_timeout', $2, true)`,
                values: [...values, String(longestLockMs)],
              };
        return { begin: `BEGIN ${mode}`, then };
      });
    },
  });
  // Prisma listens until it disconnects; a connection that breaks after that must not end the process.
  pool.on('error', () => undefined);
  const adapter = new PrismaPg(pool, {
    onPoolError: (error) => logger.warn({ err: error }, 'idle database connection lost'),
    onConnectionError: (error) => logger.warn({ err: error }, 'database connection lost'),
    // Without a name nothing is kept, which its type does not say.
    statementNameGenerator: ({ sql }) => planName(sql) as string,
  });
  const client = new options.PrismaClient({ adapter });

  const signers = new WeakMap<Tx, ScopeSigner>();
  const run = async <T>(
    transaction: OpenedTransaction,
    work: (tx: Tx) => Promise<T>,
    timeout = TRANSACTION_TIMEOUT_MS,
  ): Promise<T> => {
    for (let attempt = 0; ; attempt++) {
      try {
        return await opening.run(transaction, () =>
          client.$transaction(
            async (tx) => {
              if (transaction.signed) signers.set(tx, transaction.signed);
              return work(tx);
            },
            { maxWait: CONNECT_TIMEOUT_MS, timeout },
          ),
        );
      } catch (error) {
        if (isUnreachable(error)) throw new AppError('E50301', [], { cause: error });
        if (!isConflict(error) || attempt === RETRIES) throw error;
        logger.debug({ err: error, attempt }, 'transaction collided, trying again');
      }
    }
  };

  return {
    transaction: async (scope, work, { isolation = 'read committed', longestLockMs, longestMs } = {}) =>
      inSpan('transaction', { kind: 'internal', attributes: scopeAttribute(scope) }, async () =>
        run({ mode: `ISOLATION LEVEL ${isolation}`, scope, longestLockMs }, work, longestMs),
      ),
    read: async (scope, work) =>
      inSpan('read', { kind: 'internal', attributes: scopeAttribute(scope) }, async () =>
        run({ mode: 'ISOLATION LEVEL repeatable read READ ONLY', scope }, work),
      ),
    async enter(tx, scope) {
      const signed = signers.get(tx);
      if (signed === undefined) throw new Error('No open transaction of this database');
      const { text, values = [] } = signed(scope, 'transaction');
      await tx.$executeRawUnsafe(text, ...values);
    },
    poolUse: () => ({
      used: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
      max: options.poolSize,
    }),
    ready: async () => {
      await pool.query('SELECT 1').catch((cause: unknown) => {
        throw new AppError('E50301', [], { cause });
      });
    },
    close: async () => {
      await client.$disconnect();
      await pool.end();
    },
  };
}

interface OpenedTransaction {
  readonly mode: string;
  readonly scope: Scope;
  readonly longestLockMs?: number | undefined;
  /** Signs for its connection, which it has once it is open. */
  signed?: ScopeSigner;
}

const opening = new AsyncLocalStorage<OpenedTransaction>();

function transactionBeingOpened(): OpenedTransaction {
  const transaction = opening.getStore();
  if (transaction === undefined) throw new Error('A transaction without a scope');
  return transaction;
}

function scopeAttribute(scope: Scope): { 'portal.scope': string } {
  return { 'portal.scope': describeScope(scope) };
}
