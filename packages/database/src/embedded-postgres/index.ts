import type { ChildProcess } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Logger } from '@portal/kernel';
import { ensureCluster, loadBinaries, passwordOf } from './cluster.ts';
import { execute, launcher } from './launcher.ts';
import { adminUrlOf, connectOwner, portOf, stopOrphan } from './owner.ts';
import { openTo, settings } from './settings.ts';

const READY = 'database system is ready to accept connections';
const PATIENCE_MS = 30_000;

export interface EmbeddedPostgres {
  /** URL of the superuser on the database `postgres`. */
  readonly adminUrl: string;
  /** Ends open sessions, shuts the server down and resolves once its process is gone. */
  stop(): Promise<void>;
}

/**
 * Starts the PostgreSQL that comes from npm on a free port of 127.0.0.1, with its data in `dataDir/cluster`
 * and the superuser's random password in `dataDir/password` (mode 0600), and resolves once it answers.
 *
 * It is in a process group of its own and no signal or exit handler is installed: whoever started it stops it,
 * last of all. A server that a killed process left behind is stopped first; one whose owner still lives is an
 * error. `durable: false` gives up safety against a crash of the machine for speed: for tests alone.
 *
 * PostgreSQL refuses to run as root: there it runs as the owner of existing data, else as `postgres`, else as
 * `nobody`.
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string;
  logger?: Logger;
  durable?: boolean;
  /** Where it listens, for a server that comes back where it was; any free port by default. */
  port?: number;
  /** An address of this machine that it listens on besides 127.0.0.1, for clients on other machines. */
  host?: string;
}): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir);
  const durable = options.durable ?? true;
  const cluster = join(dataDir, 'cluster');
  const binaries = await loadBinaries();
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const launch = await launcher(dataDir, dirname(binaries.postgres));
  const password = await ensureCluster({ binaries, cluster, dataDir, durable, launch });
  const opened = options.host === undefined ? [] : await openTo(options.host, dataDir, launch);

  const stopServer = async (): Promise<void> => {
    const stopWith = (mode: 'fast' | 'immediate') =>
      execute(launch, binaries.pg_ctl, [
        'stop',
        '-D',
        cluster,
        '-m',
        mode,
        '-w',
        '-t',
        `${PATIENCE_MS / 1000}`,
      ]);
    await stopWith('fast').catch(() => stopWith('immediate'));
  };
  await stopOrphan(cluster, password, stopServer);

  const port = options.port ?? (await freePort());
  const adminUrl = adminUrlOf(port, password);
  const server = launch.spawn(binaries.postgres, [
    '-D',
    cluster,
    '-p',
    `${port}`,
    ...settings(durable),
    ...opened,
  ]);
  await untilReady(server, options.logger);
  let stopping = false;
  const gone = new Promise<void>((done) => {
    server.once('exit', (code, signal) => {
      if (!stopping) options.logger?.error({ code, signal }, 'PostgreSQL ended by itself');
      done();
    });
  });
  const owner = await connectOwner(adminUrl);

  return {
    adminUrl,
    stop: async () => {
      if (stopping) return gone;
      stopping = true;
      await owner.end().catch(() => undefined);
      if (server.exitCode === null && server.signalCode === null) await stopServer();
      await gone;
    },
  };
}

/** URL of the superuser of the server that runs on `dataDir`; undefined if none runs. */
export async function findEmbeddedPostgres(dataDir: string): Promise<string | undefined> {
  const port = await portOf(join(dataDir, 'cluster'));
  return port === undefined ? undefined : adminUrlOf(port, await passwordOf(dataDir));
}

async function untilReady(server: ChildProcess, logger: Logger | undefined): Promise<void> {
  const { stderr } = server;
  if (!stderr) throw new Error('PostgreSQL has no standard error');
  const lines: string[] = [];
  await new Promise<void>((done, fail) => {
    createInterface(stderr).on('line', (line) => {
      if (line.startsWith('FATAL') || line.startsWith('PANIC')) logger?.warn({ line }, 'PostgreSQL');
      else logger?.debug({ line }, 'PostgreSQL');
      if (line.includes(READY)) done();
      if (lines.length < 50) lines.push(line);
    });
    server.once('error', fail);
    server.once('exit', () => fail(new Error(`PostgreSQL did not start: ${lines.join('\n')}`)));
  });
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((done, fail) => probe.once('error', fail).listen(0, '127.0.0.1', done));
  const address = probe.address();
  await new Promise<void>((done) => probe.close(() => done()));
  if (address === null || typeof address === 'string') throw new Error('No free port');
  return address.port;
}
