import { pipeline, Readable, Transform } from 'node:stream';
import {
  type CsvEncoding,
  CsvLines,
  type CsvRecord,
  EncodingFinder,
  isHeaderMissing,
  readUserRow,
  type UserCsvRow,
  userCsvFormat,
} from '@portal/contracts';
import { type CsvError, type InfoRecord, type Options, parse } from 'csv-parse';
import iconv from 'iconv-lite';
import { type LineFault, unreadable } from '../domain/import.ts';

/** Some rows of a file, and what is wrong with others. */
export interface CsvBatch {
  readonly rows: readonly (UserCsvRow & { readonly line: number })[];
  readonly faults: readonly LineFault[];
  /** Bytes of the file that were read by now, both times. */
  readonly bytesRead: number;
}

/** Opens the bytes of a file from their beginning. */
export type OpenBytes = () => Promise<AsyncIterable<Uint8Array>>;

const batchSize = 5_000;
/** Characters of a batch, where its rows are long. */
const batchLength = 4 * 1024 ** 2;
/** A batch without rows now and then tells that the work goes on. */
const bytesBetweenWords = 16 * 1024 ** 2;

/**
 * Reads a CSV file of users from beginning to end, twice: what it is written in is known only behind its last line. Of the
 * file one record and one batch are held, however long it is.
 * Throws `E40002` on csv for a file that can't be read, or has no rows.
 */
export async function* readUserCsv(open: OpenBytes): AsyncGenerator<CsvBatch> {
  let bytesRead = 0;
  async function* counted(bytes: AsyncIterable<Uint8Array>) {
    for await (const chunk of bytes) {
      bytesRead += chunk.length;
      yield chunk;
    }
  }

  const finder = new EncodingFinder();
  let toldAt = 0;
  for await (const chunk of counted(await open())) {
    const fault = finder.push(chunk);
    if (fault) throw unreadable(fault);
    if (bytesRead - toldAt < bytesBetweenWords) continue;
    toldAt = bytesRead;
    yield { rows: [], faults: [], bytesRead };
  }
  const encoding = encodingOf(finder.end());
  let faults: LineFault[] = [];
  let rows: CsvBatch['rows'][number][] = [];
  let length = 0;
  let isFirst = true;
  let isEmpty = true;
  for await (const { cells, line } of recordsOf(counted(await open()), encoding)) {
    if (isFirst) {
      isFirst = false;
      if (!isHeaderMissing(cells)) continue;
      isEmpty = false;
      faults.push({ line, field: 'csv', code: 'E40002', message: 'csvHeader' });
      continue;
    }
    isEmpty = false;
    for (const cell of cells) length += cell.length;
    const read = readUserRow(cells);
    if ('deletes' in read) rows.push({ ...read, line });
    else faults.push(...read.map((fault) => ({ ...fault, line })));
    if (rows.length + faults.length < batchSize && length < batchLength) continue;
    yield { rows, faults, bytesRead };
    rows = [];
    length = 0;
    faults = [];
  }
  if (isEmpty) throw unreadable('csvEmpty');
  yield { rows, faults, bytesRead };
}

function encodingOf(found: ReturnType<EncodingFinder['end']>): CsvEncoding {
  if (found !== 'utf-8' && found !== 'shift_jis') throw unreadable(found);
  return found;
}

async function* recordsOf(
  bytes: AsyncIterable<Uint8Array>,
  encoding: CsvEncoding,
): AsyncGenerator<CsvRecord> {
  const lines = new CsvLines();
  // Placed as it is parsed, not as it is read: where the parser fails is counted from all before. It hands on whatever it
  // is given for a record, which its types don't know.
  const place = (cells: string[], { empty_lines }: InfoRecord): unknown => lines.place(cells, empty_lines);
  const parser = parse({ ...userCsvFormat, on_record: place as NonNullable<Options['on_record']> });
  const source = Readable.from(bytes, { objectMode: false });
  // The parser gives the error to whoever reads it.
  if (encoding === 'utf-8') pipeline(source, parser, () => undefined);
  else pipeline(source, fromShiftJis(), parser, () => undefined);
  try {
    for await (const record of parser as AsyncIterable<CsvRecord>) yield record;
  } catch (error) {
    throw isCsvError(error) ? unreadable(reasonOf(error), lines.after(Number(error['empty_lines']))) : error;
  }
}

function isCsvError(error: unknown): error is CsvError {
  return (
    error instanceof Error && 'code' in error && /^(CSV_|INVALID_OPENING_QUOTE)/.test(String(error.code))
  );
}

function reasonOf({ code }: CsvError) {
  return code === 'CSV_MAX_RECORD_SIZE' ? 'csvRecordTooLong' : 'csvQuote';
}

/** Shift-JIS as Windows has it, in UTF-8. What it can't be is refused, not replaced. */
function fromShiftJis(): Transform {
  const decoder = iconv.getDecoder('cp932');
  const utf8Of = (text: string | undefined) => {
    if (text !== undefined && /[\uFFFD\u0080-\u009F]/.test(text)) throw unreadable('csvEncoding');
    return text ?? '';
  };
  return new Transform({
    decodeStrings: false,
    transform(chunk: Buffer, _encoding, done) {
      try {
        done(null, utf8Of(decoder.write(chunk)));
      } catch (error) {
        done(error as Error);
      }
    },
    flush(done) {
      try {
        done(null, utf8Of(decoder.end()));
      } catch (error) {
        done(error as Error);
      }
    },
  });
}
