import { Temporal } from 'temporal-polyfill';

/** The last `count` days of a time zone with that of `now`, oldest first, as `YYYY-MM-DD`. */
export function lastDays(now: Date, count: number, timeZone: string): string[] {
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO(timeZone)
    .toPlainDate();
  return Array.from({ length: count }, (_, index) => today.subtract({ days: count - 1 - index }).toString());
}
