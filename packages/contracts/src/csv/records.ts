import { limits } from '../core/limits.ts';

export interface CsvRecord {
  readonly cells: readonly string[];
  /** The first of its lines; the header is on line 1. */
  readonly line: number;
}

/** Why a text is no CSV, and on which line the record begins that tells. */
export class CsvFault extends Error {
  readonly reason: 'csvQuote' | 'csvRecordTooLong';
  readonly line: number;

  constructor(reason: CsvFault['reason'], line: number) {
    super(reason);
    this.reason = reason;
    this.line = line;
  }
}

/** Cells of a record. No file of the portal has as many columns. */
const mostCells = 1_000;

const quote = 0x22;
const comma = 0x2c;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Where in a cell the reader is: before it, in a bare one, between quotes, or behind a quote that may close it. */
type Place = 'before' | 'bare' | 'quoted' | 'closed';

/**
 * Takes CSV as in RFC 4180 apart, with lines that end in any of the three ways; rows may have any number of cells, and
 * empty lines are passed over. It looks at each character once, and holds no more than the longest record.
 */
export class CsvReader {
  #place: Place = 'before';
  #cell = '';
  #cells: string[] = [];
  /** Characters of the record so far. */
  #length = 0;
  #line = 1;
  #firstLine = 1;
  #afterReturn = false;

  /** The records that end in the next piece of the text. Throws `CsvFault`. */
  read(text: string): CsvRecord[] {
    const records: CsvRecord[] = [];
    let place = this.#place;
    let afterReturn = this.#afterReturn;
    let start = 0;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      const isBreak = code === lineFeed || code === carriageReturn;
      if (isBreak) {
        const isSecondHalf = code === lineFeed && afterReturn;
        afterReturn = code === carriageReturn;
        if (isSecondHalf) continue;
        this.#line += 1;
      } else afterReturn = false;

      if (place === 'quoted') {
        if (code !== quote) continue;
        this.#take(text.slice(start, at));
        place = 'closed';
      } else if (code === quote) {
        if (place === 'bare') throw this.#fault('csvQuote');
        // Two quotes in a quoted cell are one.
        if (place === 'closed') this.#take('"');
        place = 'quoted';
        start = at + 1;
      } else if (code === comma || isBreak) {
        const isEmptyLine = isBreak && place === 'before' && this.#cells.length === 0;
        if (place === 'bare') this.#take(text.slice(start, at));
        place = 'before';
        if (!isEmptyLine) this.#endCell();
        if (isBreak) this.#endLine(records);
      } else if (place === 'closed') {
        throw this.#fault('csvQuote');
      } else if (place === 'before') {
        place = 'bare';
        start = at;
      }
    }
    if (place === 'bare' || place === 'quoted') this.#take(text.slice(start));
    this.#place = place;
    this.#afterReturn = afterReturn;
    return records;
  }

  /** The record that no line's end is behind. Throws `CsvFault`. */
  end(): CsvRecord[] {
    if (this.#place === 'quoted') throw this.#fault('csvQuote');
    return this.#place === 'before' && this.#cells.length === 0 ? [] : this.read('\n');
  }

  #take(piece: string): void {
    this.#length += piece.length;
    if (this.#length > limits.csvRecordMaxLength) throw this.#fault('csvRecordTooLong');
    this.#cell += piece;
  }

  #endCell(): void {
    if (this.#cells.length === mostCells) throw this.#fault('csvRecordTooLong');
    this.#cells.push(this.#cell);
    this.#cell = '';
  }

  #endLine(records: CsvRecord[]): void {
    if (this.#cells.length > 0) {
      records.push({ cells: this.#cells, line: this.#firstLine });
      this.#cells = [];
    }
    this.#length = 0;
    this.#firstLine = this.#line;
  }

  #fault(reason: CsvFault['reason']): CsvFault {
    return new CsvFault(reason, this.#firstLine);
  }
}
