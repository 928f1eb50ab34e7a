import type { Logger } from '@portal/kernel';

/** Work that a service does by itself now and then. It must be safe in several instances at once. */
export interface Job {
  readonly name: string;
  readonly everyMs: number;
  /** `stopping` tells a run that takes long to leave the rest to the next start. */
  run(stopping: AbortSignal): Promise<void>;
}

export interface RunningJobs {
  /** Lets the runs in hand end. */
  stop(): Promise<void>;
}

/** Runs each job at once and then in its interval, never twice at the same time in this instance. */
export function startJobs(jobs: readonly Job[], logger: Logger): RunningJobs {
  const stopping = new AbortController();
  const timers = new Set<NodeJS.Timeout>();
  const running = new Set<Promise<void>>();

  function schedule(job: Job, delay: number): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      const run = job
        .run(stopping.signal)
        .catch((error: unknown) => logger.error({ err: error, job: job.name }, 'Job failed'))
        .finally(() => {
          running.delete(run);
          if (!stopping.signal.aborted) schedule(job, job.everyMs);
        });
      running.add(run);
    }, delay);
    timers.add(timer);
  }

  for (const job of jobs) schedule(job, 0);
  return {
    async stop() {
      stopping.abort();
      for (const timer of timers) clearTimeout(timer);
      await Promise.all(running);
    },
  };
}
