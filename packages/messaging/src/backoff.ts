/** Waits that double from `firstMs` up to `longestMs`. */
export interface Backoff {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** The wait in ms after the given failure (1 is the first), of which up to half is left to chance. */
export function backoffDelay(backoff: Backoff, failure: number): number {
  const full = Math.min(backoff.longestMs, backoff.firstMs * 2 ** (failure - 1));
  return full / 2 + (Math.random() * full) / 2;
}
