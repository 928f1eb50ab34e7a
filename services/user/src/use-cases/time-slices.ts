import { scheduler } from 'node:timers/promises';

/** Long enough that switching costs little, and short enough that other requests do not notice it. */
const sliceMs = 5;

/**
 * For long work beside requests: to be awaited between any two steps of it. Once it has had its slice of time, whatever else
 * waits in this process comes first.
 */
export function timeSlices(): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < sliceMs) return;
    await scheduler.yield();
    began = performance.now();
  };
}
