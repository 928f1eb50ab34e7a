import type { CollectionRef } from '../document-store.ts';
import type { Filter } from '../filter/filter.ts';
import type { Collection, Collections } from './collections.ts';
import type { Connections } from './connection.ts';
import { conditionOf, Parameters } from './filter-sql.ts';
import { findByIndex } from './find-by-index.ts';
import { WrittenLines } from './written-lines.ts';

/** Documents that are looked at in one statement, and their bytes: the rest of a batch that is larger waits for the next. */
const batchSize = 2_000;
const batchBytes = 1024 * 1024;
const smallestBatch = 16;

/**
 * Batch after batch, each a statement of its own: a reader who takes hours keeps neither a connection nor a snapshot, which would
 * keep the database from clearing up.
 */
export async function* streamDocuments(
  { collections, connections }: { collections: Collections; connections: Connections },
  ref: CollectionRef,
  { between, filter }: { readonly between: string; readonly filter: Filter | undefined },
): AsyncGenerator<Buffer> {
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
  const question = { between, filter, ids: ids?.toSorted() };
  let size = batchSize;
  let next = readBatch(connections, collection, question, { after: '', size });
  for (;;) {
    const { last, read, texts } = await next;
    // Of large documents few are in a batch: no more of them are looked at than will be in the next one.
    size = read < size ? Math.max(smallestBatch, read) : Math.min(batchSize, size * 2);
    // The next batch is on its way while this one is written.
    if (last !== undefined) {
      next = readBatch(connections, collection, question, { after: last, size });
      next.catch(() => undefined);
    }
    yield* texts;
    if (last === undefined) return;
  }
}

async function readBatch(
  connections: Connections,
  collection: Collection,
  question: {
    readonly between: string;
    readonly filter: Filter | undefined;
    /** Those that an index has found. */
    readonly ids: readonly string[] | undefined;
  },
  { after, size }: { readonly after: string; readonly size: number },
): Promise<{ texts: readonly Buffer[]; last: string | undefined; read: number }> {
  const { between, filter, ids } = question;
  const parameters = new Parameters();
  const condition = filter ? conditionOf(filter, parameters) : 'TRUE';
  const among = ids?.filter((id) => id > after).slice(0, size);
  // Those that do not match have no source but count as read, so that a filter that hardly matches anything goes on from there.
  const query = {
    text: `SELECT id, CASE WHEN matches THEN source END, version, created_at, updated_at
      FROM (
        SELECT d.id, d.version, d.created_at, d.updated_at, d.source, ${condition} AS matches,
          sum(octet_length(d.source)) OVER (ORDER BY d.id ROWS UNBOUNDED PRECEDING) - octet_length(d.source) AS bytes_before
        FROM documents.documents d
        WHERE d.collection_id = ${parameters.add(collection.id)} AND d.id > ${parameters.add(after)}
          ${among ? `AND d.id = ANY (${parameters.add(among)}::text[])` : ''}
        ORDER BY d.id LIMIT ${parameters.add(size)}
      ) AS batch WHERE bytes_before < ${parameters.add(batchBytes)}`,
    values: parameters.values,
  };
  // Where all of them went meanwhile, others may come behind them.
  const lastAsked = among?.length === size ? among.at(-1) : undefined;
  return connections.filter(collection.ref, async (connection) => {
    const lines = new WrittenLines(between);
    let last = lastAsked;
    let read = 0;
    await connection.queryBinary(query, (row) => {
      read += 1;
      last = row.bytes()?.toString('latin1') ?? '';
      const source = row.bytes();
      if (!source) return;
      const version = row.integer();
      lines.add({ id: last, source, version, createdAt: row.time(), updatedAt: row.time() });
    });
    return { texts: lines.texts(), last, read };
  });
}
