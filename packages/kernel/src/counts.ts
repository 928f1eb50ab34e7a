/** Adds `by` to the count of a name, which has one only while it is above 0. @returns the count */
export function changeCount<Name>(counts: Map<Name, number>, name: Name, by: 1 | -1): number {
  const count = (counts.get(name) ?? 0) + by;
  if (count > 0) counts.set(name, count);
  else counts.delete(name);
  return count;
}
