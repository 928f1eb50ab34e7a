import { setTimeout as sleep } from 'node:timers/promises';
import type { Scope } from '@portal/database';
import type { Logger } from '@portal/kernel';
import { systemScope } from './scopes.ts';

/** Periodic work of a service. It must be safe to run in several instances at once. */
export interface Job {
  readonly name: string;
  readonly everyMs: number;
  run(run: JobRun): Promise<void>;
  /** Stops the work that runs have started and not awaited, and resolves when none is left. */
  stop?(): Promise<void>;
}

export interface JobRun {
  /** The rows of all tenants, on behalf of this job. */
  readonly scope: Scope;
  /** Tells a run that takes long to leave the rest to the next start. */
  readonly stopping: AbortSignal;
}

export interface RunningJobs {
  /** Runs the jobs of a name now, or again as soon as the current run has ended. */
  wake(name: string): void;
  /** Runs every job now. Resolves when each has had a run that began after the call; a failure is logged, as any. */
  runAll(): Promise<void>;
  /** Waits until the current runs have ended. */
  stop(): Promise<void>;
}

/** How long the first run of a job keeps the next job from its own. */
const longestTurnMs = 1_000;

/**
 * Runs each job soon and then in its interval, never twice at the same time in this instance. The first runs begin one after the
 * other, in the order of the jobs: all at once would open a connection for each, at every start of every service.
 */
export function startJobs(jobs: readonly Job[], logger: Logger): RunningJobs {
  const stopping = new AbortController();
  const timers = new Map<Job, NodeJS.Timeout>();
  const running = new Map<Job, Promise<void>>();
  const woken = new Set<Job>();
  /** Who waits for the end of a run that has not begun. */
  const awaited = new Map<Job, PromiseWithResolvers<void>>();

  async function start(job: Job): Promise<void> {
    timers.delete(job);
    const waiting = awaited.get(job);
    awaited.delete(job);
    const run = job
      .run({ scope: systemScope(`job ${job.name}`), stopping: stopping.signal })
      .catch((error: unknown) => logger.error({ err: error, job: job.name }, 'Job failed'))
      .finally(() => {
        running.delete(job);
        if (!stopping.signal.aborted) schedule(job, woken.delete(job) ? 0 : job.everyMs);
        waiting?.resolve();
      });
    running.set(job, run);
    return run;
  }

  function schedule(job: Job, delay: number): void {
    timers.set(
      job,
      setTimeout(() => void start(job), delay),
    );
  }

  async function startInTurn(): Promise<void> {
    for (const job of jobs) {
      // Somebody may have woken it.
      if (timers.has(job) || running.has(job)) continue;
      const late = sleep(longestTurnMs, undefined, { ref: false, signal: stopping.signal }).catch(
        () => undefined,
      );
      await Promise.race([start(job), late]);
      if (stopping.signal.aborted) return;
    }
  }

  function wakeOne(job: Job): void {
    if (running.has(job)) {
      woken.add(job);
    } else {
      clearTimeout(timers.get(job));
      schedule(job, 0);
    }
  }

  async function runOne(job: Job): Promise<void> {
    const end = awaited.get(job) ?? Promise.withResolvers<void>();
    awaited.set(job, end);
    wakeOne(job);
    return end.promise;
  }

  void startInTurn();
  return {
    wake(name) {
      if (stopping.signal.aborted) return;
      for (const job of jobs.filter((known) => known.name === name)) wakeOne(job);
    },
    async runAll() {
      if (!stopping.signal.aborted) await Promise.all(jobs.map(runOne));
    },
    async stop() {
      stopping.abort();
      for (const { resolve } of awaited.values()) resolve();
      for (const timer of timers.values()) clearTimeout(timer);
      await Promise.all([...running.values(), ...jobs.map(async (job) => job.stop?.())]);
    },
  };
}
