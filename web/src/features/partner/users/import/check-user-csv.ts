import {
  type CsvEncoding,
  CsvFault,
  CsvReader,
  type CsvRecord,
  EncodingFinder,
  type FieldMessageKey,
  isHeaderMissing,
  limits,
  readUserRow,
  type UserCsvFault,
  userCsvColumns,
  userRowKey,
} from '@portal/contracts';

export type LocalFault = UserCsvFault & { readonly line: number };

/** What the browser can check in a file without the server. */
export type UserCsvReport =
  | { readonly readable: false; readonly message: FieldMessageKey; readonly line: number | null }
  | {
      readonly readable: true;
      /** Rows that make or change a user, and rows that delete one. */
      readonly keepCount: number;
      readonly deleteCount: number;
      /** All that are wrong. */
      readonly faultCount: number;
      /** The first of them. */
      readonly faults: readonly LocalFault[];
    };

/** Why a file can't be read, and from which line on. */
class Unreadable extends Error {
  readonly reason: FieldMessageKey;
  readonly line: number | null;

  constructor(reason: FieldMessageKey, line: number | null) {
    super(reason);
    this.reason = reason;
    this.line = line;
  }
}

/** Checks a CSV file of users by the rules that the server has as well. `onProgress` is told from 0 to 1. */
export async function checkUserCsv(file: Blob, onProgress: (share: number) => void): Promise<UserCsvReport> {
  try {
    const encoding = await findEncoding(file, (bytes) => onProgress(bytes / file.size / 2));
    return await checkRows(file, encoding, (bytes) => onProgress((1 + bytes / file.size) / 2));
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { readable: false, message: error.reason, line: error.line };
  }
}

async function findEncoding(file: Blob, onBytes: (bytes: number) => void): Promise<CsvEncoding> {
  const finder = new EncodingFinder();
  let bytes = 0;
  for await (const chunk of chunksOf(file)) {
    const fault = finder.push(chunk);
    if (fault) throw new Unreadable(fault, null);
    bytes += chunk.length;
    onBytes(bytes);
  }
  const found = finder.end();
  if (found === 'utf-8' || found === 'shift_jis') return found;
  throw new Unreadable(found, null);
}

async function checkRows(
  file: Blob,
  encoding: CsvEncoding,
  onBytes: (bytes: number) => void,
): Promise<UserCsvReport> {
  const firstLines = new Map<string, number>();
  const faults: LocalFault[] = [];
  const counts = { keepCount: 0, deleteCount: 0, faultCount: 0 };
  let rowCount = 0;
  let isFirst = true;

  function found(line: number, fault: UserCsvFault): void {
    counts.faultCount += 1;
    if (faults.length < limits.importLinesKept) faults.push({ ...fault, line });
  }

  function look(cells: readonly string[], line: number): void {
    const read = readUserRow(cells);
    if (!('deletes' in read)) {
      for (const fault of read) found(line, fault);
      return;
    }
    counts[read.deletes ? 'deleteCount' : 'keepCount'] += 1;
    const key = userRowKey(read);
    const twin = firstLines.get(key);
    if (twin === undefined) firstLines.set(key, line);
    else {
      const field = read.email === null ? 'login_user_id' : 'email';
      found(line, { field, code: 'E40002', message: 'csvDuplicate', params: { line: twin } });
    }
  }

  function lookAll(records: readonly CsvRecord[]): void {
    for (const { cells, line } of records) {
      if (!isFirst) {
        rowCount += 1;
        if (rowCount > limits.maxImportRows) throw new Unreadable('csvTooManyRows', line);
        look(cells, line);
      } else if (isHeaderMissing(cells)) {
        found(line, { field: 'csv', code: 'E40002', message: 'csvHeader' });
      }
      isFirst = false;
    }
  }

  const decoder = new TextDecoder(encoding, { fatal: true });
  const reader = new CsvReader();
  let bytes = 0;
  try {
    for await (const chunk of chunksOf(file)) {
      lookAll(reader.read(decoded(() => decoder.decode(chunk, { stream: true }))));
      bytes += chunk.length;
      onBytes(bytes);
    }
    lookAll(reader.read(decoded(() => decoder.decode())));
    lookAll(reader.end());
  } catch (error) {
    throw error instanceof CsvFault ? new Unreadable(error.reason, error.line) : error;
  }

  if (counts.keepCount + counts.deleteCount + counts.faultCount === 0) throw new Unreadable('csvEmpty', null);
  return {
    readable: true,
    ...counts,
    faults: faults.toSorted((a, b) => a.line - b.line || place(a) - place(b)),
  };
}

/** Where in its line a fault is, from the left; before all columns what is wrong with the whole line. */
const place = ({ field }: UserCsvFault) => userCsvColumns.findIndex((column) => column === field);

function decoded(decode: () => string): string {
  try {
    return decode();
  } catch {
    throw new Unreadable('csvEncoding', null);
  }
}

async function* chunksOf(file: Blob): AsyncGenerator<Uint8Array> {
  const reader = file.stream().getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}
