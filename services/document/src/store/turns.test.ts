import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTurns } from './turns.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Work that goes on until it is told to end. */
function openWork() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { end: resolve, work: vi.fn(async () => promise) };
}

test('so much of one name is under way at once, and others have turns of their own', async () => {
  const turns = createTurns({ atOnce: 2 });
  const works = Array.from({ length: 4 }, openWork);
  const begun = () => works.map(({ work }) => work.mock.calls.length);
  const all = works.map(async ({ work }) => turns(1, 1_000, work));
  expect(begun()).toEqual([1, 1, 0, 0]);
  expect(await turns(2, 1_000, async () => Promise.resolve('other'))).toBe('other');
  works[1]?.end();
  await all[1];
  expect(begun()).toEqual([1, 1, 1, 0]);
  for (const { end } of works) end();
  await Promise.all(all);
  expect(begun()).toEqual([1, 1, 1, 1]);
  expect(vi.getTimerCount()).toBe(0);
});

test('what waits too long is refused, and keeps nobody waiting', async () => {
  const turns = createTurns({ atOnce: 1 });
  const long = openWork();
  const running = turns(1, 1_000, long.work);
  const late = openWork();
  const refused = expect(turns(1, 1_000, late.work)).rejects.toMatchObject({ code: 'E50301' });
  vi.advanceTimersByTime(1_000);
  await refused;
  long.end();
  await running;
  expect(late.work).not.toHaveBeenCalled();
  await expect(turns(1, 1_000, async () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(await turns(1, 1_000, async () => Promise.resolve('next'))).toBe('next');
});

test('what comes when too much waits is refused at once', async () => {
  const turns = createTurns({ atOnce: 1, mostWaiting: 1 });
  const [running, waiting] = [openWork(), openWork()];
  const all = [running, waiting].map(async ({ work }) => turns(1, 1_000, work));
  await expect(turns(1, 1_000, openWork().work)).rejects.toMatchObject({ code: 'E50301' });
  expect(await turns(2, 1_000, async () => Promise.resolve('other'))).toBe('other');
  for (const { end } of [running, waiting]) end();
  await Promise.all(all);
});
