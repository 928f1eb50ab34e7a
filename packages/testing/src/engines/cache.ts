import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Outside the checkout: a clean clone starts its engines at once when another has prepared them. */
const cacheDirectory = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'portal');

/**
 * The folder with an engine's program in the cache. `prepare` fills a folder of its own that then takes its place in one
 * step, so that neither an interrupted preparation nor two at once leave a half one behind.
 * @throws Error that names the engine and says why it could not be had
 */
export async function preparedEngine(
  engine: string,
  version: string,
  prepare: (directory: string) => Promise<void>,
): Promise<string> {
  const directory = join(cacheDirectory, `${engine}-${version}`);
  if (existsSync(directory)) return directory;
  const own = `${directory}.${randomBytes(6).toString('hex')}`;
  await mkdir(own, { recursive: true });
  try {
    await prepare(own);
    await rename(own, directory).catch((error: unknown) => {
      if (!existsSync(directory)) throw error;
    });
  } catch (error) {
    throw new Error(`The engine ${engine} ${version} could not be had: ${messageOf(error)}`, {
      cause: error,
    });
  } finally {
    await rm(own, { recursive: true, force: true });
  }
  return directory;
}

/**
 * Runs a program that prepares an engine, to its end, giving way to everything else on the machine.
 * @throws Error with what it printed when it fails, or is not installed
 */
export async function runTool(
  program: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): Promise<string> {
  const { code, output } = await new Promise<{ code: number | null; output: string }>((resolve, reject) => {
    const child = spawn('nice', ['-n', '10', program, ...args], {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const chunks: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('error', reject);
    child.on('close', (exit) => resolve({ code: exit, output: Buffer.concat(chunks).toString() }));
  });
  // What `nice` and the shell answer for a program that is not there.
  if (code === 127) throw new Error(`${program} is not installed`);
  if (code !== 0) throw new Error(`${program} ended with ${code}:\n${output.slice(-2_000)}`);
  return output;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
