import { pipeline, Readable } from 'node:stream';
import { stringify } from 'csv-stringify';

const batchSize = 1000;

/**
 * A CSV file as a stream: UTF-8 with BOM. Records are read in batches by their ids while the client takes them, so that
 * neither memory nor a transaction grows with their number.
 */
export function csvStream<Record extends { readonly id: number }>(file: {
  readonly header: readonly string[];
  /** At most `take` records from behind the id `after`. */
  next(page: { after: number; take: number }): Promise<readonly Record[]>;
  row(record: Record): readonly (string | number)[];
}): Readable {
  async function* rows() {
    yield file.header;
    let after = 0;
    for (;;) {
      const records = await file.next({ after, take: batchSize });
      for (const record of records) yield file.row(record);
      const last = records.at(-1);
      if (records.length < batchSize || !last) return;
      after = last.id;
    }
  }

  const csv = stringify({ bom: true, record_delimiter: 'windows' });
  // An error ends the answer unfinished; the kit's server closes the connection.
  return pipeline(Readable.from(rows()), csv, () => undefined);
}
