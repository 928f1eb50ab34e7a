/**
 * What of `now` is not as it was `before`; all of it without. An absent field stays as it is on the server: what somebody else has
 * changed meanwhile is not undone.
 */
export function changedFields<T extends object>(now: T, before: T | undefined): Partial<T> {
  const then: Readonly<Record<string, unknown>> = { ...before };
  const isChanged = ([field, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(then[field]);
  return Object.fromEntries(Object.entries(now).filter(isChanged)) as Partial<T>;
}
