import { expect, it } from 'vitest';
import { lastDays } from './usage-days.ts';

it('are as many as asked for, over months, up to today', () => {
  const lateInUtc = new Date('2028-03-01T23:59:59Z');
  expect(lastDays(lateInUtc, 3, 'UTC')).toEqual(['2028-02-28', '2028-02-29', '2028-03-01']);
  expect(lastDays(lateInUtc, 3, 'Asia/Tokyo')).toEqual(['2028-02-29', '2028-03-01', '2028-03-02']);
  expect(lastDays(new Date('2026-11-21T00:00:00Z'), 30, 'UTC').at(0)).toBe('2026-10-23');
  expect(lastDays(new Date('2026-11-21T00:00:00Z'), 1, 'America/New_York')).toEqual(['2026-11-20']);
});

it('are each there once where clocks are changed', () => {
  const afterTheHourThatIsMissing = new Date('2026-03-08T07:30:00Z');
  expect(lastDays(afterTheHourThatIsMissing, 3, 'America/New_York')).toEqual([
    '2026-03-06',
    '2026-03-07',
    '2026-03-08',
  ]);
});
