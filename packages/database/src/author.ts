import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from './embedded-postgres/index.ts';
import { migrate, noFilter } from './migrate.ts';
import { provisionDatabase } from './provision.ts';
import { withSchemaEngine } from './schema-engine.ts';

const packages = join(import.meta.dirname, '../..');
/** What the database of every service has besides its own tables, and its migrations may build on. */
const commonMigrations = ['messaging', 'service-kit'].map((name) => join(packages, name, 'migrations'));

/** Where a service keeps its migrations. */
export function migrationsDir(serviceDir: string): string {
  return join(serviceDir, 'prisma', 'migrations');
}

/**
 * Writes the migration that takes the service's database from what its migrations make to what `prisma/schema.prisma`
 * says. Answers its file, or undefined where nothing changed.
 */
export async function newMigration(serviceDir: string, name: string, now: Date): Promise<string | undefined> {
  if (!/^[a-z][a-z0-9_]*$/.test(name)) throw new Error(`Not a name of a migration: ${name}`);
  const changes = await pendingChanges(serviceDir);
  if (changes === '') return undefined;
  const timestamp = now.toISOString().replaceAll(/\D/g, '').slice(0, 14);
  const directory = join(migrationsDir(serviceDir), `${timestamp}_${name}`);
  const file = join(directory, 'migration.sql');
  await mkdir(directory, { recursive: true });
  await writeFile(file, changes);
  return file;
}

/** Rejects with the missing SQL when the service's migrations do not make what its `prisma/schema.prisma` says. */
export async function assertNoDrift(serviceDir: string): Promise<void> {
  const changes = await pendingChanges(serviceDir);
  if (changes !== '') throw new Error(`The migrations of ${serviceDir} lack:\n${changes}`);
}

/** The SQL between the migrations and the schema. Other schemas than `public`, and policies, are not compared. */
async function pendingChanges(serviceDir: string): Promise<string> {
  const schema = await readFile(join(serviceDir, 'prisma', 'schema.prisma'), 'utf8');
  const files = [{ path: 'schema.prisma', content: schema }];
  return withScratchDatabase(async (url) => {
    await migrate({ url, directories: [...commonMigrations, migrationsDir(serviceDir)] });
    return withSchemaEngine(url, async ({ engine }) => {
      const { stdout } = await engine.diff({
        from: { tag: 'schemaDatasource', files, configDir: serviceDir },
        to: { tag: 'schemaDatamodel', files },
        script: true,
        exitCode: null,
        filters: noFilter,
      });
      const script = stdout ?? '';
      return script.includes('This is an empty migration') ? '' : script;
    });
  });
}

async function withScratchDatabase<T>(work: (ownerUrl: string) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'portal-schema-'));
  try {
    const server = await startEmbeddedPostgres({ dataDir, durable: false });
    try {
      const { ownerUrl } = await provisionDatabase({
        adminUrl: server.adminUrl,
        service: 'scratch',
        password: 'scratch',
        ownerPassword: 'scratch',
      });
      return await work(ownerUrl);
    } finally {
      await server.stop();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}
