import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { projectNode } from '@portal/testing/project';
import type { Figure } from './figure.ts';

/** Runs a command of a checkout in a process group of its own, which ends as a whole when the comparison does. */
export async function runPortal(
  checkout: string,
  args: readonly string[],
  ending: AbortSignal,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  ending.throwIfAborted();
  const child = spawn(projectNode, ['scripts/portal.mjs', ...args], {
    cwd: checkout,
    // What this machine has already is not asked for again.
    env: { ...process.env, npm_config_prefer_offline: 'true', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const end = () => child.pid !== undefined && process.kill(-child.pid, 'SIGTERM');
  ending.addEventListener('abort', end);
  try {
    const output = await outputOf(child);
    ending.throwIfAborted();
    if (child.exitCode !== 0 && !output.includes('| what |'))
      throw new Error(`${args.join(' ')} in ${checkout} ended with ${child.exitCode}:\n${output}`);
    return output;
  } finally {
    ending.removeEventListener('abort', end);
  }
}

async function outputOf(child: ChildProcess): Promise<string> {
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(child, 'close');
  return Buffer.concat(chunks).toString();
}

/** The figures that a run wrote to the file that `BENCH_FIGURES` names; undefined where its version writes none. */
export async function readFigures(file: string): Promise<Figure[] | undefined> {
  const lines = await readFile(file, 'utf8').catch(() => undefined);
  return lines
    ?.trim()
    .split('\n')
    .map((line): Figure => JSON.parse(line));
}
