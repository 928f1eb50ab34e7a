import { randomInt } from 'node:crypto';
import type { Clock } from '@portal/kernel';

/** A budget per key and minute, or another time, for any number of keys, in memory of a fixed size. */
export interface Budget {
  /** Takes one; false when nothing is left, which costs nothing. */
  take(key: string): boolean;
  /** Takes one whose end decides whether it stays spent; undefined when nothing is left. To be ended once. */
  hold(key: string): Hold | undefined;
  /** Whether something may come back: a hold has not ended. */
  isHeld(key: string): boolean;
  hasLeft(key: string): boolean;
  /** Seconds until there is something again. */
  secondsUntilMore(key: string): number;
  /** What keys finally spent here and was not yet reported to other gateways, for keys with a notable part. */
  untold(): readonly Spending[];
  /** These were reported to the other gateways. */
  told(spent: readonly Spending[]): void;
  /** What was spent until now is never reported: the others would count it as if it was spent when they hear of it. */
  forgetUntold(): void;
  /** Others say that this was spent with them. */
  learn(spent: Spending): void;
}

/** Ends a hold: what was taken is spent, or comes back. */
export type Hold = (end: 'spent' | 'back') => void;

export interface Spending {
  readonly key: string;
  readonly count: number;
}

const minute = 60_000;
/** 20 bytes each. Keys that meet in one share it: a few calls more are counted, none is forgotten. */
const slots = 131_072;
/** The share of a budget from which a key is reported. */
const notablePart = 10;
/** The maximum number of keys per report. */
const longestList = 50;

/**
 * The window of a key, which is a minute unless told, begins with what it takes first. What several gateways together let through beyond the budget is owed:
 * it is taken off the windows that follow.
 */
export function createBudget(perWindow: number, clock: Clock, windowMs = minute): Budget {
  const counts = new Uint32Array(slots);
  const ends = new Float64Array(slots);
  const holds = new Uint32Array(slots);
  const untold = new Uint32Array(slots);
  /** By slot, the key that spent most lately. */
  const notable = new Map<number, string>();
  // Nobody can know with whom they share.
  const seed = randomInt(2 ** 32);

  /** FNV-1a. */
  function slotOf(key: string): number {
    let hash = seed;
    for (let i = 0; i < key.length; i += 1) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
    return (hash ^ (hash >>> 15)) & (slots - 1);
  }

  const at = (values: Uint32Array | Float64Array, slot: number): number => values[slot] ?? 0;

  /** The slot of a key, in its present window. */
  function current(key: string): number {
    const slot = slotOf(key);
    const now = clock.now().getTime();
    const end = at(ends, slot);
    // If the clock was set back, the window starts over.
    if (now < end && end - now <= windowMs) return slot;
    // Of ended windows a whole one at the most is reported.
    untold[slot] = Math.min(at(untold, slot), at(holds, slot) + perWindow);
    const windows = Math.max(1, Math.floor((now - end) / windowMs) + 1);
    const owed = Math.max(0, at(counts, slot) - windows * perWindow);
    counts[slot] = owed;
    ends[slot] = owed > 0 && now >= end ? end + windows * windowMs : now + windowMs;
    return slot;
  }

  function note(key: string, slot: number): void {
    const spent = at(untold, slot) - at(holds, slot);
    if (spent * notablePart >= perWindow && notable.size < longestList) notable.set(slot, key);
  }

  function takeAt(key: string): number | undefined {
    const slot = current(key);
    const isLeft = at(counts, slot) < perWindow;
    if (isLeft) {
      counts[slot] = at(counts, slot) + 1;
      untold[slot] = at(untold, slot) + 1;
    }
    note(key, slot);
    return isLeft ? slot : undefined;
  }

  return {
    take: (key) => takeAt(key) !== undefined,
    hold(key) {
      const slot = takeAt(key);
      if (slot === undefined) return undefined;
      const end = at(ends, slot);
      holds[slot] = at(holds, slot) + 1;
      return (how) => {
        holds[slot] = at(holds, slot) - 1;
        if (how === 'spent') return;
        untold[slot] = at(untold, slot) - 1;
        if (ends[slot] === end) counts[slot] = at(counts, slot) - 1;
      };
    },
    isHeld: (key) => at(holds, slotOf(key)) > 0,
    hasLeft: (key) => at(counts, current(key)) < perWindow,
    secondsUntilMore(key) {
      const slot = current(key);
      const wholeWindows = Math.max(0, Math.floor(at(counts, slot) / perWindow) - 1);
      const seconds = Math.ceil((at(ends, slot) - clock.now().getTime()) / 1000);
      return Math.max(1, seconds) + (wholeWindows * windowMs) / 1000;
    },
    untold: () =>
      [...notable]
        .map(([slot, key]) => ({ key, count: at(untold, slot) - at(holds, slot) }))
        .filter(({ count }) => count > 0),
    told(spent) {
      for (const { count, key } of spent) {
        const slot = slotOf(key);
        untold[slot] = Math.max(at(holds, slot), at(untold, slot) - count);
        notable.delete(slot);
      }
    },
    forgetUntold() {
      untold.set(holds);
      notable.clear();
    },
    learn({ count, key }) {
      const slot = current(key);
      counts[slot] = at(counts, slot) + count;
    },
  };
}
