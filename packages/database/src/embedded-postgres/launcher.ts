import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chown, stat } from 'node:fs/promises';
import { dirname, join, parse } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** How commands of PostgreSQL are started: as they are, or under another user where this process is root. */
export interface Launcher {
  /** Hands a file over to the user that PostgreSQL runs as. */
  own(path: string): Promise<void>;
  spawn(command: string, args: readonly string[]): ChildProcess;
}

/** PostgreSQL refuses to run as root: there it runs as the owner of existing data, else as `postgres`, else as `nobody`. */
export async function launcher(dataDir: string, binDir: string): Promise<Launcher> {
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
export async function execute(launch: Launcher, command: string, args: readonly string[]): Promise<void> {
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
