/** `list` in its order, `size` elements at a time; the last slice has what is left. */
export function* slices<T>(list: readonly T[], size: number): Generator<T[]> {
  for (let begin = 0; begin < list.length; begin += size) yield list.slice(begin, begin + size);
}
