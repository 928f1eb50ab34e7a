/** What CSV files are written in: UTF-8, or what Windows in Japan calls Shift-JIS (CP932). */
export type CsvEncoding = 'utf-8' | 'shift_jis';

/** Why a file has no encoding: lines of one and of another, or a line that no record can be. */
export type EncodingFault = 'csvEncoding' | 'csvRecordTooLong';

const lineFeed = 0x0a;
/** Bytes. No record has a longer line. */
const longestLine = 1024 * 1024;

/**
 * Finds out what the bytes of a CSV file are written in, by its lines: UTF-8 when all of them are, else Shift-JIS. A
 * file with lines of both is refused, because half of it would become nonsense that no rule can tell from names.
 * Shift-JIS is not checked here but when it is decoded. It looks at each byte once and stores none.
 */
export class EncodingFinder {
  #isUtf8 = true;
  #hasUtf8Line = false;
  #line = newLine();
  #lineLength = 0;

  /** Takes the next bytes. Gives what is wrong as soon as it is known. */
  push(chunk: Uint8Array): EncodingFault | null {
    let start = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      // Within its length an array of bytes has no holes.
      const byte = chunk[at] as number;
      if (byte >= 0x80 || this.#line.following > 0) look(this.#line, byte);
      if (byte !== lineFeed) continue;
      this.#endLine();
      start = at + 1;
    }
    this.#lineLength = (start === 0 ? this.#lineLength : 0) + chunk.length - start;
    return this.#lineLength > longestLine ? 'csvRecordTooLong' : this.#fault();
  }

  /** After the last bytes. */
  end(): CsvEncoding | EncodingFault {
    this.#endLine();
    return this.#fault() ?? (this.#isUtf8 ? 'utf-8' : 'shift_jis');
  }

  #endLine(): void {
    const { following, isUtf8, long } = this.#line;
    if (!isUtf8 || following > 0) this.#isUtf8 = false;
    // Shift-JIS can look like UTF-8 by chance, but not twice in a line with characters of three bytes, which all of
    // Japanese has there.
    else if (long >= 2) this.#hasUtf8Line = true;
    if (!isUtf8 || following > 0 || long > 0) this.#line = newLine();
  }

  #fault(): EncodingFault | null {
    return !this.#isUtf8 && this.#hasUtf8Line ? 'csvEncoding' : null;
  }
}

/** What a line is so far, as UTF-8. */
interface Utf8Line {
  isUtf8: boolean;
  /** Characters of three bytes or more. */
  long: number;
  /** The missing bytes of the current character, and the allowed range of the next one. */
  following: number;
  low: number;
  high: number;
}

function newLine(): Utf8Line {
  return { isUtf8: true, long: 0, following: 0, low: 0x80, high: 0xbf };
}

function look(line: Utf8Line, byte: number): void {
  if (line.following > 0) {
    if (byte < line.low || byte > line.high) line.isUtf8 = false;
    line.following = line.isUtf8 ? line.following - 1 : 0;
    line.low = 0x80;
    line.high = 0xbf;
    return;
  }
  if (byte < 0xc2 || byte > 0xf4) line.isUtf8 = false;
  if (!line.isUtf8) return;
  line.following = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
  if (byte >= 0xe0) line.long += 1;
  // Neither longer than need be, nor a surrogate, nor beyond Unicode.
  if (byte === 0xe0) line.low = 0xa0;
  if (byte === 0xed) line.high = 0x9f;
  if (byte === 0xf0) line.low = 0x90;
  if (byte === 0xf4) line.high = 0x8f;
}
