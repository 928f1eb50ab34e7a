import { describe, expect, test } from 'vitest';
import { noted } from './retry.ts';

const now = new Date('2026-11-21T09:00:00Z');
const first = { tries: 1, firstTriedAt: now, now, chance: 0 };
const waitOf = (tries: number, chance = 0, retryAfterMs?: number) => {
  const of = noted(
    { kind: 'later', reason: 'Busy', ...(retryAfterMs !== undefined && { retryAfterMs }) },
    { ...first, tries, chance },
  );
  return of.outcome === 'later' ? of.dueAt.getTime() - now.getTime() : of;
};

describe('After a try', () => {
  test('a push that is taken, refused, or for a dead token is not tried again', () => {
    expect(noted({ kind: 'taken' }, first)).toEqual({ outcome: 'taken' });
    expect(noted({ kind: 'refused', reason: 'R' }, first)).toEqual({
      outcome: 'failed',
      reason: 'R',
      isGone: false,
    });
    expect(noted({ kind: 'gone', reason: 'G' }, first)).toEqual({
      outcome: 'failed',
      reason: 'G',
      isGone: true,
    });
  });

  test('waits begin with at most a second, double, and end at a minute', () => {
    expect([1, 2, 3, 6, 7, 8, 60].map((tries) => waitOf(tries))).toEqual([
      1_000, 2_000, 4_000, 32_000, 60_000, 60_000, 60_000,
    ]);
  });

  test('chance shortens a wait by up to half', () => {
    expect([waitOf(3, 0.5), waitOf(3, 1)]).toEqual([3_000, 2_000]);
  });

  test('what the provider asks for is kept where it is longer', () => {
    expect([waitOf(1, 0, 90_000), waitOf(7, 0, 5_000)]).toEqual([90_000, 60_000]);
  });

  test('an hour after the first try the device has failed, with the last reason', () => {
    const late = (ms: number) =>
      noted(
        { kind: 'later', reason: 'Busy' },
        { ...first, tries: 60, firstTriedAt: new Date(now.getTime() - ms) },
      );
    expect(late(3_539_999)).toMatchObject({ outcome: 'later' });
    expect(late(3_540_000)).toEqual({ outcome: 'failed', reason: 'Busy', isGone: false });
    expect(waitOf(1, 0, 3_600_000)).toEqual({ outcome: 'failed', reason: 'Busy', isGone: false });
  });
});
