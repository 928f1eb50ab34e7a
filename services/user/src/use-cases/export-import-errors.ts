import { pipeline, Readable } from 'node:stream';
import type { Language } from '@portal/contracts';
import { AppError } from '@portal/kernel';
import { csvCell, ofPartner } from '@portal/service-kit';
import { stringify } from 'csv-stringify';
import { findImport, type ImportKey } from '../data/import-repository.ts';
import { type LineError, lineErrors } from '../data/import-views.ts';
import type { Dependencies } from '../dependencies.ts';

const batchSize = 1000;

/** All bad lines of an import as a stream: UTF-8 with BOM. Throws `E40401` for one that the tenant does not have. */
export async function exportImportErrors(
  { store }: Pick<Dependencies, 'store'>,
  key: ImportKey,
  language: Language,
): Promise<Readable> {
  const scope = ofPartner(key.partnerId);
  if (!(await store.read(scope, (db) => findImport(db, key)))) throw new AppError('E40401');

  async function* rows() {
    yield ['line', 'field', 'code', 'message'];
    let after: LineError | null = null;
    for (;;) {
      const errors: LineError[] = await store.read(scope, (db) =>
        lineErrors(db, key, language, { after, take: batchSize }),
      );
      for (const { code, field, line, message } of errors) yield [line, field, code, csvCell(message)];
      after = errors.at(-1) ?? null;
      if (errors.length < batchSize) return;
    }
  }

  const csv = stringify({ bom: true, record_delimiter: 'windows' });
  // An error ends the answer unfinished; the kit's server closes the connection.
  return pipeline(Readable.from(rows()), csv, () => undefined);
}
