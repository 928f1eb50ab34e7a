import { Readable } from 'node:stream';
import { csvLine } from '@portal/contracts';

const batchSize = 1000;

/**
 * A CSV file as a stream: UTF-8 with BOM. Records are read in batches while the client takes them, so that neither memory
 * nor a transaction grows with their number.
 */
export function csvStream<Record>(file: {
  readonly header: readonly string[];
  /** At most `take` records from behind `after`; the first ones where it is null. */
  next(page: { after: Record | null; take: number }): Promise<readonly Record[]>;
  /** The lines of a record, of which it may have several. */
  rows(record: Record): readonly (readonly (string | number)[])[];
}): Readable {
  async function* lines() {
    yield `\uFEFF${csvLine(file.header)}`;
    let after: Record | null = null;
    for (;;) {
      const records: readonly Record[] = await file.next({ after, take: batchSize });
      if (records.length > 0) yield records.flatMap((record) => file.rows(record).map(csvLine)).join('');
      if (records.length < batchSize) return;
      after = records.at(-1) ?? null;
    }
  }

  // An error ends the answer unfinished; the kit's server closes the connection.
  return Readable.from(lines(), { objectMode: false });
}
