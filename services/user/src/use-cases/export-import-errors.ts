import type { Readable } from 'node:stream';
import type { Language } from '@portal/contracts';
import { csvStream } from '@portal/csv-export';
import { AppError } from '@portal/kernel';
import { ofPartner } from '@portal/service-kit';
import { findImport, type ImportKey } from '../data/import-repository.ts';
import { type LineError, lineErrors } from '../data/import-views.ts';
import type { Dependencies } from '../dependencies.ts';

/** import_errors.csv, all bad lines of an import, as a stream. Throws `E40401` for one that the tenant does not have. */
export async function exportImportErrors(
  { store }: Pick<Dependencies, 'store'>,
  key: ImportKey,
  language: Language,
): Promise<Readable> {
  const scope = ofPartner(key.partnerId);
  if (!(await store.read(scope, (db) => findImport(db, key)))) throw new AppError('E40401');
  return csvStream<LineError>({
    header: ['line', 'field', 'code', 'message'],
    next: async (page) => store.read(scope, (db) => lineErrors(db, key, language, page)),
    rows: ({ code, field, line, message }) => [[line, field, code, message]],
  });
}
