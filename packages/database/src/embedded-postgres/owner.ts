import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { platform } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { isMissing } from '../files.ts';

const run = promisify(execFile);

/** The process that holds this session lock in the database `postgres` owns the server. */
const OWNER_LOCK = 0x706f_7274;
const PATIENCE_MS = 30_000;

/** Stops the server of this cluster that outlived its owner; rejects if the owner is alive. */
export async function stopOrphan(
  cluster: string,
  password: string,
  stopServer: () => Promise<void>,
): Promise<void> {
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

/** The port of the server that runs on this cluster; undefined if none runs. */
export async function portOf(cluster: string): Promise<number | undefined> {
  const { pid, port } = await postmasterOf(cluster);
  return pid !== 0 && isAlive(pid) && (await isServer(pid)) ? port : undefined;
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

/** Makes this process the server's owner, for as long as the connection lasts. */
export async function connectOwner(adminUrl: string): Promise<pg.Client> {
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

/** URL of the superuser on the database `postgres`. */
export function adminUrlOf(port: number, password: string): string {
  return `postgresql://postgres:${password}@127.0.0.1:${port}/postgres`;
}
