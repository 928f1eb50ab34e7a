import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DataFolderInUse, lockDataFolder } from '../src/host/data-lock.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portal-lock-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('When the folder is taken, then a second start is refused until it is given back', async () => {
  const unlock = await lockDataFolder(folder);
  await expect(lockDataFolder(folder)).rejects.toThrow(DataFolderInUse);
  await unlock();
  await (await lockDataFolder(folder))();
  expect(await readdir(folder)).toEqual([]);
});

test('When the holder was killed and its parent has not noticed, then the next start takes the folder', async (context) => {
  context.skip(process.platform !== 'linux', 'only Linux tells of zombies in /proc');
  // The shell becomes a program that waits for none of its children, so that the holder stays a zombie.
  const script = 'sleep 60 & echo $!; exec sleep 60';
  const parent = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const pid = Number(String((await once(parent.stdout, 'data'))[0]));
    const statOf = async (of: number | undefined) => readFile(`/proc/${of}/stat`, 'utf8');
    // A shell would notice the end of what it started. The holder itself may still be a copy of the shell.
    await expect.poll(() => statOf(parent.pid)).toContain('(sleep)');
    const start = (await statOf(pid)).split(' ')[21];
    await writeFile(join(folder, 'portal.pid'), `${pid} ${start}\n`);
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => statOf(pid)).toMatch(/\) Z /);
    await (await lockDataFolder(folder))();
  } finally {
    parent.kill();
  }
});

/** Another process that has taken the folder. */
async function startHolder(): Promise<{ pid: number | undefined; kill(): Promise<void> }> {
  const script = `import { lockDataFolder } from '${join(import.meta.dirname, '../src/host/data-lock.ts')}';
    await lockDataFolder(${JSON.stringify(folder)}); console.log('taken'); setInterval(() => {}, 1000);`;
  const holder = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(holder.stdout, 'data');
  return {
    pid: holder.pid,
    async kill() {
      const ended = once(holder, 'exit');
      holder.kill('SIGKILL');
      await ended;
    },
  };
}

test('When the holder was killed, then the next start takes the folder, also if its process id lives again', async () => {
  const holder = await startHolder();
  await expect(lockDataFolder(folder)).rejects.toThrow(`process ${holder.pid}`);
  await holder.kill();
  await (await lockDataFolder(folder))();

  await writeFile(join(folder, 'portal.pid'), `${process.pid} 1\n`);
  await (await lockDataFolder(folder))();
});

test('When another takes the folder of a killed holder after a look at its lock, then it keeps it', async (context) => {
  context.skip(process.platform === 'win32', 'there are no named pipes in folders');
  // Who reads a pipe has opened it, and does not know yet what is in it.
  const lock = join(folder, 'portal.pid');
  await promisify(execFile)('mkfifo', [lock]);
  const late = expect(lockDataFolder(folder)).rejects.toThrow(DataFolderInUse);
  const pipe = await open(lock, 'w');
  await rm(lock);
  const holder = await startHolder();
  try {
    await pipe.write(`${process.pid} 1\n`);
    await pipe.close();
    await late;
    expect(await readFile(lock, 'utf8')).toMatch(new RegExp(`^${holder.pid} `));
  } finally {
    await holder.kill();
  }
});

test('When whoever was about to remove a stale lock was killed, then the next start takes the folder', async () => {
  for (const name of ['portal.pid', 'portal.pid.stale'])
    await writeFile(join(folder, name), `${process.pid} 1\n`);
  await (await lockDataFolder(folder))();
  expect(await readdir(folder)).toEqual([]);
});
