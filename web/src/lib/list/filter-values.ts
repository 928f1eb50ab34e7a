import { dateTime } from '@portal/contracts';
import { daysOf } from './days.ts';

/**
 * The values that a filter takes: every text, numbers of records, groups with 0 for everyone, times of the wire or the last days (`7d`), those listed, or
 * several of those by comma.
 */
export type FilterValues =
  | 'text'
  | 'number'
  | 'group'
  | 'time'
  | readonly string[]
  | { readonly someOf: readonly string[] };

/** What filters hold: one of the values listed where there are some, empty where they are off. */
export type Filtered<T extends Readonly<Record<string, FilterValues>>> = {
  [N in keyof T]: T[N] extends readonly (infer V extends string)[] ? V | '' : string;
};

/** Whether a filter can be asked for `value`. */
export function takes(filter: FilterValues, value: string): boolean {
  if (filter === 'text') return true;
  if (filter === 'number') return /^[1-9]\d*$/.test(value) && Number.isSafeInteger(Number(value));
  if (filter === 'group') return value === '0' || takes('number', value);
  if (filter === 'time') return daysOf(value) !== undefined || dateTime.safeParse(value).success;
  if ('someOf' in filter) return value.split(',').every((one) => filter.someOf.includes(one));
  return filter.includes(value);
}

/** Whether a range ends before it starts: both times of the wire or both dates, empty where it is open. */
export const endsBeforeStart = (start: string | Date, end: string | Date): boolean =>
  start !== '' && end !== '' && end < start;
