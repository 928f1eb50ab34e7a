import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@portal/database';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the superuser of the PostgreSQL of this test run. */
    postgresAdminUrl: string;
  }
}

/** Starts one PostgreSQL for the whole test run, in a folder that goes with it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'portal-test-postgres-'));
  const server = await startEmbeddedPostgres({ dataDir, durable: false });
  project.provide('postgresAdminUrl', server.adminUrl);
  return async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}
