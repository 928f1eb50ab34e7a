import type { ScopedConnection } from '@portal/database';
import type { DatabaseRef } from '../document-store.ts';
import type { Connections } from './connection.ts';

/** How often an import that waits says that its process is there. */
export const tellEveryMs = 60_000;
/** It has ended when it has not for so long. */
const longestSilence = '10 minutes';
/** Those of the version before say nothing. */
const longestSilent = '1 day';
/** Documents that are deleted in one transaction. */
const batchSize = 1_000;

/** Of a row of `documents.collections` that is an import which waits: whether its process has ended. */
export const isLeftOver = (row: string): string =>
  `(coalesce(${row}.heard_at + interval '${longestSilence}', ${row}.created_at + interval '${longestSilent}') < now())`;

export async function removeLeftovers(
  connections: Connections,
  database: DatabaseRef,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const id = await connections.use(database, async (connection) => endOne(connection, database));
    if (id === undefined) return;
    // From where the last piece ended: an index keeps for a while what was deleted from it.
    for (let last: string | undefined = ''; last !== undefined; ) {
      if (signal.aborted) return;
      const after: string = last;
      last = await connections.use(database, async (connection) => removePiece(connection, id, after));
    }
    await connections.transaction(database, async (connection) => {
      for (const text of [
        'DELETE FROM documents.usage WHERE collection_id = $1',
        'DELETE FROM documents.collections WHERE id = $1',
      ]) {
        await connection.query({ text, values: [id] });
      }
    });
  }
}

/** A process that was only slow finds another generation, and stores nothing of an import that is no longer whole. */
async function endOne(
  connection: ScopedConnection,
  { db, partnerId }: DatabaseRef,
): Promise<string | undefined> {
  const { rows } = await connection.query<{ id: string }>({
    text: `UPDATE documents.collections SET generation = generation + 1 WHERE id = (
        SELECT c.id FROM documents.collections c
        WHERE c.partner_id = $1 AND c.db = $2 AND c.name LIKE '~%' AND ${isLeftOver('c')}
        ORDER BY c.id LIMIT 1 FOR UPDATE SKIP LOCKED
      ) RETURNING id`,
    values: [partnerId, db],
  });
  return rows[0]?.id;
}

/** Where the next piece begins; undefined where there is none. */
async function removePiece(
  connection: ScopedConnection,
  id: string,
  after: string,
): Promise<string | undefined> {
  const { rows } = await connection.query<{ last: string | null }>({
    text: `WITH gone AS (
        DELETE FROM documents.documents WHERE collection_id = $1 AND id = ANY (ARRAY (
          SELECT id FROM documents.documents WHERE collection_id = $1 AND id > $2 ORDER BY id LIMIT $3
        )) RETURNING id
      ) SELECT max(id) AS last FROM gone`,
    values: [id, after, batchSize],
  });
  return rows[0]?.last ?? undefined;
}
