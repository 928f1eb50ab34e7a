import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { root } from '@portal/testing/project';

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

/** Of /proc: hundredths of a second on every Linux. */
const ticksPerSecond = 100;

/** The time of processors that a process has had so far (proc(5): utime and stime). */
export async function processorSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** Resident memory of a process in bytes, from /proc. */
export async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) * 1024;
}

export interface MemoryWatch {
  /** Stops watching. @returns the most bytes seen above those at the start */
  stop(): number;
}

/** Watches how far the resident memory of a process rises above what it is now. */
export async function watchMemory(pid: number): Promise<MemoryWatch> {
  const idle = await residentBytes(pid);
  let peak = idle;
  const timer = setInterval(() => {
    residentBytes(pid).then(
      (bytes) => {
        peak = Math.max(peak, bytes);
      },
      () => undefined,
    );
  }, 50);
  return {
    stop() {
      clearInterval(timer);
      return peak - idle;
    },
  };
}

/** Bytes above idle that a transfer may take. */
export const memoryLimit = 200 * 1000 ** 2;
