const dayMs = 24 * 3_600_000;

/** The last `count` days in UTC with that of `now`, oldest first, as `YYYY-MM-DD`. */
export function lastDays(now: Date, count: number): string[] {
  return Array.from({ length: count }, (_, index) =>
    new Date(now.getTime() - (count - 1 - index) * dayMs).toISOString().slice(0, 10),
  );
}
