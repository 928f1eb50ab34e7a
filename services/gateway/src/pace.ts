import type { Clock } from '@portal/kernel';
import { LRUCache } from 'lru-cache';
import type { Budget, Spending } from './budget.ts';

/** What a budget is to those who tell other gateways of it. */
export type Pace = Pick<Budget, 'forgetUntold' | 'learn' | 'secondsUntilMore' | 'take' | 'told' | 'untold'>;

/** Of the keys that came last; of more than have come since a burst has grown back, nothing is forgotten that matters. */
const mostKeys = 131_072;
/** The maximum number of keys per report. */
const longestList = 50;

/**
 * A burst of calls for each key, then one call each `everyMs`. Unlike a budget it keeps each key for itself: where ten are all
 * that there is, two keys can't share them.
 */
export function createPace(
  { burst, everyMs }: { readonly burst: number; readonly everyMs: number },
  clock: Clock,
): Pace {
  /** When the burst of a key has grown back to the full. */
  const fullAt = new LRUCache<string, number>({ max: mostKeys });
  const untold = new Map<string, number>();

  const now = () => clock.now().getTime();
  /** How much is spent of the burst, in milliseconds. If the clock was set back, all that can be owed is a burst. */
  const spent = (key: string) => Math.min(burst * everyMs, Math.max(0, (fullAt.get(key) ?? 0) - now()));
  const missing = (key: string) => Math.max(0, spent(key) - (burst - 1) * everyMs);

  return {
    take(key) {
      if (missing(key) > 0) return false;
      const used = spent(key) + everyMs;
      fullAt.set(key, now() + used);
      // Who is slow needs no other gateway to know of it.
      if (used > everyMs && (untold.has(key) || untold.size < longestList)) {
        untold.set(key, (untold.get(key) ?? 0) + 1);
      }
      return true;
    },
    secondsUntilMore: (key) => Math.max(1, Math.ceil(missing(key) / 1000)),
    untold: () => [...untold].map(([key, count]) => ({ key, count })),
    told(reported: readonly Spending[]) {
      for (const { count, key } of reported) {
        const left = (untold.get(key) ?? 0) - count;
        if (left > 0) untold.set(key, left);
        else untold.delete(key);
      }
    },
    forgetUntold: () => untold.clear(),
    learn({ count, key }) {
      fullAt.set(key, now() + Math.min(burst * everyMs, spent(key) + count * everyMs));
    },
  };
}
