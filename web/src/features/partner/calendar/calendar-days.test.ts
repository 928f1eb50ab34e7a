import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addDays,
  beginOf,
  dayOf,
  daysShown,
  onDay,
  periodOf,
  readDay,
  stepOf,
  turned,
  weeksOfMonth,
} from './calendar-days.ts';

const someDay = fc
  .date({ min: new Date(2000, 0, 1), max: new Date(2099, 11, 31), noInvalidDate: true })
  .map(dayOf);

describe('the days of the calendar', () => {
  it('of a month are whole weeks that hold it, and no more', () => {
    fc.assert(
      fc.property(someDay, fc.constantFrom('ja' as const, 'en' as const), (day, language) => {
        const weeks = weeksOfMonth(day, language);
        const shown = weeks.flat();
        expect(weeks.every((week) => week.length === 7)).toBe(true);
        expect(shown.every((one, at) => at === 0 || one === addDays(shown[at - 1] ?? '', 1))).toBe(true);
        const ofMonth = daysShown('list', day, language);
        expect(ofMonth[0]?.slice(8)).toBe('01');
        expect(addDays(ofMonth.at(-1) ?? '', 1).slice(8)).toBe('01');
        expect(ofMonth).toContain(day);
        for (const week of weeks) expect(week.some((one) => ofMonth.includes(one))).toBe(true);
        expect(beginOf(shown[0] ?? '').getDay()).toBe(language === 'ja' ? 0 : 1);
      }),
    );
  });

  it('are asked for from the begin of the first to the last second of the last', () => {
    const { end, start } = periodOf(['2026-12-01', '2026-12-02']);
    expect(new Date(start)).toEqual(new Date(2026, 11, 1));
    expect(new Date(end)).toEqual(new Date(2026, 11, 2, 23, 59, 59));
  });

  it('are read from an address where they are days', () => {
    expect(readDay('2026-12-05')).toBe('2026-12-05');
    for (const wrong of [null, '', '2026-02-30', '2026-13-01', '0999-01-01', '2026-1-1', 'x'])
      expect(readDay(wrong)).toBeUndefined();
  });

  it('turn over by month and by week', () => {
    expect(turned('month', '2026-01-31', 1)).toBe('2026-02-01');
    expect(turned('list', '2026-01-15', -1)).toBe('2025-12-01');
    expect(turned('week', '2026-12-30', 1)).toBe('2027-01-06');
  });
});

describe('a time that is moved', () => {
  const moment = new Date(2026, 11, 30, 10, 5, 7);

  it('keeps its time of the day, or its minutes', () => {
    expect(onDay(moment, '2027-01-02')).toEqual(new Date(2027, 0, 2, 10, 5, 7));
    expect(onDay(moment, '2027-01-02', 23)).toEqual(new Date(2027, 0, 2, 23, 5, 7));
  });

  it('follows the arrow keys: by days and weeks, in a week by hours', () => {
    expect(stepOf('ArrowRight', 'month', moment)).toEqual(new Date(2026, 11, 31, 10, 5, 7));
    expect(stepOf('ArrowDown', 'list', moment)).toEqual(new Date(2027, 0, 6, 10, 5, 7));
    expect(stepOf('ArrowUp', 'week', moment)).toEqual(new Date(2026, 11, 30, 9, 5, 7));
    expect(stepOf('ArrowLeft', 'week', moment)).toEqual(new Date(2026, 11, 29, 10, 5, 7));
    expect(stepOf('a', 'month', moment)).toBeUndefined();
  });
});
