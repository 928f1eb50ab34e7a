import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pointsShown, replacesLast, thinned } from './history.ts';

const at = (ms: number) => ({ at: new Date(ms) });
const kept = (times: readonly number[]) => {
  const points: { at: Date }[] = [];
  for (const time of times) {
    if (replacesLast(points, at(time))) points.pop();
    points.push(at(time));
  }
  return points;
};
const every = (step: number, count: number) => Array.from({ length: count }, (_, index) => index * step);

describe('When the numbers of a version change', () => {
  it('then the first ones stand, and the last one is what is so now', () => {
    expect(kept([0, 10_000, 20_000])).toHaveLength(3);
    // Nearer than five seconds to the one before the last: it is still moving.
    expect(kept([0, 10_000, 12_000, 14_000]).map((point) => point.at.getTime())).toEqual([0, 10_000, 14_000]);
  });

  it('then a change after a long silence leaves what was before it', () => {
    expect(kept([0, 1_000, 2_000, 3_600_000])).toHaveLength(3);
  });

  it('then all the time for a year leaves less than 2,000 points, further and further apart', () => {
    const minute = 60_000;
    const points = kept(every(minute, 365 * 24 * 60));
    expect(points.length).toBeLessThan(2_000);
    expect(points.at(-1)).toEqual(at((365 * 24 * 60 - 1) * minute));
  });
});

describe('When points are shown', () => {
  it('then there are few, in their order, with the last', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 1e9 }), { maxLength: 600 }), (times) => {
        const points = times.sort((a, b) => a - b).map(at);
        const shown = thinned(points);
        expect(shown.length).toBeLessThanOrEqual(pointsShown);
        expect(shown.at(-1)).toEqual(points.at(-1));
        expect(shown).toEqual(points.filter((point) => shown.includes(point)));
      }),
    );
  });
});
