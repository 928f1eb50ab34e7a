import type { Readable } from 'node:stream';
import { csvDateTime, csvStream, knownTimeZone } from '@portal/csv-export';
import { ofPartner } from '@portal/service-kit';
import { type AskedGroups, type CountedGroup, groupsAfter } from '../data/group-views.ts';
import type { Dependencies } from '../dependencies.ts';

const header = ['id', 'name', 'note', 'role', 'user_count', 'created_at', 'updated_at'];

/** groups.csv of those that are asked for, as a stream, with times in `timeZone`. Throws `E40002` on tz for one that is not known. */
export async function exportGroups(
  { store }: Pick<Dependencies, 'store'>,
  partnerId: number,
  { tz: timeZone, ...asked }: AskedGroups & { readonly tz: string },
): Promise<Readable> {
  const dateTime = csvDateTime(await store.read(ofPartner(partnerId), (db) => knownTimeZone(db, timeZone)));
  return csvStream<CountedGroup>({
    header,
    next: async ({ after, take }) =>
      store.read(ofPartner(partnerId), (db) =>
        groupsAfter(db, partnerId, asked, { after: after?.id ?? 0, take }),
      ),
    rows: ({ id, name, note, role, userCount, createdAt, updatedAt }) => [
      [id, name, note, role, userCount, dateTime(createdAt), dateTime(updatedAt)],
    ],
  });
}
