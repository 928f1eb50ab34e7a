/** Where the product takes its time from. Nothing else may ask the machine what time it is. */
export interface Clock {
  now(): Date;
}

/** The machine's clock, shifted by `offsetMs` (the setting `CLOCK_OFFSET_MS`, for tests that let days pass). */
export function systemClock(offsetMs = 0): Clock {
  return { now: () => new Date(Date.now() + offsetMs) };
}

/** A clock that stands still until it is moved; for tests. */
export function manualClock(start: Date): Clock & { set(time: Date): void; advance(ms: number): void } {
  let current = start.getTime();
  return {
    now: () => new Date(current),
    set: (time) => {
      current = time.getTime();
    },
    advance: (ms) => {
      current += ms;
    },
  };
}
