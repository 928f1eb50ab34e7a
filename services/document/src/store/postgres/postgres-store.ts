import { documentLimits } from '@portal/contracts';
import { createScopedPool, type ScopedConnection } from '@portal/database';
import { AppError, fieldError, type Logger, slices } from '@portal/kernel';
import type { CollectionRef, DocumentStore, Usage } from '../document-store.ts';
import type { Filter } from '../filter/filter.ts';
import { type Collection, collectionsOf, isNamed } from './collections.ts';
import { type Connections, connectionsOf, isUniqueViolation } from './connection.ts';
import { conditionOf, Parameters } from './filter-sql.ts';
import { findByIndex } from './find-by-index.ts';
import { importAllOrNothing, importAtOnce } from './import-run.ts';
import { createIndex, deleteIndex, listIndexes } from './indexes.ts';
import { endCollections, isLeftOver, removeLeftovers, removeOrLeave } from './leftovers.ts';
import { documentOf, listDocuments } from './list.ts';
import { replaceDocument, singleDocuments, versionConflict } from './single-documents.ts';
import { streamDocuments } from './stream.ts';
import { changeEntries, type DocumentRow, deleteRow, insertRow } from './write.ts';

/** Documents that are deleted at once where there may be very many. */
const batchSize = 1_000;
/** Those that are looked for at once: as many as an index finds. */
const mostMatching = 10_000;

/** Documents in the PostgreSQL database of the service, of which `url` is; its migrations made the tables. */
export function createPostgresStore(options: {
  url: string;
  poolSize: number;
  logger: Logger;
}): DocumentStore {
  const pool = createScopedPool(options);
  const connections = connectionsOf(pool, options.poolSize);
  const collections = collectionsOf(connections);
  const parts = { collections, connections, logger: options.logger };
  const single = singleDocuments(connections);

  /** A change of one document: one statement, or with indexes one transaction. */
  const change = async <T>(
    ref: CollectionRef,
    work: (connection: ScopedConnection, collection: Collection) => Promise<T>,
  ): Promise<T> =>
    collections.with(ref, async (collection) =>
      collection.indexes.length === 0
        ? connections.use(ref, async (connection) => work(connection, collection))
        : connections.transaction(ref, async (connection) => work(connection, collection)),
    );

  return {
    async deleteDatabase(database, signal = new AbortController().signal) {
      await connections.transaction(
        database,
        async (connection) => endCollections(connection, database, undefined),
        { isLong: true },
      );
      await removeLeftovers(connections, database, signal);
    },

    usage: async (database) =>
      connections.use(database, async (connection) => {
        const { rows } = await connection.query<CountRow>({
          text: `SELECT coalesce(sum(u.documents), 0) AS documents, coalesce(sum(u.bytes), 0) AS bytes
            FROM documents.collections c JOIN documents.usage u ON u.collection_id = c.id
            WHERE c.partner_id = $1 AND c.db = $2 AND c.name NOT LIKE '~%'`,
          values: [database.partnerId, database.db],
        });
        return usageOf(rows[0]);
      }),

    occupied: async (database) =>
      connections.use(database, async (connection) => {
        const { rows } = await connection.query<{ stored: string | null; waiting: string | null }>({
          text: `SELECT sum(u.bytes) FILTER (WHERE c.name NOT LIKE '~%') AS stored,
              sum(u.bytes) FILTER (WHERE c.name LIKE '~%' AND NOT ${isLeftOver('c')}) AS waiting
            FROM documents.collections c JOIN documents.usage u ON u.collection_id = c.id
            WHERE c.partner_id = $1 AND c.db = $2`,
          values: [database.partnerId, database.db],
        });
        return { stored: Number(rows[0]?.stored ?? 0), waiting: Number(rows[0]?.waiting ?? 0) };
      }),

    collections: async (database) =>
      connections.use(database, async (connection) => {
        const { rows } = await connection.query<CountRow & { name: string }>({
          text: `SELECT c.name, coalesce(sum(u.documents), 0) AS documents, coalesce(sum(u.bytes), 0) AS bytes
            FROM documents.collections c LEFT JOIN documents.usage u ON u.collection_id = c.id
            WHERE c.partner_id = $1 AND c.db = $2 AND c.name NOT LIKE '~%' GROUP BY c.id ORDER BY c.name`,
          values: [database.partnerId, database.db],
        });
        return rows.map((row) => ({ name: row.name, ...usageOf(row) }));
      }),

    hasCollection: async (ref) =>
      connections.use(ref, async (connection) => {
        const { rowCount } = await connection.query({
          text: 'SELECT FROM documents.collections WHERE partner_id = $1 AND db = $2 AND name = $3',
          values: [ref.partnerId, ref.db, ref.collection],
        });
        return rowCount === 1;
      }),

    createCollection: async (ref) =>
      connections.transaction(ref, async (connection) => {
        // Two that are made at once are counted one after the other.
        await connection.query({
          text: 'SELECT pg_advisory_xact_lock(hashtext($1))',
          values: [`documents ${ref.partnerId}/${ref.db}`],
        });
        const { rows } = await connection.query<{ name: string }>({
          text: `SELECT name FROM documents.collections WHERE partner_id = $1 AND db = $2 AND name NOT LIKE '~%'`,
          values: [ref.partnerId, ref.db],
        });
        if (rows.some(({ name }) => name === ref.collection)) throw taken('name');
        if (rows.length >= documentLimits.maxCollections) throw new AppError('E40016');
        await connection
          .query({
            text: 'INSERT INTO documents.collections (partner_id, db, name) VALUES ($1, $2, $3)',
            values: [ref.partnerId, ref.db, ref.collection],
          })
          .catch((error: unknown) => {
            throw isUniqueViolation(error) ? taken('name') : error;
          });
      }),

    async deleteCollection(ref, whenGone) {
      const [id] = await connections.transaction(
        ref,
        async (connection) => endCollections(connection, ref, ref.collection),
        { isLong: true },
      );
      collections.forget(ref);
      if (id === undefined) throw new AppError('E40401');
      try {
        await whenGone?.();
      } finally {
        await removeOrLeave(parts, ref, id);
      }
    },

    list: async (ref, request) =>
      collections.with(
        ref,
        async (collection) =>
          connections.filter(ref, async (connection) => listDocuments(connection, collection, request), {
            isFiltered: request.filter !== undefined,
          }),
        ({ totalCount }) => totalCount > 0,
      ),

    read: async (ref, id) =>
      collections.with(
        ref,
        async (collection) => single.read(collection, id),
        (found) => found !== undefined,
      ),

    insert: async (ref, document) =>
      change(ref, async (connection, collection) => {
        const row = await insertRow(connection, collection, document);
        if (!row) throw taken('_id');
        await changeEntries(connection, collection, [], [row]);
        return documentOf(row);
      }),

    replace: async (ref, document, { ifVersion } = {}) => {
      // The index entries of a document change with it, in one transaction.
      const soon =
        ifVersion === undefined
          ? await collections.with(ref, async (collection) =>
              collection.indexes.length === 0 ? single.replace(collection, document) : undefined,
            )
          : undefined;
      if (soon) return soon;
      return change(ref, async (connection, collection) =>
        replaceDocument(connection, collection, document, ifVersion),
      );
    },

    delete: async (ref, id, { ifVersion } = {}) =>
      change(ref, async (connection, collection) => {
        const row = await deleteRow(connection, collection, id, ifVersion);
        if (!row) {
          if (ifVersion !== undefined) throw versionConflict();
          return false;
        }
        await changeEntries(connection, collection, [row], []);
        return true;
      }),

    async deleteMatching(ref, filter) {
      let count = 0;
      for (let last: string | undefined = ''; last !== undefined; ) {
        const after: string = last;
        // What takes too long is refused as long as nothing is deleted.
        const run = after === '' ? connections.filter : connections.use;
        const ids = await collections.with(
          ref,
          async (collection) => matchingIds(run, collection, filter, after),
          (found) => found.length > 0,
        );
        for (const some of slices(ids, batchSize)) {
          count += await change(ref, async (connection, collection) =>
            deleteStillMatching(connection, collection, some, filter),
          );
        }
        last = ids.length === mostMatching ? ids.at(-1) : undefined;
      }
      return count;
    },

    openImport: async (ref, importOptions) => {
      // What is wrong with the collection is said before anything is read.
      await collections.with(ref, async () => Promise.resolve());
      return importOptions.allOrNothing
        ? importAllOrNothing(parts, ref, importOptions)
        : importAtOnce(parts, ref, importOptions);
    },

    removeLeftovers: async (database, signal) => removeLeftovers(connections, database, signal),

    stream: (ref, { between, filter }) => streamDocuments(parts, ref, { between, filter }),

    indexes: async (ref) =>
      collections.with(
        ref,
        async (collection) => listIndexes(parts, collection),
        (fields) => fields.length > 0,
      ),
    createIndex: async (ref, field) => createIndex(parts, ref, field),
    deleteIndex: async (ref, field) => deleteIndex(parts, ref, field),

    ready: async () => pool.ready(),
    close: async () => pool.close(),
  };
}

interface CountRow {
  readonly documents: string;
  readonly bytes: string;
}

const usageOf = (row: CountRow | undefined): Usage => ({
  documents: Number(row?.documents ?? 0),
  bytes: Number(row?.bytes ?? 0),
});

const taken = (field: string): AppError => fieldError('E40029', field, 'notUnique');

/** The next of them, by their `_id`s. */
async function matchingIds(
  run: Connections['filter' | 'use'],
  collection: Collection,
  filter: Filter,
  after: string,
): Promise<readonly string[]> {
  return run(collection.ref, async (connection) => {
    const ids = await findByIndex(connection, collection, filter);
    const parameters = new Parameters();
    const collectionId = parameters.add(collection.id);
    const { rows } = await connection.query<{ id: string }>({
      text: `SELECT d.id FROM documents.documents d WHERE d.collection_id = ${collectionId}
        AND ${isNamed(collectionId, parameters.add(collection.ref.collection))}
        ${ids ? `AND d.id = ANY (${parameters.add(ids)}::text[])` : ''}
        AND d.id > ${parameters.add(after)} AND ${conditionOf(filter, parameters)}
        ORDER BY d.id LIMIT ${mostMatching}`,
      values: parameters.values,
    });
    return rows.map(({ id }) => id);
  });
}

/** What was changed meanwhile stays, unless it still matches. In the order of the `_id`s, as imports go. */
async function deleteStillMatching(
  connection: ScopedConnection,
  collection: Collection,
  ids: readonly string[],
  filter: Filter,
): Promise<number> {
  const parameters = new Parameters();
  const id = parameters.add(collection.id);
  const { rows } = await connection.query<DocumentRow>({
    text: `DELETE FROM documents.documents d WHERE d.collection_id = ${id} AND d.id = ANY (ARRAY (
        SELECT id FROM documents.documents
        WHERE collection_id = ${id} AND id = ANY (${parameters.add(ids)}::text[]) ORDER BY id FOR UPDATE
      )) AND ${conditionOf(filter, parameters)}
      RETURNING d.id, ${collection.indexes.length === 0 ? 'NULL AS source' : 'd.source'}`,
    values: parameters.values,
  });
  await changeEntries(connection, collection, rows, []);
  return rows.length;
}
