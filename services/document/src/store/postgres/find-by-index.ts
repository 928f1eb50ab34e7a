import type { ScopedConnection } from '@portal/database';
import type { Filter } from '../filter/filter.ts';
import { type Collection, StaleCollection } from './collections.ts';
import { isOwn, Parameters } from './filter-sql.ts';
import { type Lookup, lookupsOf } from './index-keys.ts';

/** Of more documents than that, one after the other is faster. */
const mostFound = 10_000;
/** A lookup of no more than that is good enough to try no other. */
const fewFound = 1_000;

/**
 * The `_id`s among which are all that the filter matches, by the index that finds the fewest; undefined where none finds few.
 * They are asked for by themselves: a planner that guesses how many they are would now and then read the whole collection.
 */
export async function findByIndex(
  connection: ScopedConnection,
  collection: Collection,
  filter: Filter,
): Promise<readonly string[] | undefined> {
  let best: ReadonlySet<string> | undefined;
  // Entries are of what a document holds, and know nothing of what the store adds.
  const indexes = collection.indexes.filter(({ path }) => !isOwn(path));
  for (const lookup of lookupsOf(filter, indexes)) {
    const found = await idsIn(connection, collection, lookup);
    if (found && (!best || found.size < best.size)) best = found;
    if (best && best.size <= fewFound) break;
  }
  return best && [...best];
}

/** Throws where one of its indexes is deleted: its entries may have begun to go. */
async function idsIn(
  connection: ScopedConnection,
  collection: Collection,
  lookup: Lookup,
): Promise<ReadonlySet<string> | undefined> {
  const parameters = new Parameters();
  const parts = lookup.flatMap(({ index, ranges }) => {
    // Of an empty `$in`: a parameter that no part names has no type.
    if (ranges.length === 0) return [];
    const id = parameters.add(index.id);
    const exact = ranges.filter(([from, to]) => from.equals(to)).map(([key]) => key);
    const wide = ranges.filter(([from, to]) => !from.equals(to));
    return [
      ...(exact.length > 0 ? [`index_id = ${id} AND key = ANY (${parameters.add(exact)}::bytea[])`] : []),
      ...wide.map(
        ([from, to]) =>
          `index_id = ${id} AND key BETWEEN ${parameters.add(from)}::bytea AND ${parameters.add(to)}::bytea`,
      ),
    ];
  });
  if (parts.length === 0) return new Set();
  const indexIds = [...new Set(lookup.map(({ index }) => index.id))];
  const { rows } = await connection.query<{ document_id: string | null; kept: number }>({
    text: `SELECT document_id, kept FROM (
        SELECT count(*)::integer AS kept FROM documents.indexes
        WHERE collection_id = ${parameters.add(collection.id)} AND id = ANY (${parameters.add(indexIds)}::integer[])
      ) AS indexes LEFT JOIN (SELECT document_id FROM (${parts
        .map((part) => `SELECT document_id FROM documents.index_entries WHERE ${part}`)
        .join(' UNION ALL ')}) AS entries LIMIT ${mostFound + 1}) AS found ON true`,
    values: parameters.values,
  });
  if (rows[0]?.kept !== indexIds.length) throw new StaleCollection();
  if (rows.length > mostFound) return undefined;
  return new Set(rows.flatMap(({ document_id }) => (document_id === null ? [] : [document_id])));
}
