import { isGuessable } from '@portal/accounts';
import {
  type CsvEncoding,
  CsvFault,
  CsvReader,
  type CsvRecord,
  EncodingFinder,
  isHeaderMissing,
  limits,
  readUserRow,
  type UserCsvRow,
} from '@portal/contracts';
import iconv from 'iconv-lite';
import { type LineFault, unreadable } from '../domain/import.ts';
import { timeSlices } from './time-slices.ts';

/** Some rows of a file, and what is wrong with others. */
export interface CsvBatch {
  readonly rows: readonly (UserCsvRow & { readonly line: number })[];
  readonly faults: readonly LineFault[];
  /** Bytes of the file that were read by now, both times. */
  readonly bytesRead: number;
}

/** Opens the bytes of a file from their beginning. */
export type OpenBytes = () => Promise<AsyncIterable<Uint8Array>>;

/** A batch is written in one go; it is small enough to delay nobody. */
const batchSize = 500;
/** Characters of a batch, where its rows are long. */
const batchLength = 256 * 1024;
/** Bytes that are looked at in one go. */
const pieceSize = 16 * 1024;
/** A batch without rows now and then tells that the work goes on. */
const bytesBetweenWords = 16 * 1024 ** 2;

/**
 * Reads a CSV file of users from beginning to end, twice: what it is written in is known only behind its last line. Of the
 * file one record and one batch are held, however long it is, and others have their turn all the while.
 * Throws `E40002` on csv for a file that can't be read, has no rows or too many.
 */
export async function* readUserCsv(open: OpenBytes): AsyncGenerator<CsvBatch> {
  const othersFirst = timeSlices();
  let bytesRead = 0;
  async function* pieces() {
    for await (const chunk of await open()) {
      for (let at = 0; at < chunk.length; at += pieceSize) {
        const piece = chunk.subarray(at, at + pieceSize);
        bytesRead += piece.length;
        yield piece;
        await othersFirst();
      }
    }
  }

  let toldAt = 0;
  const isTimeToTell = () => bytesRead - toldAt >= bytesBetweenWords;
  let faults: LineFault[] = [];
  let rows: CsvBatch['rows'][number][] = [];
  let length = 0;
  function batch(): CsvBatch {
    const taken = { rows, faults, bytesRead };
    rows = [];
    faults = [];
    length = 0;
    toldAt = bytesRead;
    return taken;
  }

  const finder = new EncodingFinder();
  for await (const piece of pieces()) {
    const fault = finder.push(piece);
    if (fault) throw unreadable(fault);
    if (isTimeToTell()) yield batch();
  }
  let rowCount = 0;
  let isFirst = true;
  let isEmpty = true;
  for await (const records of recordsOf(pieces(), encodingOf(finder.end()))) {
    for (const { cells, line } of records) {
      await othersFirst();
      const isHeader = isFirst && !isHeaderMissing(cells);
      if (isFirst && !isHeader) faults.push({ line, field: 'csv', code: 'E40002', message: 'csvHeader' });
      isEmpty &&= isHeader;
      if (!isFirst) {
        rowCount += 1;
        if (rowCount > limits.maxImportRows) throw unreadable('csvTooManyRows', line);
        for (const cell of cells) length += cell.length;
        const read = readRow(cells);
        if ('deletes' in read) rows.push({ ...read, line });
        else faults.push(...read.map((fault) => ({ ...fault, line })));
      }
      isFirst = false;
      if (rows.length + faults.length >= batchSize || length >= batchLength) yield batch();
    }
    if (isTimeToTell()) yield batch();
  }
  if (isEmpty) throw unreadable('csvEmpty');
  yield batch();
}

/** By the rules of the row, and those of passwords that the browser does not know. */
function readRow(cells: readonly string[]): ReturnType<typeof readUserRow> {
  const read = readUserRow(cells);
  return 'deletes' in read && read.password !== null && isGuessable(read.password, read)
    ? [{ field: 'password', code: 'E40002', message: 'guessablePassword' }]
    : read;
}

function encodingOf(found: ReturnType<EncodingFinder['end']>): CsvEncoding {
  if (found !== 'utf-8' && found !== 'shift_jis') throw unreadable(found);
  return found;
}

/** The records of a file, as its pieces end them. */
async function* recordsOf(
  pieces: AsyncIterable<Uint8Array>,
  encoding: CsvEncoding,
): AsyncGenerator<readonly CsvRecord[]> {
  const decode = encoding === 'utf-8' ? fromUtf8() : fromShiftJis();
  const reader = new CsvReader();
  try {
    for await (const piece of pieces) yield reader.read(decode(piece));
    yield reader.read(decode());
    yield reader.end();
  } catch (error) {
    throw error instanceof CsvFault ? unreadable(error.reason, error.line) : error;
  }
}

/** Gives the text of the next bytes, and at last of what is left. */
type Decode = (bytes?: Uint8Array) => string;

function fromUtf8(): Decode {
  const decoder = new TextDecoder('utf-8');
  return (bytes) => decoder.decode(bytes, { stream: bytes !== undefined });
}

/** Shift-JIS as Windows has it. What it can't be is refused, not replaced. */
function fromShiftJis(): Decode {
  const decoder = iconv.getDecoder('cp932');
  return (bytes) => {
    const text =
      (bytes ? decoder.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)) : decoder.end()) ??
      '';
    if (/[\uFFFD\u0080-\u009F]/.test(text)) throw unreadable('csvEncoding');
    return text;
  };
}
