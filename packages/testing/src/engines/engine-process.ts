import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** An engine's process. It keeps its ports and data over all its lives, and dies with the process that started it. */
export interface Engine {
  /** The process id, undefined while it is not running. */
  readonly pid: number | undefined;
  /** Starts again; resolves when it serves. */
  start(): Promise<void>;
  /** Asks it to end, and waits until it has. */
  stop(): Promise<void>;
  /** SIGKILL, and waits until it is gone. */
  kill(): Promise<void>;
}

/** An engine with data of its own. */
export interface StoredEngine extends Engine {
  /** Stops it and forgets its data. */
  remove(): Promise<void>;
}

export interface EngineProgram {
  /** In words, for errors. */
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The folder that gets `<name>.log`. */
  readonly logDir: string;
  /** Rejects or answers false for as long as the engine does not serve. */
  isServing(): Promise<boolean>;
  /** How long it may take until it does, unless two minutes are enough. */
  readonly servesWithinMs?: number;
  /** Told when it ended, with the signal or the exit code. */
  onExit?(how: string): void;
}

const stopsWithinMs = 30_000;
const lookMs = 50;

/** Starts an engine and waits until it serves. */
export async function startEngine(engine: EngineProgram): Promise<Engine> {
  const { servesWithinMs = 120_000 } = engine;
  const logFile = join(engine.logDir, `${engine.name}.log`);
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    if (child) return;
    const log = await open(logFile, 'a');
    const started = spawn(engine.program, engine.args, {
      env: { ...process.env, ...engine.env },
      stdio: ['ignore', log.fd, log.fd],
    });
    child = started;
    let failure: Error | undefined;
    started.once('error', (error: NodeJS.ErrnoException) => {
      failure = error.code === 'ENOENT' ? new Error(`${engine.program} is not installed`) : error;
      child = undefined;
    });
    const guard = started.pid === undefined ? undefined : guardOf(started.pid);
    started.once('exit', (code, signal) => {
      child = undefined;
      engine.onExit?.(signal ?? `code ${code}`);
      guard?.kill();
    });
    await log.close();

    const deadline = performance.now() + servesWithinMs;
    while (!(await engine.isServing().catch(() => false))) {
      if (child !== started) {
        throw new Error(
          `${engine.name} ended before it served: ${failure?.message ?? (await tailOf(logFile))}`,
        );
      }
      if (performance.now() > deadline) {
        started.kill('SIGKILL');
        throw new Error(
          `${engine.name} does not serve after ${servesWithinMs} ms:\n${await tailOf(logFile)}`,
        );
      }
      await sleep(lookMs);
    }
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    const ending = child;
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return;
    const exited = once(ending, 'exit');
    ending.kill(signal);
    const timer = setTimeout(() => ending.kill('SIGKILL'), stopsWithinMs);
    await exited;
    clearTimeout(timer);
  }

  await start();
  return {
    get pid() {
      return child?.pid;
    },
    start,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  };
}

/**
 * A shell that kills the engine when this process is gone, however it went: its input ends then. It has a process group
 * of its own, so that a Ctrl-C does not take it first.
 */
function guardOf(pid: number): ChildProcess {
  return spawn('sh', ['-c', 'cat >/dev/null; kill -KILL "$1"', 'guard', String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
}

/** An engine that keeps nothing outside `dataDir`. */
export function storedIn(dataDir: string, engine: Engine): StoredEngine {
  return {
    get pid() {
      return engine.pid;
    },
    start: () => engine.start(),
    stop: () => engine.stop(),
    kill: () => engine.kill(),
    async remove() {
      await engine.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function tailOf(file: string): Promise<string> {
  return (await readFile(file, 'utf8').catch(() => '')).slice(-2_000);
}
