import type { Language } from '@portal/contracts';
import { useLanguage } from './i18n.ts';

const sizeUnits = ['B', 'KB', 'MB', 'GB', 'TB', 'PB', 'EB', 'ZB', 'YB'] as const;

/** Bytes as a whole number of the largest fitting unit, in steps of 1024: `1536` is `1 KB`. */
export function formatFileSize(bytes: number, language: Language): string {
  let size = bytes;
  let unit = 0;
  while (size >= 1024 && unit < sizeUnits.length - 1) {
    size /= 1024;
    unit += 1;
  }
  return `${formatOf(language).number(Math.floor(size))} ${sizeUnits[unit]}`;
}

export interface Format {
  number(value: number): string;
  /** A share of 0 to 1. */
  percent(share: number): string;
  fileSize(bytes: number): string;
  /** A day in the viewer's zone; an em dash for none, and for what is no time. */
  date(time: string | null): string;
  /** Day and minute in the viewer's zone; an em dash likewise. */
  dateTime(time: string | null): string;
  /** The same with the zone named, where a mistake would matter. */
  dateTimeWithZone(time: string | null): string;
  /** A minute of the day in the viewer's zone. */
  timeOfDay(time: Date): string;
  /** The same with seconds. */
  secondOfDay(time: Date): string;
  /** Month, day and minute, where the year goes without saying. */
  dayAndTime(time: Date): string;
  /** A day that is no time of any zone, `2026-11-21`, as month and day. */
  calendarDay(date: string): string;
  /** Seconds as hours, minutes and seconds: `1:02:03`. */
  duration(seconds: number): string;
}

const nothing = '—';

/** Made when it is first asked for: the browser takes milliseconds for each, which no page should take before its first picture. */
function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

export function createFormat(language: Language): Format {
  const locale = language === 'ja' ? 'ja-JP' : 'en-GB';
  const day = { year: 'numeric', month: language === 'ja' ? '2-digit' : 'short', day: '2-digit' } as const;
  const minute = { ...day, hour: '2-digit', minute: '2-digit' } as const;
  const number = once(() => new Intl.NumberFormat(locale));
  const percent = once(() => new Intl.NumberFormat(locale, { style: 'percent' }));
  const times = (options: Intl.DateTimeFormatOptions) => once(() => new Intl.DateTimeFormat(locale, options));
  const timeOfDay = times({ hour: '2-digit', minute: '2-digit' });
  const secondOfDay = times({ hour: '2-digit', minute: '2-digit', second: '2-digit' });
  const dayAndTime = times({
    month: language === 'ja' ? 'numeric' : 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  });
  const monthAndDay = times({
    month: language === 'ja' ? 'numeric' : 'short',
    day: 'numeric',
    timeZone: 'UTC',
  });
  const say = (options: Intl.DateTimeFormatOptions) => {
    const format = times(options);
    return (time: string | null) => {
      const date = new Date(time ?? Number.NaN);
      return Number.isNaN(date.getTime()) ? nothing : format().format(date);
    };
  };
  return {
    number: (value) => number().format(value),
    percent: (share) => percent().format(share),
    fileSize: (bytes) => formatFileSize(bytes, language),
    date: say(day),
    dateTime: say(minute),
    dateTimeWithZone: say({ ...minute, timeZoneName: 'short' }),
    timeOfDay: (time) => timeOfDay().format(time),
    secondOfDay: (time) => secondOfDay().format(time),
    dayAndTime: (time) => dayAndTime().format(time),
    calendarDay: (date) => monthAndDay().format(new Date(date)),
    duration(seconds) {
      const whole = Math.max(0, Math.round(seconds));
      const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
      const shown = parts[0] === 0 ? parts.slice(1) : parts;
      return shown
        .map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, '0')))
        .join(':');
    },
  };
}

const formats = new Map<Language, Format>();

/** Made once for each language: the rows of a list ask hundreds of times. */
function formatOf(language: Language): Format {
  const known = formats.get(language);
  if (known) return known;
  const made = createFormat(language);
  formats.set(language, made);
  return made;
}

export function useFormat(): Format {
  return formatOf(useLanguage());
}

/** The viewer's zone as an IANA name, e.g. `Asia/Tokyo`. */
export function viewerZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
