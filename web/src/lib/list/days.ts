import { formatDateTime } from '@portal/contracts';

const lastDays = /^([1-9]\d{0,2})d$/;

/** How many days a time filter such as `7d` goes back, today being one of them; undefined for a time of the wire. */
export function daysOf(value: string): number | undefined {
  const [, days] = lastDays.exec(value) ?? [];
  return days === undefined ? undefined : Number(days);
}

/** The time of the wire that a time filter stands for: `7d` begins with the day six days ago, in the viewer's zone. */
export function timeOf(value: string, now = new Date()): string {
  const days = daysOf(value);
  if (days === undefined) return value;
  return formatDateTime(new Date(now.getFullYear(), now.getMonth(), now.getDate() - days + 1));
}
