import { describe, expect, test } from 'vitest';
import { dueReminder, nextReminderAt } from './licence-end.ts';

const at = (time: string) => new Date(time);
/** The last day is the 15th in Tokyo and the 14th in UTC. */
const end = at('2027-01-14T15:30:00Z');
const inTokyo = { licenseExpiredOn: end, timeZone: 'Asia/Tokyo' };
const inUtc = { licenseExpiredOn: end, timeZone: 'UTC' };
const inNewYork = { licenseExpiredOn: at('2027-03-16T12:00:00Z'), timeZone: 'America/New_York' };

describe('When a licence ends', () => {
  test('then it is told 30, 7 and 1 days before, at 9:00 in the zone of the partner', () => {
    expect(nextReminderAt(inTokyo, at('2026-11-21T00:00:00Z'))).toEqual(at('2026-12-16T00:00:00Z'));
    expect(nextReminderAt(inTokyo, at('2026-12-16T00:00:00Z'))).toEqual(at('2027-01-08T00:00:00Z'));
    expect(nextReminderAt(inTokyo, at('2027-01-08T00:00:00Z'))).toEqual(at('2027-01-14T00:00:00Z'));
    expect(nextReminderAt(inTokyo, at('2027-01-14T00:00:00Z'))).toBeNull();
    expect(nextReminderAt(inUtc, at('2026-11-21T00:00:00Z'))).toEqual(at('2026-12-15T09:00:00Z'));
  });

  test('then 9:00 stays 9:00 where the clocks are changed', () => {
    expect(nextReminderAt(inNewYork, at('2027-02-01T00:00:00Z'))).toEqual(at('2027-02-14T14:00:00Z'));
    expect(nextReminderAt(inNewYork, at('2027-02-20T00:00:00Z'))).toEqual(at('2027-03-09T14:00:00Z'));
    expect(nextReminderAt(inNewYork, at('2027-03-10T00:00:00Z'))).toEqual(at('2027-03-15T13:00:00Z'));
  });

  test('then the latest that is due is told, until the end', () => {
    expect(dueReminder(inTokyo, at('2026-12-15T23:59:59Z'))).toBeUndefined();
    expect(dueReminder(inTokyo, at('2026-12-16T00:00:00Z'))).toEqual({ end, days: 30 });
    expect(dueReminder(inTokyo, at('2027-01-07T23:59:59Z'))).toEqual({ end, days: 30 });
    expect(dueReminder(inTokyo, at('2027-01-08T00:00:00Z'))).toEqual({ end, days: 7 });
    expect(dueReminder(inTokyo, at('2027-01-14T15:29:59Z'))).toEqual({ end, days: 1 });
    expect(dueReminder(inTokyo, end)).toBeUndefined();
  });

  test('then nothing is told of a licence that does not', () => {
    const forever = { licenseExpiredOn: null, timeZone: 'Asia/Tokyo' };
    expect(nextReminderAt(forever, at('2026-11-21T00:00:00Z'))).toBeNull();
    expect(dueReminder(forever, at('2026-11-21T00:00:00Z'))).toBeUndefined();
  });
});
