import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..', '..');
export const projectNode = join(root, 'node_modules', 'node', 'bin', 'node');

/** Starts a program and waits for the first line that it prints. */
export async function startProgram(program: string, args: readonly string[]): Promise<ChildProcess> {
  const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return child;
}

export async function endProgram(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

/** Resident memory of a process in bytes, from /proc. */
export async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) * 1024;
}
