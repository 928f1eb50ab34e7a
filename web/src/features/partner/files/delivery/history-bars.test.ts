import { describe, expect, it } from 'vitest';
import { barCount, barsOf } from './history-bars.ts';

const point = (at: string, installed: number) => ({
  at,
  devices: 10,
  installed,
  onTheWay: 0,
  failed: 0,
  notYet: 10 - installed,
});

describe('The bars of a delivery', () => {
  it('are none where nothing was kept', () => {
    expect(barsOf([])).toEqual([]);
  });

  it('have at each moment what was so then', () => {
    const bars = barsOf([
      point('2026-11-25T10:00:00Z', 1),
      point('2026-11-25T10:21:00Z', 5),
      point('2026-11-25T10:42:00Z', 9),
    ]);
    // A minute each, from the end of the first one on.
    expect(bars).toHaveLength(barCount);
    expect(bars[0]?.at.toISOString()).toBe('2026-11-25T10:01:00.000Z');
    expect(bars.map((bar) => bar.point?.installed)).toEqual([
      ...Array.from({ length: 20 }, () => 1),
      ...Array.from({ length: 21 }, () => 5),
      9,
    ]);
  });

  it('are empty before the first point of a young version', () => {
    const bars = barsOf([point('2026-11-25T10:00:00Z', 1), point('2026-11-25T10:00:20Z', 2)]);
    expect(bars.filter((bar) => bar.point === undefined)).toHaveLength(barCount - 5);
    expect(bars.at(-1)?.point?.installed).toBe(2);
  });
});
