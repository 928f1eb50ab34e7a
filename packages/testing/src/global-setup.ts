import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateClients, startEmbeddedPostgres } from '@portal/database';
import type { TestProject } from 'vitest/node';
import { chooseDataPlace, dataFolder } from './data-folder.ts';
import { runFolderSetting } from './made-once.ts';
import { root } from './project.ts';
import { serveSharedProducts } from './shared-products.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the superuser of the PostgreSQL of this test run. */
    postgresAdminUrl: string;
    /** Where test files ask for the product that they share. */
    sharedProducts: string;
  }
}

/** Generates stale clients, and starts one PostgreSQL for the whole test run, in a folder that goes with it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Here, once: the test files run side by side.
  await generateClients(join(root, 'services'));
  await generateClients(join(root, 'examples'));
  await generateClients(join(root, 'packages', 'database', 'test'));
  await chooseDataPlace();
  const dataDir = await dataFolder('portal-test-postgres-');
  const server = await startEmbeddedPostgres({ dataDir, durable: false });
  project.provide('postgresAdminUrl', server.adminUrl);
  const runFolder = await mkdtemp(join(tmpdir(), 'portal-test-run-'));
  // The processes of the test files inherit it.
  process.env[runFolderSetting] = runFolder;
  // What Node has compiled for one process, it need not compile for the next.
  process.env['NODE_COMPILE_CACHE'] = join(runFolder, 'compiled');
  const shared = await serveSharedProducts();
  project.provide('sharedProducts', shared.url);
  return async () => {
    await shared.stop();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
    // A process writes what it has compiled when it exits, which the last ones may just do.
    await rm(runFolder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  };
}
