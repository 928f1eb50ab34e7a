import { expect, it } from 'vitest';
import { lastDays } from './usage-days.ts';

it('are as many as asked for, over months, up to today', () => {
  expect(lastDays(new Date('2028-03-01T23:59:59Z'), 3)).toEqual(['2028-02-28', '2028-02-29', '2028-03-01']);
  expect(lastDays(new Date('2026-11-21T00:00:00Z'), 30).at(0)).toBe('2026-10-23');
});
