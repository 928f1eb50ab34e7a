import { pipeline, Readable } from 'node:stream';
import { ofPartner } from '@portal/service-kit';
import { stringify } from 'csv-stringify';
import { type CountedGroup, groupsAfter } from '../data/group-views.ts';
import type { Dependencies } from '../dependencies.ts';
import { csvCell, csvDateTime } from '../domain/csv.ts';

const batchSize = 1000;

const header = ['id', 'name', 'note', 'role', 'user_count', 'created_at', 'updated_at'];

/**
 * groups.csv as a stream: UTF-8 with BOM, times in `timeZone`. Rows are read in batches while the client takes them, so
 * that neither memory nor a transaction grows with their number.
 */
export function exportGroups(
  { store }: Pick<Dependencies, 'store'>,
  partnerId: number,
  timeZone: string,
): Readable {
  const dateTime = csvDateTime(timeZone);

  async function* rows() {
    yield header;
    let after = 0;
    for (;;) {
      const groups: CountedGroup[] = await store.read(ofPartner(partnerId), (db) =>
        groupsAfter(db, partnerId, { after, take: batchSize }),
      );
      for (const { id, name, note, role, userCount, createdAt, updatedAt } of groups) {
        yield [id, csvCell(name), csvCell(note), role, userCount, dateTime(createdAt), dateTime(updatedAt)];
      }
      const last = groups.at(-1);
      if (groups.length < batchSize || !last) return;
      after = last.id;
    }
  }

  const csv = stringify({ bom: true, record_delimiter: 'windows' });
  // An error ends the answer unfinished; the kit's server closes the connection.
  return pipeline(Readable.from(rows()), csv, () => undefined);
}
