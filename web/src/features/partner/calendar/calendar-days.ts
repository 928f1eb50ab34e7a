import { formatDateTime, type Language } from '@portal/contracts';

export const views = ['month', 'week', 'list'] as const;
export type View = (typeof views)[number];

/** A day of the viewer's calendar, `2026-12-05`. */
export type Day = string;

const pad = (value: number, digits = 2) => String(value).padStart(digits, '0');

/** The day in the viewer's zone that a moment is on. */
export const dayOf = (moment: Date): Day =>
  `${pad(moment.getFullYear(), 4)}-${pad(moment.getMonth() + 1)}-${pad(moment.getDate())}`;

/** When a day begins for the viewer. */
export function beginOf(day: Day): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date);
}

/** What is no day, as an address may have it, counts as none. */
export function readDay(text: string | null): Day | undefined {
  if (text === null || !/^[1-9]\d{3}-\d\d-\d\d$/.test(text)) return undefined;
  return dayOf(beginOf(text)) === text ? text : undefined;
}

export function addDays(day: Day, count: number): Day {
  const begin = beginOf(day);
  return dayOf(new Date(begin.getFullYear(), begin.getMonth(), begin.getDate() + count));
}

/** The first day of the month `count` months later. */
function addMonths(day: Day, count: number): Day {
  const begin = beginOf(day);
  return dayOf(new Date(begin.getFullYear(), begin.getMonth() + count, 1));
}

/** Weeks begin as calendars do where the language is spoken: on Sunday in Japan, on Monday in Britain. */
const firstOfWeek: Readonly<Record<Language, number>> = { ja: 0, en: 1 };

export function weekOf(day: Day, language: Language): readonly Day[] {
  const before = (beginOf(day).getDay() - firstOfWeek[language] + 7) % 7;
  return Array.from({ length: 7 }, (_, index) => addDays(day, index - before));
}

/** The weeks that hold the month of `day`, each of seven days. */
export function weeksOfMonth(day: Day, language: Language): readonly (readonly Day[])[] {
  const first = addMonths(day, 0);
  const next = addMonths(day, 1);
  const weeks: (readonly Day[])[] = [];
  for (
    let week = weekOf(first, language);
    (week[0] ?? next) < next;
    week = weekOf(addDays(week[0] ?? next, 7), language)
  ) {
    weeks.push(week);
  }
  return weeks;
}

/** The days that a view shows. */
export function daysShown(view: View, day: Day, language: Language): readonly Day[] {
  if (view === 'week') return weekOf(day, language);
  const weeks = weeksOfMonth(day, language).flat();
  return view === 'month' ? weeks : weeks.filter((one) => isSameMonth(one, day));
}

export const isSameMonth = (one: Day, other: Day): boolean => one.slice(0, 7) === other.slice(0, 7);

/** Where one is after turning over to the next or the one before. */
export const turned = (view: View, day: Day, count: 1 | -1): Day =>
  view === 'week' ? addDays(day, 7 * count) : addMonths(day, count);

/** The period that the service is asked for, which begins and ends with days. */
export function periodOf(days: readonly Day[]): { start: string; end: string } {
  const [first = dayOf(new Date())] = days;
  const after = beginOf(addDays(days.at(-1) ?? first, 1));
  return { start: formatDateTime(beginOf(first)), end: formatDateTime(new Date(after.getTime() - 1_000)) };
}

/** The same time of the day on another day; in another hour where one is given. A time that the clock leaves out becomes the next that it shows. */
export function onDay(moment: Date, day: Day, hour = moment.getHours()): Date {
  const begin = beginOf(day);
  return new Date(
    begin.getFullYear(),
    begin.getMonth(),
    begin.getDate(),
    hour,
    moment.getMinutes(),
    moment.getSeconds(),
  );
}

/** What an arrow key does to a time that is moved. Undefined for other keys. */
export function stepOf(key: string, view: View, moment: Date): Date | undefined {
  const days: Readonly<Record<string, number>> = {
    ArrowLeft: -1,
    ArrowRight: 1,
    ...(view !== 'week' && { ArrowUp: -7, ArrowDown: 7 }),
  };
  const count = days[key];
  if (count !== undefined) return onDay(moment, addDays(dayOf(moment), count));
  if (view === 'week' && (key === 'ArrowUp' || key === 'ArrowDown')) {
    return new Date(moment.getTime() + (key === 'ArrowUp' ? -1 : 1) * 3_600_000);
  }
  return undefined;
}
