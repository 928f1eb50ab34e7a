import { formatDateTime } from '@portal/contracts';

const pad = (value: number) => String(value).padStart(2, '0');

/** A time of the wire as `datetime-local` wants it, in the viewer's zone; empty for none. */
export function toLocalInput(time: string | null | undefined): string {
  if (!time) return '';
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return '';
  const day = `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
  return `${day}T${pad(date.getHours())}:${pad(date.getMinutes())}`;
}

/** What a `datetime-local` holds as a time of the wire (UTC); empty for none. */
export function fromLocalInput(value: string): string {
  if (value === '') return '';
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? '' : formatDateTime(date);
}
