import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { PrismaPg } from '@prisma/adapter-pg';
import {
  bindMigrationAwareSqlAdapterFactory,
  ColumnTypeEnum,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import type { SchemaEngine } from '@prisma/schema-engine-wasm';
import pg from 'pg';
import { withClient } from './with-client.ts';

const require = createRequire(import.meta.url);

/** The object identifier of the type `name`. */
const NAME = 19;

/** A schema engine, and the one connection that everything it does goes through. */
export interface ConnectedEngine {
  readonly engine: SchemaEngine;
  readonly connection: pg.Client;
  /** Runs `work` in one transaction, whatever statements the engine sends in it. */
  transaction<T>(work: () => Promise<T>): Promise<T>;
}

/** Runs `work` with Prisma's schema engine on the database of `url`. */
export async function withSchemaEngine<T>(
  url: string,
  work: (connected: ConnectedEngine) => Promise<T>,
): Promise<T> {
  return withClient(url, (connection) => runEngine(connection, work));
}

async function runEngine<T>(
  connection: pg.Client,
  work: (connected: ConnectedEngine) => Promise<T>,
): Promise<T> {
  const state = { inTransaction: false };
  const adapters = bindMigrationAwareSqlAdapterFactory(migrationAdapters(connection, state));
  const transaction: ConnectedEngine['transaction'] = async (steps) => {
    await connection.query('BEGIN');
    state.inTransaction = true;
    try {
      const result = await steps();
      await connection.query('COMMIT');
      return result;
    } catch (error) {
      await connection.query('ROLLBACK');
      throw error;
    } finally {
      state.inTransaction = false;
    }
  };
  const { SchemaEngine } = await loadWasm();
  const engine = await SchemaEngine.new({ datamodels: undefined }, () => undefined, adapters);
  return work({ engine, connection, transaction });
}

/** What of it is used here; TypeScript has its types in the library for browsers alone. */
declare const WebAssembly: {
  instantiate(
    bytes: Uint8Array,
    imports: object,
  ): Promise<{ instance: { exports: Record<string, unknown> } }>;
};

let wasm: Promise<typeof import('@prisma/schema-engine-wasm')> | undefined;

/** As `import('@prisma/schema-engine-wasm')`, without Node's warning about the import of a WebAssembly module. */
function loadWasm(): Promise<typeof import('@prisma/schema-engine-wasm')> {
  // The JavaScript around it knows one instance alone.
  wasm ??= instantiateWasm();
  return wasm;
}

async function instantiateWasm(): Promise<typeof import('@prisma/schema-engine-wasm')> {
  const glue = await import('@prisma/schema-engine-wasm/schema_engine_bg');
  const bytes = await readFile(
    require.resolve('@prisma/schema-engine-wasm/schema_engine_bg').replace(/\.js$/, '.wasm'),
  );
  const { instance } = await WebAssembly.instantiate(bytes, { './schema_engine_bg.js': glue });
  glue.__wbg_set_wasm(instance.exports);
  const { __wbindgen_start: start } = instance.exports;
  if (typeof start === 'function') start();
  return glue;
}

/** Prisma's adapter on `connection`, with three of its ways put right for migrations. */
function migrationAdapters(
  connection: pg.Client,
  state: { readonly inTransaction: boolean },
): SqlMigrationAwareDriverAdapterFactory {
  const { CHAR, TEXT } = pg.types.builtins;
  // The adapter refuses the types of the catalogue that the engine reads (prisma/orm#27403).
  let characters: boolean[] = [];
  const query = async (config: pg.QueryArrayConfig): Promise<pg.QueryArrayResult> => {
    const result = lastOf(
      await (state.inTransaction ? queryInSavepoint(connection, config) : connection.query(config)),
    );
    characters = result.fields.map(({ dataTypeID }) => dataTypeID === CHAR);
    const known = (type: number) => (type === CHAR || type === NAME ? TEXT : type);
    return {
      ...result,
      fields: result.fields.map((field) => ({ ...field, dataTypeID: known(field.dataTypeID) })),
    };
  };
  // It wants a pool, but a pool drops a connection at its first error, and with it the transaction and the lock.
  const neverConnected = new pg.Pool();
  const factory = new PrismaPg(
    new Proxy(neverConnected, {
      get: (pool, key) => (key === 'query' ? query : Reflect.get(pool, key, pool)),
    }),
  );
  const connect = async (): Promise<SqlDriverAdapter> => {
    const adapter = await factory.connect();
    const queryRaw = adapter.queryRaw.bind(adapter);
    adapter.queryRaw = async (sqlQuery) => {
      const result = await queryRaw(sqlQuery);
      const columnTypes = result.columnTypes.map((type, i) =>
        characters[i] ? ColumnTypeEnum.Character : type,
      );
      return { ...result, columnTypes };
    };
    // It splits scripts at every semicolon, inside functions and strings too; PostgreSQL itself knows better.
    adapter.executeScript = async (sql) => {
      await adapter.executeRaw({ sql, args: [], argTypes: [] });
    };
    return adapter;
  };
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect,
    connectToShadowDb: () =>
      Promise.reject(new Error('No shadow databases: migrations are compared on a scratch one')),
  };
}

/** The engine goes on after a failed statement, which would otherwise end the transaction that it is in. */
async function queryInSavepoint(
  connection: pg.Client,
  config: pg.QueryArrayConfig,
): Promise<pg.QueryArrayResult> {
  await connection.query('SAVEPOINT query');
  try {
    const result = await connection.query(config);
    await connection.query('RELEASE SAVEPOINT query');
    return result;
  } catch (error) {
    await connection.query('ROLLBACK TO SAVEPOINT query');
    throw error;
  }
}

/** A script of several statements has a result for each. */
function lastOf(results: pg.QueryArrayResult | pg.QueryArrayResult[]): pg.QueryArrayResult {
  const last = Array.isArray(results) ? results.at(-1) : results;
  if (!last) throw new Error('PostgreSQL gave no result');
  return last;
}
