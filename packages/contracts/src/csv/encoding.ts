/** What CSV files are written in: UTF-8, or what Windows in Japan calls Shift-JIS (CP932). */
export type CsvEncoding = 'utf-8' | 'shift_jis';

/** Why a file has no encoding: lines of one and of another, or a line that no record can be. */
export type EncodingFault = 'csvEncoding' | 'csvRecordTooLong';

const lineFeed = 0x0a;
/** A line can't be longer than a record; the bytes of one that never ends are not kept. */
const longestLine = 1024 * 1024;

/**
 * Finds out what the bytes of a CSV file are written in, by its lines: UTF-8 when all of them are, else Shift-JIS. A
 * file with lines of both is refused, because half of it would become nonsense that no rule can tell from names.
 * Shift-JIS is not checked here: whoever decodes it does.
 */
export class EncodingFinder {
  readonly #utf8 = new TextDecoder('utf-8', { fatal: true });
  #rest = new Uint8Array(0);
  #isUtf8 = true;
  #hasUtf8Line = false;

  /** Takes the next bytes. Gives what is wrong as soon as it is known. */
  push(chunk: Uint8Array): EncodingFault | null {
    const end = chunk.lastIndexOf(lineFeed) + 1;
    if (end === 0) {
      if (this.#rest.length + chunk.length > longestLine) return 'csvRecordTooLong';
      this.#rest = joined(this.#rest, chunk);
      return null;
    }
    const lines = joined(this.#rest, chunk.subarray(0, end));
    this.#rest = chunk.slice(end);
    return this.#look(lines);
  }

  /** After the last bytes. */
  end(): CsvEncoding | EncodingFault {
    const fault = this.#look(this.#rest);
    if (fault) return fault;
    return this.#isUtf8 ? 'utf-8' : 'shift_jis';
  }

  #look(lines: Uint8Array): EncodingFault | null {
    if (this.#reads(lines)) {
      this.#hasUtf8Line ||= isSurelyUtf8(lines) && linesOf(lines).some(isSurelyUtf8);
    } else {
      this.#isUtf8 = false;
      this.#hasUtf8Line ||= linesOf(lines).some((line) => isSurelyUtf8(line) && this.#reads(line));
    }
    return !this.#isUtf8 && this.#hasUtf8Line ? 'csvEncoding' : null;
  }

  #reads(bytes: Uint8Array): boolean {
    try {
      this.#utf8.decode(bytes);
      return true;
    } catch {
      return false;
    }
  }
}

/**
 * Shift-JIS can look like UTF-8 by chance, but not twice in a line with characters of three bytes, which all of
 * Japanese has there.
 */
function isSurelyUtf8(line: Uint8Array): boolean {
  let long = 0;
  for (let at = 0; at < line.length && long < 2; at += 1) if ((line[at] ?? 0) >= 0xe0) long += 1;
  return long >= 2;
}

function linesOf(bytes: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = [];
  for (let start = 0; start < bytes.length; ) {
    const feed = bytes.indexOf(lineFeed, start);
    const end = feed === -1 ? bytes.length : feed + 1;
    lines.push(bytes.subarray(start, end));
    start = end;
  }
  return lines;
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(first.length + second.length);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
}
