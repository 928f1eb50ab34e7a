import type { ScopedConnection } from '@portal/database';
import { type Logger, newId } from '@portal/kernel';
import type { DatabaseRef } from '../document-store.ts';
import type { Connections } from './connection.ts';

/** How often an import that waits says that its process is there. */
export const tellEveryMs = 60_000;
/** It has ended when it has not for so long. */
const longestSilence = '10 minutes';
/** Those of the version before say nothing. */
const longestSilent = '1 day';
/** Documents, and entries of an index, that are deleted in one transaction. */
const batchSize = 1_000;
const entriesAtOnce = 10_000;

/** Of a row of `documents.collections` that is an import which waits: whether its process has ended. So are collections that are deleted. */
export const isLeftOver = (row: string): string =>
  `(coalesce(${row}.heard_at + interval '${longestSilence}', ${row}.created_at + interval '${longestSilent}') < now())`;

/** As if nobody had ever been heard of. */
const never = "'-infinity'";
/** Whoever knows the collection finds another generation: nothing comes into it any more. */
const ended = `generation = generation + 1, heard_at = ${never}`;

/**
 * Takes the name from a collection, or from all of the database, once those who write to it have; what they hold is then for
 * `removeCollection`, which takes as long as it takes. Answers their ids.
 */
export async function endCollections(
  connection: ScopedConnection,
  { db, partnerId }: DatabaseRef,
  name: string | undefined,
): Promise<readonly string[]> {
  const { rows } = await connection.query<{ id: string }>({
    text: `UPDATE documents.collections SET name = '~' || id, ${ended}
      WHERE partner_id = $1 AND db = $2 AND ($3::text IS NULL OR name = $3) RETURNING id`,
    values: [partnerId, db, name ?? null],
  });
  return rows.map(({ id }) => id);
}

/** Of an import that waits. */
export async function endImport(connection: ScopedConnection, id: string): Promise<void> {
  await connection.query({
    text: `UPDATE documents.collections SET ${ended} WHERE id = $1`,
    values: [id],
  });
}

/** A collection of nothing but this index, for `removeCollection`. Answers its id. */
export async function endIndex(
  connection: ScopedConnection,
  { db, partnerId }: DatabaseRef,
  indexId: number,
): Promise<string> {
  const { rows } = await connection.query<{ id: string }>({
    text: `WITH made AS (
        INSERT INTO documents.collections (partner_id, db, name, heard_at) VALUES ($1, $2, $3, ${never}) RETURNING id
      )
      UPDATE documents.indexes SET collection_id = made.id FROM made WHERE indexes.id = $4 RETURNING made.id`,
    values: [partnerId, db, `~${newId()}`, indexId],
  });
  if (!rows[0]) throw new Error('An index that is gone');
  return rows[0].id;
}

export async function removeLeftovers(
  connections: Connections,
  database: DatabaseRef,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const id = await connections.use(database, async (connection) => endOne(connection, database));
    if (id === undefined) return;
    await removeCollection(connections, database, id, { signal, waitsAs: 'piece' });
  }
}

/**
 * Deletes what a collection holds that has ended, piece by piece, and then itself. What is left where that breaks off, the next
 * `removeLeftovers` finds. Several may be at it.
 */
async function removeCollection(
  connections: Connections,
  database: DatabaseRef,
  id: string,
  { signal, waitsAs = 'call' }: { signal?: AbortSignal; waitsAs?: 'call' | 'piece' } = {},
): Promise<void> {
  const { rows: indexes } = await connections.use(database, async (connection) =>
    connection.query<{ id: number }>({
      text: 'SELECT id FROM documents.indexes WHERE collection_id = $1',
      values: [id],
    }),
  );
  const removals = [
    async (connection: ScopedConnection, after: Place) => removeDocuments(connection, id, after),
    ...indexes.map(
      (index) => async (connection: ScopedConnection, after: Place) =>
        removeEntries(connection, index.id, after),
    ),
  ];
  for (const remove of removals) {
    // From where the last piece ended: an index keeps for a while what was deleted from it.
    for (let last: Place | undefined = first; last; ) {
      if (signal?.aborted) return;
      const after: Place = last;
      last = await connections.use(database, async (connection) => remove(connection, after), { waitsAs });
    }
  }
  await connections.transaction(database, async (connection) => {
    for (const text of [
      'DELETE FROM documents.indexes WHERE collection_id = $1',
      'DELETE FROM documents.usage WHERE collection_id = $1',
      'DELETE FROM documents.collections WHERE id = $1',
    ]) {
      await connection.query({ text, values: [id] });
    }
  });
}

/** How long a call removes what it has ended, pieces that wait for their turn included: the gateway waits a minute for its answer. */
const longestRemovalMs = 20_000;

/**
 * Nobody finds it any more: where its removal fails or takes long, the rest of it is for `removeLeftovers`, and who ended it has
 * succeeded.
 */
export async function removeOrLeave(
  { connections, logger }: { readonly connections: Connections; readonly logger: Logger },
  database: DatabaseRef,
  id: string,
): Promise<void> {
  const signal = AbortSignal.timeout(longestRemovalMs);
  await removeCollection(connections, database, id, { signal }).catch((error: unknown) => {
    logger.warn({ err: error, partnerId: database.partnerId }, 'Documents that were deleted stay for now');
  });
}

/** A process that was only slow finds another generation, and stores nothing of an import that is no longer whole. */
async function endOne(
  connection: ScopedConnection,
  { db, partnerId }: DatabaseRef,
): Promise<string | undefined> {
  const { rows } = await connection.query<{ id: string }>({
    text: `UPDATE documents.collections SET ${ended} WHERE id = (
        SELECT c.id FROM documents.collections c
        WHERE c.partner_id = $1 AND c.db = $2 AND c.name LIKE '~%' AND ${isLeftOver('c')}
        ORDER BY c.id LIMIT 1 FOR UPDATE SKIP LOCKED
      ) RETURNING id`,
    values: [partnerId, db],
  });
  return rows[0]?.id;
}

/** What a piece ended with: the `_id` of a document, and the key of an entry. */
interface Place {
  readonly id: string;
  readonly key: Buffer;
}

const first: Place = { id: '', key: Buffer.alloc(0) };

/** Where the next piece begins, as of what was there: somebody else may have deleted it. Undefined where there is none. */
async function removeDocuments(
  connection: ScopedConnection,
  collectionId: string,
  after: Place,
): Promise<Place | undefined> {
  const { rows } = await connection.query<{ last: string | null }>({
    text: `WITH piece AS MATERIALIZED (
        SELECT id FROM documents.documents WHERE collection_id = $1 AND id > $2 ORDER BY id LIMIT $3
      ), gone AS (
        DELETE FROM documents.documents WHERE collection_id = $1 AND id = ANY (ARRAY (SELECT id FROM piece))
      ) SELECT max(id) AS last FROM piece`,
    values: [collectionId, after.id, batchSize],
  });
  const last = rows[0]?.last ?? undefined;
  return last === undefined ? undefined : { ...after, id: last };
}

async function removeEntries(
  connection: ScopedConnection,
  indexId: number,
  after: Place,
): Promise<Place | undefined> {
  const { rows } = await connection.query<Place>({
    text: `WITH piece AS MATERIALIZED (
        SELECT ctid, key, document_id FROM documents.index_entries
        WHERE index_id = $1 AND (key, document_id) > ($2, $3) ORDER BY key, document_id LIMIT $4
      ), gone AS (
        DELETE FROM documents.index_entries WHERE ctid = ANY (ARRAY (SELECT ctid FROM piece))
      ) SELECT key, document_id AS id FROM piece ORDER BY key DESC, document_id DESC LIMIT 1`,
    values: [indexId, after.key, after.id, entriesAtOnce],
  });
  return rows[0];
}
