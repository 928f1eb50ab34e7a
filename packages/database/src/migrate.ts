import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Logger } from '@portal/kernel';
import type { MigrationList } from '@prisma/schema-engine-wasm';
import pg from 'pg';
import { isMissing } from './files.ts';
import { withSchemaEngine } from './schema-engine.ts';
import { withClient } from './with-client.ts';

/** What every database has, whatever the service. */
const ownMigrations = fileURLToPath(new URL('../migrations', import.meta.url));
/** Held by the one instance that migrates. */
const MIGRATE_LOCK = 0x6d69_6772;
const UNDEFINED_TABLE = '42P01';

interface Migration {
  /** `<timestamp>_<name>`, the order of application. */
  name: string;
  sql: string;
}

/**
 * Applies the migrations (`<directory>/<timestamp>_<name>/migration.sql`) that the database of `url` has not had, those
 * of all directories in the order of their names, as `prisma migrate deploy` does, and answers the names of those applied.
 * Each is one transaction, its mark in `_prisma_migrations` and row-level security of new tables included: after a failure
 * or a kill the next start tries again. Safe with several instances at once; where nothing is due it costs one query.
 * Row-level security binds the owner as well: migrations run in the scope of the system, which the owner need not sign.
 *
 * Rejects when an applied migration was edited since, or when a statement fails.
 */
export async function migrate(options: {
  /** Of the role that owns the database. */
  url: string;
  directories: readonly string[];
  logger?: Logger;
}): Promise<string[]> {
  const migrations = await readMigrations([ownMigrations, ...options.directories]);
  const pending = await withClient(options.url, (client) => pendingOf(client, migrations));
  if (pending.length === 0) return [];
  return withSchemaEngine(options.url, async ({ engine, connection, transaction }) => {
    await connection.query('SELECT pg_advisory_lock($1)', [MIGRATE_LOCK]);
    await connection.query(`SET app.scope = 'system'`);
    const due = await pendingOf(connection, migrations);
    for (const migration of due) {
      const upToThis = migrations.slice(0, migrations.indexOf(migration) + 1);
      try {
        await transaction(async () => {
          await engine.applyMigrations({ migrationsList: listOf(upToThis), filters: noFilter });
          await connection.query('SELECT scope.guard()');
        });
      } catch (cause) {
        throw new Error(`Migration ${migration.name} failed: ${messageOf(cause)}`, { cause });
      }
      options.logger?.info({ migration: migration.name }, 'migration applied');
    }
    return due.map(({ name }) => name);
  });
}

/**
 * Resolves where the database of `url` has had all the migrations, or more: a newer version may have begun its upgrade.
 * @throws Error that says which one it waits for
 */
export async function assertMigrated(options: {
  /** Of any role that may read the database. */
  url: string;
  directories: readonly string[];
}): Promise<void> {
  const migrations = await readMigrations([ownMigrations, ...options.directories]);
  const [next, ...more] = await withClient(options.url, (client) => pendingOf(client, migrations));
  if (next)
    throw new Error(
      `it lacks the migration ${next.name}${more.length > 0 ? ` and ${more.length} more` : ''}`,
    );
}

export const noFilter = { externalTables: [], externalEnums: [] };

async function readMigrations(directories: readonly string[]): Promise<Migration[]> {
  const lists = await Promise.all(directories.map(readDirectory));
  return lists.flat().sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function readDirectory(directory: string): Promise<Migration[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.map(async (name) => ({
      name,
      sql: await readFile(join(directory, name, 'migration.sql'), 'utf8'),
    })),
  );
}

async function pendingOf(client: pg.Client, migrations: readonly Migration[]): Promise<Migration[]> {
  const applied = await appliedChecksums(client);
  return migrations.filter(({ name, sql }) => {
    const checksum = applied.get(name);
    if (checksum === undefined) return true;
    if (checksum === createHash('sha256').update(sql).digest('hex')) return false;
    throw new Error(`Migration ${name} was edited after it was applied: write a new one instead`);
  });
}

async function appliedChecksums(client: pg.Client): Promise<Map<string, string>> {
  try {
    const { rows } = await client.query<{ migration_name: string; checksum: string }>(
      'SELECT migration_name, checksum FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL',
    );
    return new Map(rows.map((row) => [row.migration_name, row.checksum]));
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === UNDEFINED_TABLE) return new Map();
    throw error;
  }
}

function listOf(migrations: readonly Migration[]): MigrationList {
  return {
    baseDir: '',
    lockfile: { path: 'migration_lock.toml', content: null },
    shadowDbInitScript: '',
    migrationDirectories: migrations.map(({ name, sql }) => ({
      path: name,
      migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: sql } },
    })),
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
