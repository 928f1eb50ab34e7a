/** The one name of a zone, as in `Asia/Tokyo` or `+09:00`, of all that stand for it. */
export function canonicalZone(timeZone: string): string {
  return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
}
