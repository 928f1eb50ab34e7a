import { formatDateTime } from '@portal/contracts';

const pad = (value: number, digits = 2) => String(value).padStart(digits, '0');

/** The latest that such a field takes: without it, browsers ask for years of six digits. */
export const latestLocal = '9999-12-31T23:59';

/**
 * A time of the wire as `datetime-local` wants it, in the viewer's zone; empty for none. While a year is typed, it is one of the first
 * thousand: what the field does not take would empty it.
 */
export function toLocalInput(time: string | null | undefined): string {
  if (!time) return '';
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return '';
  const day = `${pad(date.getFullYear(), 4)}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
  return `${day}T${pad(date.getHours())}:${pad(date.getMinutes())}`;
}

/** What a `datetime-local` holds as a time of the wire (UTC); empty for none. */
export function fromLocalInput(value: string): string {
  if (value === '') return '';
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? '' : formatDateTime(date);
}
