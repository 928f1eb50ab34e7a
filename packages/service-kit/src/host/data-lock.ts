import { readFileSync } from 'node:fs';
import { link, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readIfThere, unless } from './secrets.ts';

/** Another process uses the data folder. */
export class DataFolderInUse extends Error {
  override readonly name = 'DataFolderInUse';
}

/**
 * Takes the data folder for this process: two on one folder would destroy each other's files. A lock that a killed
 * process left behind counts for nothing, also when its process id has been given to another since.
 * @returns the function that releases the folder
 */
export async function lockDataFolder(dataDir: string): Promise<() => Promise<void>> {
  await mkdir(dataDir, { recursive: true, mode: 0o755 });
  const lock = join(dataDir, 'portal.pid');
  const own = `${process.pid} ${startOf(process.pid)}\n`;
  const claim = `${lock}.${process.pid}`;
  await writeFile(claim, own, { mode: 0o600 });
  try {
    await take(lock, claim, dataDir);
  } finally {
    await rm(claim, { force: true });
  }
  return () => rm(lock, { force: true });
}

async function take(lock: string, claim: string, dataDir: string): Promise<void> {
  // `link` is the one step that only one of two starters can take.
  while (!(await tryLink(claim, lock))) {
    const holder = await readIfThere(lock);
    if (holder === undefined) continue;
    const [pid, start] = holder.trim().split(' ');
    if (pid && startOf(Number(pid)) === start) {
      throw new DataFolderInUse(`The data folder ${dataDir} is in use by process ${pid}.`);
    }
    // Another may have seen the same, and have taken the folder since: so one at a time removes what it still sees.
    const removal = `${lock}.stale`;
    await take(removal, claim, dataDir);
    if ((await readIfThere(lock)) === holder) await rm(lock, { force: true });
    await rm(removal, { force: true });
  }
}

const tryLink = async (from: string, to: string): Promise<boolean> =>
  (await link(from, to).then(() => true, unless('EEXIST'))) ?? false;

/**
 * Tells this life of a process id from another: its start in ticks where /proc has it, else only that it lives. One that
 * was killed and that its parent has not noticed yet (a zombie) does not live.
 */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program stands in parentheses and may hold spaces; the state is the first field after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? undefined : fields[19];
  } catch {
    return isAlive(pid) && process.platform !== 'linux' ? 'alive' : undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
