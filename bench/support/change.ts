import { median } from './figure.ts';

/** What has become of one figure from one version to another. */
export interface Change {
  readonly before: number;
  readonly after: number;
  /** The new value against the old one, and the interval in which it lies as far as the noise lets one say. */
  readonly ratio: number;
  readonly interval: readonly [low: number, high: number];
  readonly verdict: 'faster' | 'slower' | 'no difference beyond the noise';
  /** How much worse it is: 0.1 is a tenth. Negative when it is better. */
  readonly loss: number;
}

/** Student's t for an interval that holds the truth 99 times in 100, by the number of pairs less one. */
const student = [
  63.657, 9.925, 5.841, 4.604, 4.032, 3.707, 3.499, 3.355, 3.25, 3.169, 3.106, 3.055, 3.012, 2.977, 2.947,
  2.921, 2.898, 2.878, 2.861,
];

/** Fewer turns cannot tell a difference from noise; with more, the table above would have to go on. */
export const roundLimits = { least: 3, most: student.length + 1 };

/**
 * Compares turns of two versions, pair by pair: a machine that is busy for a while slows both of a pair. Ratios are averaged
 * as logarithms, so that twice and half as fast are equally far from equal.
 */
export function changeOf(
  before: readonly number[],
  after: readonly number[],
  better: 'higher' | 'lower',
): Change {
  const logs = before.map((value, turn) => Math.log((after[turn] ?? Number.NaN) / value));
  const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length;
  const variance = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / (logs.length - 1);
  const reach = (student[logs.length - 2] ?? Number.NaN) * Math.sqrt(variance / logs.length);
  const [low, high] = [mean - reach, mean + reach];
  const isBetter = better === 'higher' ? low > 0 : high < 0;
  const isWorse = better === 'higher' ? high < 0 : low > 0;
  const ratio = Math.exp(mean);
  return {
    before: median(before),
    after: median(after),
    ratio,
    interval: [Math.exp(low), Math.exp(high)],
    verdict: isBetter ? 'faster' : isWorse ? 'slower' : 'no difference beyond the noise',
    loss: better === 'higher' ? 1 / ratio - 1 : ratio - 1,
  };
}
