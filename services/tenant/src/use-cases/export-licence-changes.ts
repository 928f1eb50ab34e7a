import type { Readable } from 'node:stream';
import { csvDateTime, csvStream, knownTimeZone } from '@portal/csv-export';
import type { Scope } from '@portal/database';
import type { Store } from '@portal/service-kit';
import type { TenantDb } from '../data/db.ts';
import {
  type AskedLicenceChanges,
  licenceChangesAfter,
  type StoredLicenceChange,
} from '../data/licence-change-views.ts';
import { fieldsOf } from '../domain/licence-terms.ts';

const header = ['changed_at', 'partner_id', 'partner_name', 'changed_by', 'field', 'before', 'after'];

/**
 * license_updated_logs.csv of the changes that are asked for, as a stream: a line for each field, with times in `timeZone`.
 * Throws `E40002` on tz for one that is not known.
 */
export async function exportLicenceChanges(
  { store }: { readonly store: Store<TenantDb> },
  scope: Scope,
  { tz: timeZone, ...asked }: AskedLicenceChanges & { readonly tz: string },
): Promise<Readable> {
  const dateTime = csvDateTime(await store.read(scope, (db) => knownTimeZone(db, timeZone)));
  return csvStream<StoredLicenceChange>({
    header,
    next: async (page) => store.read(scope, (db) => licenceChangesAfter(db, asked, page)),
    rows: (change) =>
      fieldsOf(change, dateTime).map(({ after, before, field }) => [
        dateTime(change.changedAt),
        change.partnerId,
        change.partnerName,
        change.changedBy,
        field,
        before,
        after,
      ]),
  });
}
