import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@portal/kernel';

const firstPauseMs = 200;
const longestPauseMs = 2_000;
const tellEveryMs = 10_000;

/**
 * Retries until it succeeds, for example when an engine starts later than a service. The log says what it waits for.
 * @param isFinal recognises an error that waiting cannot correct, such as a wrong password; it is thrown at once
 */
export async function retryUntilAvailable<T>(
  what: string,
  attempt: () => Promise<T>,
  options: { logger: Logger; signal: AbortSignal; isFinal?: (error: unknown) => boolean },
): Promise<T> {
  const { isFinal, logger, signal } = options;
  let pause = firstPauseMs;
  let tellAt = 0;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (signal.aborted || isFinal?.(error)) throw error;
      if (performance.now() >= tellAt) {
        const reason = error instanceof Error ? error.message || error.name : String(error);
        logger.warn(`Waiting for ${what}: ${reason}`);
        tellAt = performance.now() + tellEveryMs;
      }
    }
    await sleep(pause, undefined, { signal });
    pause = Math.min(pause * 2, longestPauseMs);
  }
}
