import { setTimeout as sleep } from 'node:timers/promises';
import type { Scope } from '@portal/database';
import type { Clock, Logger } from '@portal/kernel';
import { systemScope } from './scopes.ts';

/** Periodic work of a service. It must be safe to run in several instances at once. */
export interface Job {
  readonly name: string;
  readonly everyMs: number;
  /**
   * For a job that looks for rows: its interval while nothing is written to the database. The same rows then hold nothing new; what
   * becomes due by the time alone is found so much later, unless the run before has answered when that is.
   */
  readonly quietMs?: number;
  /** Answers when it is to run again even if nothing is written until then. */
  run(run: JobRun): Promise<Date | void>;
  /** Stops the work that runs have started and not awaited, and resolves when none is left. */
  stop?(): Promise<void>;
}

export interface JobRun {
  /** The rows of all tenants, on behalf of this job. */
  readonly scope: Scope;
  /** Since when this instance works, and hears what others tell. */
  readonly startedAt: Date;
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

export interface JobOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** What the database shows now: the same text as long as nothing is written to it. */
  readonly snapshot: () => Promise<string>;
  /** How long a run in its turn keeps the next from its own. */
  readonly longestTurnMs?: number;
}

/**
 * Runs each job soon and then in its interval, never twice at the same time in this instance. The first runs begin one after the
 * other, in the order of the jobs, and so do those of quiet times: all at once would open a connection for each, at every start of every
 * service. The intervals of all jobs begin together, so that an idle process wakes up seldom.
 */
export function startJobs(
  jobs: readonly Job[],
  { clock, logger, longestTurnMs = 1_000, snapshot }: JobOptions,
): RunningJobs {
  const startedAt = clock.now();
  const stopping = new AbortController();
  const timers = new Map<Job, NodeJS.Timeout>();
  const running = new Map<Job, Promise<void>>();
  const woken = new Set<Job>();
  /** Who waits for the end of a run that has not begun. */
  const awaited = new Map<Job, PromiseWithResolvers<void>>();
  /** Of jobs that may be quiet: what the database showed before their last run, and until when that is enough. */
  const seen = new Map<Job, { readonly shown: string; readonly until: number }>();
  let looking: Promise<string> | undefined;
  let turns = Promise.resolve();

  async function start(job: Job, mayBeQuiet = false): Promise<void> {
    timers.delete(job);
    const waiting = awaited.get(job);
    awaited.delete(job);
    const run = runUnlessQuiet(job, mayBeQuiet)
      .catch((error: unknown) => logger.error({ err: error, job: job.name }, 'Job failed'))
      .finally(() => {
        running.delete(job);
        if (!stopping.signal.aborted) {
          if (woken.delete(job)) schedule(job, 0);
          else schedule(job, untilNext(job.everyMs), true);
        }
        waiting?.resolve();
      });
    running.set(job, run);
    return run;
  }

  async function runUnlessQuiet(job: Job, mayBeQuiet: boolean): Promise<void> {
    const run = { scope: systemScope(`job ${job.name}`), startedAt, stopping: stopping.signal };
    const { quietMs } = job;
    if (quietMs === undefined) return void (await job.run(run));
    const shown = await look();
    const last = seen.get(job);
    const isQuiet = mayBeQuiet && last?.shown === shown;
    if (isQuiet && clock.now().getTime() < last.until) return;
    seen.delete(job);
    const latest = clock.now().getTime() + quietMs;
    const next = isQuiet ? await inTurn(async () => job.run(run)) : await job.run(run);
    seen.set(job, { shown, until: next ? Math.min(next.getTime(), latest) : latest });
  }

  async function inTurn<T>(begin: () => Promise<T>): Promise<T> {
    const begun = turns.then(begin);
    turns = turns.then(async () => {
      const late = sleep(longestTurnMs, undefined, { ref: false, signal: stopping.signal });
      await Promise.race([begun, late]).catch(() => undefined);
    });
    return begun;
  }

  /** One look for all jobs that begin together. */
  async function look(): Promise<string> {
    looking ??= snapshot().finally(() => {
      looking = undefined;
    });
    return looking;
  }

  function schedule(job: Job, delay: number, mayBeQuiet = false): void {
    timers.set(
      job,
      setTimeout(() => void start(job, mayBeQuiet), delay),
    );
  }

  async function startFirst(job: Job): Promise<void> {
    // Somebody may have woken it.
    if (!stopping.signal.aborted && !timers.has(job) && !running.has(job)) await start(job);
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

  for (const job of jobs) void inTurn(async () => startFirst(job));
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

/** Until a multiple of the interval, about one interval from now. In milliseconds. */
function untilNext(everyMs: number): number {
  const now = performance.now();
  return Math.ceil(Math.round(now / everyMs + 1) * everyMs - now);
}
