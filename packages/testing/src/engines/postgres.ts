import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@portal/database';
import { freePort } from '../product.ts';
import { engineIsInDocker, startInDocker } from './docker.ts';
import { type Engine, type StoredEngine, storedIn } from './engine-process.ts';

export interface PostgresEngine extends StoredEngine {
  /** URL of the superuser. */
  readonly adminUrl: string;
}

/** A PostgreSQL server, in Docker where that runs. */
export async function startPostgres({
  dataDir,
  host,
}: {
  readonly dataDir: string;
  readonly host?: string;
}): Promise<PostgresEngine> {
  if (host || !(await engineIsInDocker())) return startNatively(dataDir, host);
  const engine = await startInDocker('postgres', dataDir);
  const { POSTGRES_PASSWORD: password = '' } = engine.environment;
  return {
    ...engine,
    adminUrl: `postgresql://postgres:${encodeURIComponent(password)}@${engine.address}/postgres`,
  };
}

/** That of the embedded host, at the same port over all its lives. */
async function startNatively(dataDir: string, host?: string): Promise<PostgresEngine> {
  const port = await freePort();
  let server: EmbeddedPostgres | undefined;
  let pid: number | undefined;

  async function start(): Promise<string> {
    server ??= await startEmbeddedPostgres({ dataDir, port, ...(host && { host }) });
    // The server's own word.
    const [line] = (await readFile(join(dataDir, 'cluster', 'postmaster.pid'), 'utf8')).split('\n');
    pid = Number(line);
    const url = new URL(server.adminUrl);
    url.hostname = host ?? url.hostname;
    return url.href;
  }

  async function stop(): Promise<void> {
    const stopping = server;
    server = undefined;
    pid = undefined;
    await stopping?.stop();
  }

  const adminUrl = await start();
  const engine: Engine = {
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
  return Object.assign(storedIn(dataDir, engine), { adminUrl });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
