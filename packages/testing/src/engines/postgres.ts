import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@portal/database';
import { freePort } from '../product.ts';
import type { Engine } from './engine-process.ts';

export interface PostgresEngine extends Engine {
  /** URL of the superuser. */
  readonly adminUrl: string;
}

/** The PostgreSQL of the embedded host, at the same port over all its lives. */
export async function startPostgres({ dataDir }: { readonly dataDir: string }): Promise<PostgresEngine> {
  const port = await freePort();
  let server: EmbeddedPostgres | undefined;
  let pid: number | undefined;

  async function start(): Promise<string> {
    server ??= await startEmbeddedPostgres({ dataDir, port });
    // The server's own word.
    const [line] = (await readFile(join(dataDir, 'cluster', 'postmaster.pid'), 'utf8')).split('\n');
    pid = Number(line);
    return server.adminUrl;
  }

  async function stop(): Promise<void> {
    const stopping = server;
    server = undefined;
    pid = undefined;
    await stopping?.stop();
  }

  const adminUrl = await start();
  return {
    adminUrl,
    get pid() {
      return pid;
    },
    start: async () => void (await start()),
    stop,
    async kill() {
      if (pid !== undefined) {
        process.kill(pid, 'SIGKILL');
        while (isAlive(pid)) await sleep(20);
      }
      await stop();
    },
  };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
