import { setTimeout as sleep } from 'node:timers/promises';

/** Begins calls at an even pace, whether or not earlier ones have ended. */
export async function atRate<T>(call: () => Promise<T>, perSecond: number, seconds: number): Promise<T[]> {
  const begun = performance.now();
  const calls: Promise<T>[] = [];
  while (calls.length < perSecond * seconds) {
    const due = ((performance.now() - begun) / 1000) * perSecond;
    while (calls.length < Math.min(due, perSecond * seconds)) calls.push(call());
    await sleep(1);
  }
  return Promise.all(calls);
}
