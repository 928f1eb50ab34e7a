import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { dataFolder } from './data-folder.ts';
import { canCopy, copyInto, madeOnce, runFolderSetting } from './made-once.ts';
import { nodeOf, root, serverOptions } from './project.ts';

/** The whole product as a process of its own, as `npm start` runs it, on a data folder that goes with it. */
export interface Product {
  readonly url: string;
  readonly port: number;
  readonly dataDir: string;
  /** The process id of the portal. */
  readonly pid: number;
  /** All that it has printed so far, over all its lives. */
  output(): string;
  /** SIGTERM, as an operator would. @returns the exit code */
  stop(): Promise<number | null>;
  /** SIGKILL of the portal and, unless told otherwise, of PostgreSQL with it: a power cut. */
  kill(options?: { sparePostgres?: boolean }): Promise<void>;
  /** Starts again on the same data folder and port, perhaps with other settings. */
  start(env?: Readonly<Record<string, string>>): Promise<void>;
  /** Stops it, if it runs, and removes the data folder. */
  remove(): Promise<void>;
}

const readyWithinMs = 120_000;

/**
 * Starts the embedded host with demo data, without rate limits, on a free port. Most of the first start is the making of
 * databases: in a test run a product begins with a copy of those of the first, unless it is to be `fresh`. With
 * `checkout` it is that of another folder, where everything is installed.
 */
export async function startProduct(
  env: Readonly<Record<string, string>> = {},
  { checkout = root, fresh = 'DEMO' in env }: { checkout?: string; fresh?: boolean } = {},
): Promise<Product> {
  const dataDir = await dataFolder('portal-product-');
  const runFolder = process.env[runFolderSetting];
  if (runFolder !== undefined && !fresh && canCopy) await copyInto(dataDir, await dataOfRun(runFolder));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const chunks: Buffer[] = [];
  let child: ChildProcess | undefined;

  async function start(more: Readonly<Record<string, string>> = {}): Promise<void> {
    const seen = Buffer.concat(chunks).length;
    const started = spawn(nodeOf(checkout), [...serverOptions, 'services/embedded/src/main.ts'], {
      cwd: checkout,
      env: {
        ...process.env,
        PORT: String(port),
        PUBLIC_URL: url,
        DATA_DIR: dataDir,
        RATE_LIMIT: 'off',
        ...env,
        ...more,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child = started;
    // Whoever started it may break: nothing stays behind.
    const endWithUs = () => started.kill('SIGTERM');
    process.once('exit', endWithUs);
    started.once('exit', () => process.off('exit', endWithUs));
    const sinceStart = () => Buffer.concat(chunks).subarray(seen).toString();
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        started.kill('SIGTERM');
        reject(new Error(`Not ready in time:\n${sinceStart()}`));
      }, readyWithinMs);
      let isReady = false;
      const onData = (chunk: Buffer) => {
        chunks.push(chunk);
        // Read again with every line it prints, the output of a long test would cost more than the test.
        if (isReady || !sinceStart().includes('The portal is ready')) return;
        isReady = true;
        clearTimeout(timer);
        resolve();
      };
      started.stdout.on('data', onData);
      started.stderr.on('data', onData);
      started.once('exit', (code) => {
        clearTimeout(timer);
        reject(new Error(`It ended with ${code}:\n${sinceStart()}`));
      });
    });
  }

  async function end(signal: NodeJS.Signals): Promise<number | null> {
    const ending = child;
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return ending?.exitCode ?? null;
    const exited = once(ending, 'exit');
    ending.kill(signal);
    await exited;
    return ending.exitCode;
  }

  await start();
  return {
    url,
    port,
    dataDir,
    get pid() {
      return child?.pid ?? 0;
    },
    output: () => Buffer.concat(chunks).toString(),
    start,
    stop: () => end('SIGTERM'),
    async kill({ sparePostgres = false } = {}) {
      const postgres = sparePostgres ? undefined : await postgresOf(dataDir);
      await end('SIGKILL');
      if (postgres !== undefined) kill(postgres);
    },
    async remove() {
      await end('SIGTERM');
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The data of a product that has started and stopped once. */
async function dataOfRun(runFolder: string): Promise<string> {
  return madeOnce(runFolder, 'data', async (folder) => {
    const product = await startProduct({}, { fresh: true });
    await product.stop();
    await mkdir(folder);
    await copyInto(folder, product.dataDir);
    await product.remove();
  });
}

/** The process id of the PostgreSQL server on the product's data folder. */
async function postgresOf(dataDir: string): Promise<number | undefined> {
  const text = await readFile(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number(text.split('\n')[0]);
  return pid > 0 ? pid : undefined;
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It went by itself.
  }
}

/**
 * Below the ports that systems give to outgoing connections (Linux from 32768 on, others from 49152): one of those is now and then
 * taken before the program that is to listen there has started. So is one that is given twice: each process of a test run has
 * a part of its own.
 */
const ports = { from: 11_000, to: 32_000, parts: 8 };
const mostTries = 100;
const given = new Set<number>();

/** A port of this machine at which nothing listens, and which nobody was given before. */
export async function freePort(): Promise<number> {
  const part = Number(process.env['VITEST_POOL_ID'] ?? 0) % ports.parts;
  const width = Math.floor((ports.to - ports.from) / ports.parts);
  const from = ports.from + part * width;
  for (let tries = 0; tries < mostTries; tries += 1) {
    const port = randomInt(from, from + width);
    if (given.has(port)) continue;
    given.add(port);
    if (await isFree(port)) return port;
  }
  throw new Error('No free port');
}

/** Whether nothing listens at a port of this machine. @throws Error where nobody could listen at the host */
export async function isFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
    );
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
}
