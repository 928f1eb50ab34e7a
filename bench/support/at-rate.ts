import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Begins calls at an even pace, whether or not earlier ones have ended: for some seconds, or until the signal is aborted.
 * @returns what all of them gave
 */
export async function atRate<T>(
  call: () => Promise<T>,
  perSecond: number,
  until: number | AbortSignal,
): Promise<T[]> {
  const begun = performance.now();
  const calls: Promise<T>[] = [];
  const most = typeof until === 'number' ? perSecond * until : Number.POSITIVE_INFINITY;
  while (calls.length < most && !(typeof until === 'object' && until.aborted)) {
    const due = ((performance.now() - begun) / 1000) * perSecond;
    while (calls.length < Math.min(due, most)) {
      const begunCall = call();
      // It is thrown at the end, with all of them.
      begunCall.catch(() => undefined);
      calls.push(begunCall);
    }
    await sleep(1);
  }
  return Promise.all(calls);
}
