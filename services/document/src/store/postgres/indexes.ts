import { documentLimits } from '@portal/contracts';
import type { ScopedConnection } from '@portal/database';
import { AppError, fieldError, type Logger } from '@portal/kernel';
import type { CollectionRef } from '../document-store.ts';
import { pathOf } from '../filter/filter.ts';
import { type Collection, type Collections, isNamed, StaleCollection } from './collections.ts';
import type { Connections } from './connection.ts';
import type { KnownIndex } from './index-keys.ts';
import { endIndex, removeOrLeave } from './leftovers.ts';
import { addEntries, type DocumentRow, entriesOf } from './write.ts';

interface Parts {
  readonly collections: Collections;
  readonly connections: Connections;
  readonly logger: Logger;
}

/** Documents of which an index is told at once; their writers wait so long. */
const batchSize = 1_000;

export async function listIndexes({ connections }: Parts, collection: Collection): Promise<string[]> {
  return connections.use(collection.ref, async (connection) => {
    const { rows } = await connection.query<{ field: string }>({
      text: `SELECT field FROM documents.indexes WHERE collection_id = $1 AND ${isNamed('$1', '$2')} ORDER BY id`,
      values: [collection.id, collection.ref.collection],
    });
    return rows.map(({ field }) => field);
  });
}

/**
 * First writers are told, and those that began before are waited for; then the documents that were there get their entries; then
 * filters may use the index. Where that ends half-way, the next attempt begins again.
 */
export async function createIndex(parts: Parts, ref: CollectionRef, field: string): Promise<void> {
  const path = pathOf(field, 'field');
  const { collections, connections } = parts;
  const { collection, index } = await collections.with(ref, async (collection) => {
    const id = await connections.transaction(
      ref,
      async (connection) => {
        await changeGeneration(connection, collection);
        const { rows } = await connection.query<{ id: number; field: string; is_ready: boolean }>({
          text: 'SELECT id, field, is_ready FROM documents.indexes WHERE collection_id = $1',
          values: [collection.id],
        });
        const same = rows.find((row) => row.field === field);
        if (same?.is_ready) throw fieldError('E40029', 'field', 'notUnique');
        if (!same && rows.length >= documentLimits.maxIndexes) throw new AppError('E40016');
        return same?.id ?? (await insertIndex(connection, collection, field));
      },
      { isLong: true },
    );
    return { collection, index: { id, field, path, isReady: false } };
  });
  collections.forget(ref);
  await fill(parts, collection, index);
  await connections.transaction(
    ref,
    async (connection) => {
      await holdIndex(connection, collection, index, 'UPDATE');
      await connection.query({
        text: 'UPDATE documents.collections SET generation = generation + 1 WHERE id = $1',
        values: [collection.id],
      });
      await connection.query({
        text: 'UPDATE documents.indexes SET is_ready = true WHERE id = $1',
        values: [index.id],
      });
    },
    { isLong: true, waitsAs: 'piece' },
  );
  collections.forget(ref);
}

/** Waits for those who write with the indexes that are known so far. */
async function changeGeneration(connection: ScopedConnection, collection: Collection): Promise<void> {
  const { rowCount } = await connection.query({
    text: 'UPDATE documents.collections SET generation = generation + 1 WHERE id = $1 AND generation = $2',
    values: [collection.id, collection.generation],
  });
  if (rowCount === 0) throw new StaleCollection();
}

async function insertIndex(
  connection: ScopedConnection,
  collection: Collection,
  field: string,
): Promise<number> {
  const { rows } = await connection.query<{ id: number }>({
    text: 'INSERT INTO documents.indexes (partner_id, collection_id, field) VALUES ($1, $2, $3) RETURNING id',
    values: [collection.ref.partnerId, collection.id, field],
  });
  if (!rows[0]) throw new Error('An index without an id');
  return rows[0].id;
}

/**
 * Keeps the collection and its index until the transaction ends: entries of one that is gone would be nobody's. Throws `E40401`
 * where it is.
 */
async function holdIndex(
  connection: ScopedConnection,
  collection: Collection,
  index: KnownIndex,
  lock: 'SHARE' | 'UPDATE',
): Promise<void> {
  const held = await connection.query({
    text: `SELECT FROM documents.collections WHERE id = $1 AND name = $2 FOR ${lock}`,
    values: [collection.id, collection.ref.collection],
  });
  // By itself: the first one may have waited for who deletes the index, and sees the moment at which it began.
  const kept = await connection.query({
    text: 'SELECT FROM documents.indexes WHERE id = $1 AND collection_id = $2',
    values: [index.id, collection.id],
  });
  if (held.rowCount === 0 || kept.rowCount === 0) throw new AppError('E40401');
}

async function fill({ connections }: Parts, collection: Collection, index: KnownIndex): Promise<void> {
  for (let last: string | undefined = ''; last !== undefined; ) {
    const after: string = last;
    last = await connections.transaction(
      collection.ref,
      async (connection) => {
        await holdIndex(connection, collection, index, 'SHARE');
        const { rows } = await connection.query<DocumentRow>({
          name: 'document-index-batch',
          // Who changes one of them meanwhile waits, or is waited for.
          text: `SELECT id, source FROM documents.documents WHERE collection_id = $1 AND id > $2
          ORDER BY id LIMIT $3 FOR UPDATE`,
          values: [collection.id, after, batchSize],
        });
        if (rows.length > 0) await addEntries(connection, collection, entriesOf({ indexes: [index] }, rows));
        return rows.at(-1)?.id;
      },
      { waitsAs: 'piece' },
    );
  }
}

export async function deleteIndex(parts: Parts, ref: CollectionRef, field: string): Promise<boolean> {
  const { collections, connections } = parts;
  const gone = await collections.with(ref, async (collection) =>
    connections.transaction(
      ref,
      async (connection) => {
        await changeGeneration(connection, collection);
        const { rows } = await connection.query<{ id: number }>({
          text: 'SELECT id FROM documents.indexes WHERE collection_id = $1 AND field = $2',
          values: [collection.id, field],
        });
        return rows[0] && endIndex(connection, ref, rows[0].id);
      },
      { isLong: true },
    ),
  );
  collections.forget(ref);
  if (gone === undefined) return false;
  await removeOrLeave(parts, ref, gone);
  return true;
}
