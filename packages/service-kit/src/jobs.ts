import type { Logger } from '@portal/kernel';

/** Work that a service does by itself now and then. It must be safe in several instances at once. */
export interface Job {
  readonly name: string;
  readonly everyMs: number;
  /** `stopping` tells a run that takes long to leave the rest to the next start. */
  run(stopping: AbortSignal): Promise<void>;
}

export interface RunningJobs {
  /** Runs the jobs of a name now, or again as soon as the run in hand is over. */
  wake(name: string): void;
  /** Lets the runs in hand end. */
  stop(): Promise<void>;
}

/** Runs each job at once and then in its interval, never twice at the same time in this instance. */
export function startJobs(jobs: readonly Job[], logger: Logger): RunningJobs {
  const stopping = new AbortController();
  const timers = new Map<Job, NodeJS.Timeout>();
  const running = new Map<Job, Promise<void>>();
  const woken = new Set<Job>();

  function schedule(job: Job, delay: number): void {
    const timer = setTimeout(() => {
      timers.delete(job);
      const run = job
        .run(stopping.signal)
        .catch((error: unknown) => logger.error({ err: error, job: job.name }, 'Job failed'))
        .finally(() => {
          running.delete(job);
          if (!stopping.signal.aborted) schedule(job, woken.delete(job) ? 0 : job.everyMs);
        });
      running.set(job, run);
    }, delay);
    timers.set(job, timer);
  }

  for (const job of jobs) schedule(job, 0);
  return {
    wake(name) {
      if (stopping.signal.aborted) return;
      for (const job of jobs.filter((known) => known.name === name)) {
        if (running.has(job)) {
          woken.add(job);
        } else {
          clearTimeout(timers.get(job));
          schedule(job, 0);
        }
      }
    },
    async stop() {
      stopping.abort();
      for (const timer of timers.values()) clearTimeout(timer);
      await Promise.all(running.values());
    },
  };
}
