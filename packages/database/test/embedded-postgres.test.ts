import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startEmbeddedPostgres, withClient } from '../src/index.ts';

let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'portal-embedded-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const start = () => startEmbeddedPostgres({ dataDir });

/** Another process that starts the server, writes one row, says so and waits. */
async function otherOwner() {
  const index = join(import.meta.dirname, '../src/embedded-postgres/index.ts');
  const provision = join(import.meta.dirname, '../src/with-client.ts');
  const script = `
    import { startEmbeddedPostgres } from ${JSON.stringify(index)};
    import { withClient } from ${JSON.stringify(provision)};
    const server = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)} });
    await withClient(server.adminUrl, (c) => c.query('CREATE TABLE IF NOT EXISTS kept (n int); INSERT INTO kept VALUES (1)'));
    console.log('written');`;
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

const keptRows = (url: string) =>
  withClient(url, async (client) => (await client.query('SELECT n FROM kept')).rows.length);

const postmasterPid = async () =>
  Number((await readFile(join(dataDir, 'cluster', 'postmaster.pid'), 'utf8')).split('\n')[0]);

describe('embedded PostgreSQL', { timeout: 60_000 }, () => {
  test('keeps its data and password from one start to the next', async () => {
    const first = await start();
    await withClient(first.adminUrl, (client) =>
      client.query('CREATE TABLE kept (n int); INSERT INTO kept VALUES (1)'),
    );
    await first.stop();
    expect((await stat(join(dataDir, 'password'))).mode & 0o777).toBe(0o600);

    const second = await start();
    expect(await keptRows(second.adminUrl)).toBe(1);
    await withClient(second.adminUrl, async (client) => {
      const { rows } = await client.query<{ lower: string }>("SELECT lower('ÀÉ')");
      expect(rows[0]?.lower).toBe('àé');
    });
    const stranger = new URL(second.adminUrl);
    stranger.password = 'wrong';
    await expect(withClient(stranger.href, (client) => client.query('SELECT 1'))).rejects.toThrow(
      'authentication',
    );
    await second.stop();
    await second.stop();
    await expect(stat(join(dataDir, 'cluster', 'postmaster.pid'))).rejects.toThrow('ENOENT');
  });

  test('takes over from a killed owner whose server still runs, and refuses while the owner lives', async () => {
    const owner = await otherOwner();
    await expect(start()).rejects.toThrow('in use by a running process');
    const orphan = await postmasterPid();
    const ended = once(owner, 'exit');
    owner.kill('SIGKILL');
    await ended;
    const server = await start();
    expect(await keptRows(server.adminUrl)).toBe(1);
    expect(await postmasterPid()).not.toBe(orphan);
    await server.stop();
  });

  test('recovers when the server was killed as well', async () => {
    const owner = await otherOwner();
    const ended = once(owner, 'exit');
    owner.kill('SIGKILL');
    process.kill(await postmasterPid(), 'SIGKILL');
    await ended;
    const server = await start();
    expect(await keptRows(server.adminUrl)).toBe(1);
    await server.stop();
  });

  test('is not held up by a stale number that another process has now', async () => {
    const first = await start();
    await first.stop();
    const pidFile = join(dataDir, 'cluster', 'postmaster.pid');
    await writeFile(pidFile, `${process.pid}\n${join(dataDir, 'cluster')}\n1\n1\n\n127.0.0.1\n\nready\n`);
    const server = await start();
    await server.stop();
  });

  test('does not wait for a server that died unnoticed', async (context) => {
    context.skip(process.platform !== 'linux', 'only Linux tells of zombies in /proc');
    const first = await start();
    await first.stop();
    const program = join(dataDir, 'postgres');
    await copyFile('/bin/sleep', program);
    const script = `"${program}" 60 & echo $!; exec sleep 60`;
    const parent = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      const pid = Number(String((await once(parent.stdout, 'data'))[0]));
      const statOf = async (of: number | undefined) => readFile(`/proc/${of}/stat`, 'utf8');
      // A shell would notice the end of what it started.
      await expect.poll(() => statOf(parent.pid)).toContain('(sleep)');
      // Until it runs its program it is a shell as well.
      await expect.poll(() => statOf(pid)).toContain('(postgres)');
      process.kill(pid);
      await expect.poll(() => statOf(pid)).toContain('(postgres) Z');
      const pidFile = join(dataDir, 'cluster', 'postmaster.pid');
      await writeFile(pidFile, `${pid}\n${join(dataDir, 'cluster')}\n1\n1\n\n127.0.0.1\n\nready\n`);
      const server = await start();
      await server.stop();
    } finally {
      parent.kill();
    }
  });

  test('runs for root under a directory that others may not enter', async (context) => {
    context.skip(process.getuid?.() !== 0, 'the tests do not run as root');
    const server = await startEmbeddedPostgres({ dataDir: join(dataDir, 'closed', 'data') });
    await server.stop();
    expect((await stat(join(dataDir, 'closed'))).mode & 0o077).toBe(0);
  });

  test('is not stopped by a signal to the process group of its owner', async () => {
    const owner = await otherOwner();
    const pid = await postmasterPid();
    const ended = once(owner, 'exit');
    owner.kill('SIGINT');
    await ended;
    expect(() => process.kill(pid, 0)).not.toThrow();
    await (await start()).stop();
  });
});
