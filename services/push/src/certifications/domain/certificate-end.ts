import { pushLimits } from '@portal/contracts';

const day = 24 * 3_600_000;

/** When the first is told of the end of a certificate: so long before. */
export const firstNoticeMs = Math.max(...pushLimits.certificateNoticeDays) * day;

/**
 * How many days before the end of a certificate it is to be told now: the fewest that have begun, unless they were told already. Undefined
 * where there is nothing to tell, and once it has ended.
 */
export function dueEndNotice(
  { certificateExpiresAt: end, endToldDays: told }: EndingCertificate,
  now: Date,
): number | undefined {
  if (end === null || end <= now) return undefined;
  const begun = pushLimits.certificateNoticeDays.filter(
    (days) => end.getTime() - days * day <= now.getTime(),
  );
  const fewest = Math.min(...begun);
  return begun.length > 0 && (told === null || fewest < told) ? fewest : undefined;
}

export interface EndingCertificate {
  readonly certificateExpiresAt: Date | null;
  readonly endToldDays: number | null;
}
