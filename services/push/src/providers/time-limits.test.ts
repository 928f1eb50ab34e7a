import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTimeLimits } from './time-limits.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('Each ends at its own time, and what has ended by itself is left alone', () => {
  const limits = createTimeLimits(1_000);
  const ended: string[] = [];
  const begin = (name: string) => limits.start((reason) => ended.push(`${name} ${reason}`));
  begin('first');
  vi.advanceTimersByTime(400);
  const second = begin('second');
  begin('third');
  vi.advanceTimersByTime(599);
  expect(ended).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(ended).toEqual(['first timeout']);
  second();
  vi.advanceTimersByTime(400);
  expect(ended).toEqual(['first timeout', 'third timeout']);
  expect(vi.getTimerCount()).toBe(0);
});

test('One that begins after all others have ended has its whole time', () => {
  const limits = createTimeLimits(1_000);
  const end = vi.fn();
  limits.start(vi.fn())();
  vi.advanceTimersByTime(900);
  limits.start(end);
  vi.advanceTimersByTime(999);
  expect(end).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(end).toHaveBeenCalledExactlyOnceWith('timeout');
});

test('A signal that is aborted ends what began with it, and nothing else', () => {
  const limits = createTimeLimits(1_000);
  const [stopping, other] = [new AbortController(), new AbortController()];
  const ends = [vi.fn(), vi.fn(), vi.fn()] as const;
  limits.start(ends[0], stopping.signal);
  limits.start(ends[1], stopping.signal)();
  limits.start(ends[2], other.signal);
  stopping.abort();
  expect(ends[0]).toHaveBeenCalledExactlyOnceWith('stopped');
  expect(ends[1]).not.toHaveBeenCalled();
  expect(ends[2]).not.toHaveBeenCalled();
});
