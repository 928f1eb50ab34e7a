/** The items in order, as many together as are `most` in size; one that is larger is alone. */
export function* slicesOf<T>(
  items: Iterable<T>,
  { most, sizeOf }: { readonly most: number; readonly sizeOf: (item: T) => number },
): Generator<readonly T[]> {
  let slice: T[] = [];
  let size = 0;
  for (const item of items) {
    const more = sizeOf(item);
    if (slice.length > 0 && size + more > most) {
      yield slice;
      slice = [];
      size = 0;
    }
    slice.push(item);
    size += more;
  }
  if (slice.length > 0) yield slice;
}
