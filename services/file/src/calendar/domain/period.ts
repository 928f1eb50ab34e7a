import { limits } from '@portal/contracts';
import { fieldError } from '@portal/kernel';

/** Both ends are in it, to the second. */
export interface Period {
  readonly start: Date;
  readonly end: Date;
}

const day = 24 * 3_600_000;

const second = 1_000;

export const isWithin = ({ end, start }: Period, at: Date): boolean =>
  at >= start && at.getTime() < end.getTime() + second;

/** Throws `E40002` on `end` for one that ends before it starts, or is too long. */
export function requirePeriod({ end, start }: Period): void {
  const length = end.getTime() - start.getTime();
  if (length < 0) throw fieldError('E40002', 'end', 'endBeforeStart');
  if (length > limits.calendarDays * day) {
    throw fieldError('E40002', 'end', 'calendarRange', { max: limits.calendarDays });
  }
}

/** What calendar programs are told of. */
export const periodOfFile = (now: Date): Period => ({
  start: new Date(now.getTime() - limits.calendarFileDaysBack * day),
  end: new Date(now.getTime() + limits.calendarDays * day),
});
