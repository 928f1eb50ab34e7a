import { limits } from '@portal/contracts';

/** When the licences of a partner end, and what was told of it. */
export interface LicenceEnd {
  readonly licenseExpiredOn: Date | null;
  /** Which end was told of last, and how many days before at most. */
  readonly licenceToldFor: Date | null;
  readonly licenceToldDays: number | null;
}

const dayMs = 24 * 3_600_000;

/** What is to be told now: of an end that is so near, the fewest days; undefined where that was told, or nothing is. */
export function dueLicenceNotice(
  { licenceToldDays, licenceToldFor, licenseExpiredOn: end }: LicenceEnd,
  now: Date,
): { end: Date; days: number } | undefined {
  if (end === null || end <= now) return undefined;
  const left = end.getTime() - now.getTime();
  const reached = limits.licenceNoticeDays.filter((days) => left <= days * dayMs);
  if (reached.length === 0) return undefined;
  const days = Math.min(...reached);
  const told = licenceToldFor?.getTime() === end.getTime() ? licenceToldDays : null;
  return told !== null && told <= days ? undefined : { end, days };
}
