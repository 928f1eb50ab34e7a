import { pipeline, Readable } from 'node:stream';
import { stringify } from 'csv-stringify';

const batchSize = 1000;

/**
 * A CSV file as a stream: UTF-8 with BOM. Records are read in batches while the client takes them, so that neither memory
 * nor a transaction grows with their number.
 */
export function csvStream<Record>(file: {
  readonly header: readonly string[];
  /** At most `take` records from behind `after`; the first ones where it is null. */
  next(page: { after: Record | null; take: number }): Promise<readonly Record[]>;
  row(record: Record): readonly (string | number)[];
}): Readable {
  async function* rows() {
    yield file.header;
    let after: Record | null = null;
    for (;;) {
      const records: readonly Record[] = await file.next({ after, take: batchSize });
      for (const record of records) yield file.row(record);
      if (records.length < batchSize) return;
      after = records.at(-1) ?? null;
    }
  }

  const csv = stringify({ bom: true, record_delimiter: 'windows' });
  // An error ends the answer unfinished; the kit's server closes the connection.
  return pipeline(Readable.from(rows()), csv, () => undefined);
}
