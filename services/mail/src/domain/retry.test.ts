import { expect, test } from 'vitest';
import { nextTry } from './retry.ts';

const requestedAt = new Date('2026-11-21T09:00:00Z');
const after = (minutes: number) => new Date(requestedAt.getTime() + minutes * 60_000);

test.each([
  [1, 0, 1],
  [2, 1, 3],
  [3, 3, 7],
  [7, 63, 123],
  [20, 1379, 1439],
])('after failure %i, %i minutes on, it is tried at %i', (failures, at, next) => {
  expect(nextTry({ requestedAt, failures }, after(at))).toEqual(after(next));
});

test('a day after it was asked for it is given up', () => {
  expect(nextTry({ requestedAt, failures: 20 }, after(1380))).toBeNull();
});
