import { limits } from '@portal/contracts';
import { Temporal } from 'temporal-polyfill';

/** When the licences of a partner end, and where its days begin. */
export interface LicenceEnd {
  readonly licenseExpiredOn: Date | null;
  /** Its IANA name. */
  readonly timeZone: string;
}

/** One that is to be sent: of which end, and how many days before. */
export interface Reminder {
  readonly end: Date;
  readonly days: number;
}

/** On the day that is so many days before the last one, at this hour in the zone of the partner; the earliest first. */
const hour = 9;

function remindersOf({ licenseExpiredOn: end, timeZone }: LicenceEnd): (Reminder & { at: Date })[] {
  if (end === null) return [];
  const lastDay = Temporal.Instant.fromEpochMilliseconds(end.getTime())
    .toZonedDateTimeISO(timeZone)
    .toPlainDate();
  return limits.licenceReminderDays.map((days) => {
    const at = lastDay.subtract({ days }).toZonedDateTime({ timeZone, plainTime: { hour } });
    return { end, days, at: new Date(at.epochMilliseconds) };
  });
}

/** When the next reminder is due, after `now`; null where none is. What would have been due before is never sent. */
export function nextReminderAt(licence: LicenceEnd, now: Date): Date | null {
  return remindersOf(licence).find(({ at }) => at > now)?.at ?? null;
}

/** The latest reminder that is due by now; undefined once the licence has ended, or before the first. */
export function dueReminder(licence: LicenceEnd, now: Date): Reminder | undefined {
  if (licence.licenseExpiredOn === null || licence.licenseExpiredOn <= now) return undefined;
  const due = remindersOf(licence).findLast(({ at }) => at <= now);
  return due && { end: due.end, days: due.days };
}
