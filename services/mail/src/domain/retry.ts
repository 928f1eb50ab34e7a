const minute = 60_000;
const longest = 60 * minute;
/** As long as the links in mails are good for. */
const triedFor = 24 * 60 * minute;

/** When a mail is tried again after its `failures`-th failure, or null when it is given up after a day. */
export function nextTry(mail: { requestedAt: Date; failures: number }, now: Date): Date | null {
  const next = new Date(now.getTime() + Math.min(longest, minute * 2 ** (mail.failures - 1)));
  return next.getTime() < mail.requestedAt.getTime() + triedFor ? next : null;
}
