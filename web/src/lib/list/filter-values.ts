import { dateTime } from '@portal/contracts';

/** What a filter takes: any text, the number of a record, a time of the wire, or one of some values. */
export type FilterValues = 'text' | 'number' | 'time' | readonly string[];

/** Whether a filter can be asked for `value`. */
export function takes(filter: FilterValues, value: string): boolean {
  if (filter === 'text') return true;
  if (filter === 'number') return /^[1-9]\d*$/.test(value) && Number.isSafeInteger(Number(value));
  if (filter === 'time') return dateTime.safeParse(value).success;
  return filter.includes(value);
}

/** Whether a range ends before it starts: both times of the wire or both dates, empty where it is open. */
export const endsBeforeStart = (start: string | Date, end: string | Date): boolean =>
  start !== '' && end !== '' && end < start;
