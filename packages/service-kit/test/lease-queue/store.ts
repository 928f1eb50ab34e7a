import { fileURLToPath } from 'node:url';
import { enterScope, type Scope } from '@portal/database';
import { inTransaction, messagingMigrations, pgExecutor, type SqlExecutor } from '@portal/messaging';
import { Pool } from 'pg';
import type { Store } from '../../src/index.ts';

/** The migrations that make the table of tasks. */
export const directories = [messagingMigrations, fileURLToPath(new URL('../../migrations', import.meta.url))];

/** A store without events, on connections of the service's own role: row-level security is in force. */
export function storeOn(url: string): Store<SqlExecutor> & { end(): Promise<void> } {
  const pools = new Map<string, Pool>();
  function poolOf(scope: Scope): Pool {
    const name = JSON.stringify(scope);
    const known = pools.get(name);
    if (known) return known;
    const pool = new Pool({
      connectionString: url,
      max: 4,
      // eslint-disable-next-line @typescript-eslint/no-misused-promises -- the pool waits for it, which its types do not say
      onConnect: async (client) => enterScope(client, url, scope),
    });
    pool.on('error', () => undefined);
    pools.set(name, pool);
    return pool;
  }
  const outbox = {
    append(): never {
      throw new Error('No events here');
    },
    async flush() {},
    appendRows(): never {
      throw new Error('No events here');
    },
  };
  return {
    read: async (scope, work) => work(pgExecutor(poolOf(scope))),
    write: async (scope, work) => inTransaction(poolOf(scope), async (db) => work({ db, outbox })),
    async end() {
      await Promise.all([...pools.values()].map(async (pool) => pool.end()));
    },
  };
}
