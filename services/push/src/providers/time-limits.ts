type End = (reason: 'timeout' | 'stopped') => void;

/** Ends what takes too long, and what is stopped, with one timer and one listener of a signal for thousands. */
export interface TimeLimits {
  /** Calls `end` when the time is over, or when the signal is aborted. Answers how to say that it has ended by itself. */
  start(end: End, signal?: AbortSignal): () => void;
}

/** @param ms the same for all: the first that began is the first to end */
export function createTimeLimits(ms: number): TimeLimits {
  const running = new Map<End, number>();
  const bySignal = new WeakMap<AbortSignal, Set<End>>();
  let timer: NodeJS.Timeout | undefined;

  function endLate(): void {
    timer = undefined;
    const now = performance.now();
    for (const [end, endsAt] of running) {
      if (endsAt > now) {
        timer = setTimeout(endLate, Math.ceil(endsAt - now));
        return;
      }
      running.delete(end);
      end('timeout');
    }
  }

  function stopsWith(signal: AbortSignal): Set<End> {
    const known = bySignal.get(signal);
    if (known) return known;
    const ends = new Set<End>();
    bySignal.set(signal, ends);
    signal.addEventListener(
      'abort',
      () => {
        for (const end of ends) end('stopped');
      },
      { once: true },
    );
    return ends;
  }

  return {
    start(end, signal) {
      running.set(end, performance.now() + ms);
      timer ??= setTimeout(endLate, ms);
      const ends = signal && stopsWith(signal);
      ends?.add(end);
      return () => {
        running.delete(end);
        ends?.delete(end);
        if (running.size > 0) return;
        clearTimeout(timer);
        timer = undefined;
      };
    },
  };
}
