/** Devices by their ids, a bit for each: a million of them take what the ids of thirty thousand take. */
export interface DeviceSet {
  readonly size: number;
  /** The id of the first bit, a multiple of 32. */
  readonly base: number;
  readonly words: Uint32Array;
}

export const noDevices: DeviceSet = { size: 0, base: 0, words: new Uint32Array() };

/** The devices with these ids, each named once. */
export function setOf(ids: Iterable<number> & { readonly length: number }): DeviceSet {
  if (ids.length === 0) return noDevices;
  let first = Infinity;
  let last = 0;
  for (const id of ids) {
    if (id < first) first = id;
    if (id > last) last = id;
  }
  const base = wordOf(first) * bits;
  const words = new Uint32Array(wordOf(last - base) + 1);
  for (const id of ids) {
    const word = wordOf(id - base);
    words[word] = (words[word] ?? 0) | (1 << (id % bits));
  }
  return { size: ids.length, base, words };
}

export const hasDevice = ({ base, words }: DeviceSet, id: number): boolean =>
  id >= base && ((words[wordOf(id - base)] ?? 0) & (1 << (id % bits))) !== 0;

/** Those that are in both. */
export const inBoth = (a: DeviceSet, b: DeviceSet): DeviceSet => combined(a, b, (one, other) => one & other);

/** Those of `a` that are not in `b`. */
export const without = (a: DeviceSet, b: DeviceSet): DeviceSet =>
  combined(a, b, (one, other) => one & ~other);

/** Those that are in any of `sets`. */
export function inAny(sets: readonly DeviceSet[]): DeviceSet {
  const some = sets.filter(({ size }) => size > 0);
  const [only] = some;
  if (!only) return noDevices;
  if (some.length === 1) return only;
  const base = Math.min(...some.map((set) => set.base));
  const end = Math.max(...some.map((set) => set.base + set.words.length * bits));
  const words = new Uint32Array((end - base) / bits);
  for (const set of some) {
    const shift = (set.base - base) / bits;
    // By numbers: an iterator takes ten times as long.
    for (let index = 0; index < set.words.length; index += 1) {
      words[index + shift] = (words[index + shift] ?? 0) | (set.words[index] ?? 0);
    }
  }
  return { size: sizeOf(words), base, words };
}

/** The ids from the `skip`th on in ascending order, at most `take`; `fromEnd`: counted from the last one, in descending order. */
export function idsAt(
  set: DeviceSet,
  {
    fromEnd = false,
    skip,
    take,
  }: { readonly skip: number; readonly take: number; readonly fromEnd?: boolean },
): number[] {
  if (fromEnd) {
    const end = Math.max(0, set.size - skip);
    const begin = Math.max(0, end - take);
    return idsAt(set, { skip: begin, take: end - begin }).reverse();
  }
  const ids: number[] = [];
  let before = 0;
  for (let index = 0; index < set.words.length && ids.length < take; index += 1) {
    const word = set.words[index] ?? 0;
    const count = bitsIn(word);
    if (before + count > skip) {
      let place = before;
      for (let bit = 0; bit < bits && ids.length < take; bit += 1) {
        if ((word & (1 << bit)) === 0) continue;
        if (place >= skip) ids.push(set.base + index * bits + bit);
        place += 1;
      }
    }
    before += count;
  }
  return ids;
}

/** The bits as PostgreSQL's `get_bit` counts them: bit 0 is that of `base`. */
export function bytesOf({ words }: DeviceSet): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(words.length * 4);
  const view = new DataView(bytes.buffer);
  for (const [index, word] of words.entries()) view.setUint32(index * 4, word, true);
  return bytes;
}

const bits = 32;
const wordOf = (id: number): number => Math.floor(id / bits);

function combined(a: DeviceSet, b: DeviceSet, combine: (one: number, other: number) => number): DeviceSet {
  const shift = (a.base - b.base) / bits;
  const words = new Uint32Array(a.words.length);
  for (let index = 0; index < words.length; index += 1) {
    words[index] = combine(a.words[index] ?? 0, b.words[index + shift] ?? 0);
  }
  return { size: sizeOf(words), base: a.base, words };
}

function sizeOf(words: Uint32Array): number {
  let size = 0;
  for (const word of words) size += bitsIn(word);
  return size;
}

function bitsIn(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
