import { AppError } from '@portal/kernel';

export interface Circuit {
  /** Runs `work`, or fails with `E50301` at once while the circuit is open. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

export interface CircuitOptions {
  /** Failures in a row that open it. */
  readonly failures: number;
  /** How long it stays open before one call may try again. */
  readonly openMs: number;
  /** Whether what was thrown says that the other side is away; an answer that refuses does not. */
  readonly isAway: (error: unknown) => boolean;
}

/** A circuit breaker: callers of an unavailable service fail at once instead of waiting one by one. */
export function createCircuit({ failures, isAway, openMs }: CircuitOptions): Circuit {
  let inARow = 0;
  let openUntil = Number.NEGATIVE_INFINITY;

  return {
    async run(work) {
      // Real time, not the product's clock: this is a matter between processes.
      const now = performance.now();
      if (inARow >= failures) {
        if (now < openUntil) throw new AppError('E50301');
        // This call tries; those that come meanwhile do not wait for it.
        openUntil = now + openMs;
      }
      try {
        const result = await work();
        inARow = 0;
        return result;
      } catch (error) {
        if (isAway(error)) {
          inARow += 1;
          openUntil = performance.now() + openMs;
        } else {
          inARow = 0;
        }
        throw error;
      }
    },
  };
}
