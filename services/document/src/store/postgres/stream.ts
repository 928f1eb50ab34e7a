import type { CollectionRef, StoredDocument } from '../document-store.ts';
import type { Filter } from '../filter/filter.ts';
import type { Collection, Collections } from './collections.ts';
import type { Connections } from './connection.ts';
import { conditionOf, Parameters } from './filter-sql.ts';
import { findByIndex } from './find-by-index.ts';
import { documentOf } from './list.ts';
import type { DocumentRow } from './write.ts';

/** Documents that are looked at in one statement, and their bytes: the rest of a batch that is larger waits for the next. */
const batchSize = 2_000;
const batchBytes = 4 * 1024 * 1024;

/**
 * Batch after batch, each a statement of its own: a reader who takes hours keeps neither a connection nor a snapshot, which would
 * keep the database from clearing up.
 */
export async function* streamDocuments(
  { collections, connections }: { collections: Collections; connections: Connections },
  ref: CollectionRef,
  filter: Filter | undefined,
): AsyncGenerator<readonly StoredDocument[]> {
  const { collection, ids } = await collections.with(
    ref,
    async (collection) => ({
      collection,
      ids:
        filter &&
        (await connections.filter(ref, async (connection) => findByIndex(connection, collection, filter))),
    }),
    () => false,
  );
  const sorted = ids?.toSorted();
  let next = readBatch(connections, collection, filter, sorted, '');
  for (;;) {
    const { last, rows } = await next;
    // The next batch is on its way while this one is written.
    if (last !== undefined) {
      next = readBatch(connections, collection, filter, sorted, last);
      next.catch(() => undefined);
    }
    if (rows.length > 0) yield rows.map((row) => documentOf(row));
    if (last === undefined) return;
  }
}

async function readBatch(
  connections: Connections,
  collection: Collection,
  filter: Filter | undefined,
  ids: readonly string[] | undefined,
  after: string,
): Promise<{ rows: readonly DocumentRow[]; last: string | undefined }> {
  const parameters = new Parameters();
  const condition = filter ? conditionOf(filter, parameters) : 'TRUE';
  const among = ids?.filter((id) => id > after).slice(0, batchSize);
  return connections.filter(collection.ref, async (connection) => {
    // Those that do not match come as their `_id`, so that a filter that hardly matches anything goes on from there.
    const { rows } = await connection.query<DocumentRow>({
      ...(filter ? {} : { name: 'document-stream' }),
      text: `SELECT id, version, created_at, updated_at, source FROM (
          SELECT d.id, d.version, d.created_at, d.updated_at, CASE WHEN ${condition} THEN d.source END AS source,
            sum(octet_length(d.source)) OVER (ORDER BY d.id) - octet_length(d.source) AS bytes_before
          FROM documents.documents d
          WHERE d.collection_id = ${parameters.add(collection.id)} AND d.id > ${parameters.add(after)}
            ${among ? `AND d.id = ANY (${parameters.add(among)}::text[])` : ''}
          ORDER BY d.id LIMIT ${parameters.add(batchSize)}
        ) AS batch WHERE bytes_before < ${parameters.add(batchBytes)} ORDER BY id`,
      values: parameters.values,
    });
    const matching = rows.filter(({ source }) => (source as string | null) !== null);
    // Where all of them went meanwhile, others may come behind them.
    const lastAsked = among?.length === batchSize ? among.at(-1) : undefined;
    return { rows: matching, last: rows.at(-1)?.id ?? lastAsked };
  });
}
