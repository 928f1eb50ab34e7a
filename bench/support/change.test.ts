import { describe, expect, test } from 'vitest';
import { changeOf } from './change.ts';
import { printedFigures } from './printed.ts';

/** Numbers between 0 and 1 that look random and are the same in every run. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Turns of a version: about `level`, now and then by some percent more or less, as those of a busy machine are. */
function turnsOf(level: number, noise: number, random: () => number, rounds = 5): number[] {
  const bell = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Array.from({ length: rounds }, () => level * Math.exp(noise * bell()));
}

const comparisons = 500;

function verdicts(shift: number, noise: number, better: 'higher' | 'lower') {
  const random = numbersFrom(7);
  const counts = { faster: 0, slower: 0, 'no difference beyond the noise': 0 };
  for (let index = 0; index < comparisons; index += 1) {
    const change = changeOf(turnsOf(100, noise, random), turnsOf(100 * shift, noise, random), better);
    counts[change.verdict] += 1;
  }
  return counts;
}

describe('When two versions are compared', () => {
  test.each([0.005, 0.02, 0.1])(
    'of which none is faster, with noise of %d, then rarely is one called so',
    (noise) => {
      const { faster, slower } = verdicts(1, noise, 'higher');
      expect((faster + slower) / comparisons).toBeLessThan(0.02);
    },
  );

  test('and one does a tenth less in a second, then it is found', () => {
    expect(verdicts(0.9, 0.015, 'higher').slower / comparisons).toBeGreaterThan(0.95);
  });

  test('and one takes a tenth longer, then it is found', () => {
    expect(verdicts(1.1, 0.015, 'lower').slower / comparisons).toBeGreaterThan(0.95);
  });

  test('and one takes a tenth less long, then it is found', () => {
    expect(verdicts(0.9, 0.015, 'lower').faster / comparisons).toBeGreaterThan(0.95);
  });

  test('on a machine that slows both of a pair, then that is no difference and hides none', () => {
    const busy = [1, 0.5, 0.9, 0.3, 0.7];
    const of = (level: number) => busy.map((share, turn) => share * level * (1 + turn / 500));
    expect(changeOf(of(100), of(100), 'higher')).toMatchObject({ ratio: 1, loss: 0 });
    expect(changeOf(of(100), of(90), 'higher')).toMatchObject({ verdict: 'slower' });
  });

  test('then a loss of speed is given as the additional time that the work takes', () => {
    expect(changeOf([100, 101, 99], [50, 50.5, 49.5], 'higher').loss).toBeCloseTo(1);
    expect(changeOf([100, 101, 99], [120, 121, 119], 'lower').loss).toBeCloseTo(0.2, 3);
  });
});

describe('When a version tells its figures in words alone', () => {
  test('then they are read from its table, as little rounded as they stand there', () => {
    const output = [
      '— update-check',
      '  Update check: 68 % (16827 and 24726 requests/s)',
      '| what | target | measured | how |',
      '| --- | --- | --- | --- |',
      '| Update check | 50 % | 68 % | 16827 and 24726 requests/s |',
      '| File list; p95 | 150 ms | 131 ms **short** | 504 pages of 100: median 14 ms |',
      '| Memory | below 200 MB | 1,016 MB | peak |',
      '| What the log adds | below 5 % | 1 % | 8.73 ms, not logged 8.66 ms |',
      '| Download | 50 % | not measured | nginx is not installed |',
    ].join('\n');
    expect(printedFigures(output)).toEqual([
      { what: 'Update check', value: 16_827 / 24_726 },
      { what: 'File list; p95', value: 131 },
      { what: 'Memory', value: 1_016 },
      { what: 'What the log adds', value: undefined },
      { what: 'Download', value: undefined },
    ]);
  });
});
