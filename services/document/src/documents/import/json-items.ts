import { documentLimits } from '@portal/contracts';

/** One document of an import, as its bytes, before it is parsed. */
export interface Item {
  /** On which it begins, from 1. */
  readonly line: number;
  /** Absent for what is longer than a document may be: it is passed over without being kept. */
  readonly bytes?: Buffer;
}

/** Cuts a stream into documents, whatever its chunks; it never holds more than one chunk and one document. */
export interface Splitter {
  /** The documents that end in this chunk. */
  push(chunk: Uint8Array): Item[];
  /** The last document, if the stream ends with it. */
  end(): Item[];
  /** What is wrong with the stream as a whole, known at its end: what comes after it is not read. */
  readonly broken: { readonly line: number } | undefined;
}

const code = {
  tab: 9,
  newline: 10,
  return: 13,
  space: 32,
  quote: 34,
  comma: 44,
  bracket: 91,
  backslash: 92,
  endOfBracket: 93,
  brace: 123,
  endOfBrace: 125,
};

const isSpace = (byte: number | undefined) =>
  byte === code.space || byte === code.newline || byte === code.return || byte === code.tab;

/**
 * JSON lines, or with `mayBeArray` one JSON array, where the first character is its bracket: no document begins with it. All
 * that structures JSON is ASCII, which is nothing else in UTF-8, so that bytes are looked at.
 */
export function createSplitter({ mayBeArray }: { readonly mayBeArray: boolean }): Splitter {
  let chosen: Splitter | undefined;
  let line = 1;
  /** Bytes of it that have come; after anything else it is none. */
  let markBytes = 0;
  return {
    get broken() {
      return chosen?.broken;
    },
    push(chunk) {
      if (chosen) return chosen.push(chunk);
      let at = 0;
      const bytes = asBuffer(chunk);
      for (; at < bytes.length && bytes[at] === byteOrderMark[markBytes]; at++) markBytes += 1;
      for (; at < bytes.length && isSpace(bytes[at]); at++) {
        markBytes = byteOrderMark.length;
        if (bytes[at] === code.newline) line += 1;
      }
      if (at === bytes.length) return [];
      const isArray = mayBeArray && bytes[at] === code.bracket;
      chosen = isArray ? arraySplitter(line) : linesSplitter(line);
      return chosen.push(bytes.subarray(isArray ? at + 1 : at));
    },
    end: () => chosen?.end() ?? [],
  };
}

const byteOrderMark = [0xef, 0xbb, 0xbf];

function linesSplitter(first: number): Splitter {
  let line = first;
  const kept = partsOfItem();
  const next = (): Item[] => {
    const { bytes, isBlank } = kept.take();
    const item = { line, ...(bytes && { bytes }) };
    line += 1;
    return isBlank ? [] : [item];
  };
  return {
    broken: undefined,
    push(chunk) {
      const bytes = asBuffer(chunk);
      const items: Item[] = [];
      let from = 0;
      for (let to = bytes.indexOf(code.newline); to !== -1; to = bytes.indexOf(code.newline, from)) {
        kept.add(bytes.subarray(from, to));
        items.push(...next());
        from = to + 1;
      }
      kept.add(bytes.subarray(from));
      return items;
    },
    end: next,
  };
}

/** Cuts at the commas of the array; whether what is between two of them is a document, its parser tells. */
function arraySplitter(first: number): Splitter {
  let line = first;
  let itemLine = first;
  /** Something of an item has come. */
  let hasBegun = false;
  let hasComma = false;
  let depth = 0;
  let isInString = false;
  let isEscaped = false;
  let hasEnded = false;
  let brokenAt: number | undefined;
  const kept = partsOfItem();

  function next(): Item[] {
    const { bytes } = kept.take();
    const item = { line: hasBegun ? itemLine : line, ...(bytes && { bytes }) };
    hasBegun = false;
    return [item];
  }

  function push(chunk: Uint8Array): Item[] {
    const bytes = asBuffer(chunk);
    const items: Item[] = [];
    let from = 0;
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at];
      if (byte === code.newline) line += 1;
      if (isInString) {
        if (isEscaped) isEscaped = false;
        else if (byte === code.backslash) isEscaped = true;
        else if (byte === code.quote) isInString = false;
      } else if (isSpace(byte)) {
        continue;
      } else if (hasEnded) {
        brokenAt ??= line;
        return items;
      } else if (depth === 0 && (byte === code.comma || byte === code.endOfBracket)) {
        kept.add(bytes.subarray(from, at));
        from = at + 1;
        hasEnded = byte === code.endOfBracket;
        // An array without documents has no comma.
        if (hasBegun || hasComma || !hasEnded) items.push(...next());
        hasComma = true;
      } else {
        if (!hasBegun) itemLine = line;
        hasBegun = true;
        if (byte === code.quote) isInString = true;
        else if (byte === code.brace || byte === code.bracket) depth += 1;
        else if (byte === code.endOfBrace || byte === code.endOfBracket) depth = Math.max(0, depth - 1);
      }
    }
    if (!hasEnded) kept.add(bytes.subarray(from));
    return items;
  }

  return {
    get broken() {
      return brokenAt === undefined ? undefined : { line: brokenAt };
    },
    push,
    end() {
      if (!hasEnded) brokenAt = line;
      return [];
    },
  };
}

/** The bytes of one document, which may come in several chunks; of far too long a one, none is kept. */
function partsOfItem() {
  const most = documentLimits.maxDocumentSize;
  let parts: Buffer[] = [];
  let length = 0;
  let blank = true;
  return {
    add(part: Buffer) {
      if (blank) blank = isBlank(part);
      if (blank) return;
      length += part.length;
      // With the blanks around it, which don't count.
      if (length > 2 * most) parts = [];
      else parts.push(part);
    },
    take() {
      const [only] = parts;
      const bytes = withoutBlanks(only && parts.length === 1 ? only : Buffer.concat(parts));
      const isTooLong = length > 2 * most || bytes.length > most;
      const taken = { bytes: isTooLong ? undefined : bytes, isBlank: blank };
      parts = [];
      length = 0;
      blank = true;
      return taken;
    },
  };
}

function withoutBlanks(bytes: Buffer): Buffer {
  let from = 0;
  let to = bytes.length;
  while (from < to && isSpace(bytes[from])) from += 1;
  while (from < to && isSpace(bytes[to - 1])) to -= 1;
  return bytes.subarray(from, to);
}

function isBlank(bytes: Buffer): boolean {
  for (const byte of bytes) {
    if (!isSpace(byte)) return false;
  }
  return true;
}

const asBuffer = (chunk: Uint8Array): Buffer =>
  Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
