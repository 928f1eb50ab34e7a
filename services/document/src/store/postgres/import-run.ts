import type { ScopedConnection } from '@portal/database';
import { AppError, newId } from '@portal/kernel';
import type {
  CollectionRef,
  ImportFailure,
  ImportOptions,
  ImportRun,
  NewDocument,
} from '../document-store.ts';
import type { Collection, Collections } from './collections.ts';
import type { Connections } from './connection.ts';
import { changeEntries, type DocumentRow, lockRows, withoutRepeats, writeBatch } from './write.ts';

interface Parts {
  readonly collections: Collections;
  readonly connections: Connections;
}

/** Each batch is one transaction. */
export function importAtOnce(parts: Parts, ref: CollectionRef, { mode }: ImportOptions): ImportRun {
  let count = 0;
  return {
    async write(documents) {
      const { repeated, single } = withoutRepeats(mode, documents);
      const sent = single.map(sourceOf);
      const refused = await parts.collections.with(ref, async (collection) =>
        writeIndexed(parts.connections, collection, mode, sent),
      );
      const failures = failuresOf(mode, documents, refused, repeated);
      count += documents.length - failures.length;
      return failures;
    },
    finish: async () => Promise.resolve(count),
    discard: async () => Promise.resolve(),
  };
}

const sourceOf = ({ content, id }: NewDocument) => ({ id, source: JSON.stringify(content) });

function failuresOf(
  mode: ImportOptions['mode'],
  documents: readonly NewDocument[],
  refused: ReadonlySet<string>,
  repeated: readonly ImportFailure[],
): readonly ImportFailure[] {
  if (refused.size === 0) return repeated;
  const reason = mode === 'insert' ? 'taken' : 'unknown';
  return documents.flatMap(({ id }, index): ImportFailure[] => {
    const known = repeated.find((failure) => failure.index === index);
    if (known) return [known];
    return refused.has(id) ? [{ index, reason }] : [];
  });
}

async function writeIndexed(
  connections: Connections,
  collection: Collection,
  mode: ImportOptions['mode'],
  sent: readonly { id: string; source: string }[],
): Promise<ReadonlySet<string>> {
  if (collection.indexes.length === 0) {
    return connections.use(collection.ref, async (connection) =>
      writeBatch(connection, collection, mode, sent),
    );
  }
  return connections.transaction(collection.ref, async (connection) =>
    writeWithEntries(connection, collection, mode, sent),
  );
}

async function writeWithEntries(
  connection: ScopedConnection,
  collection: Collection,
  mode: ImportOptions['mode'],
  sent: readonly { id: string; source: string }[],
): Promise<ReadonlySet<string>> {
  const ids = sent.map(({ id }) => id);
  const before =
    mode === 'insert' || collection.indexes.length === 0 ? [] : await lockRows(connection, collection, ids);
  const refused = await writeBatch(connection, collection, mode, sent);
  await changeEntries(
    connection,
    collection,
    before,
    sent.filter(({ id }) => !refused.has(id)),
  );
  return refused;
}

/** Documents that wait are read and written again in batches of this many. */
const batchSize = 1_000;
/** A collection of an import whose process ended. */
const longestImport = '1 day';

/** Documents wait in a collection that nobody can name, and go to theirs in one transaction. */
export async function importAllOrNothing(
  { collections, connections }: Parts,
  ref: CollectionRef,
  { mode }: ImportOptions,
): Promise<ImportRun> {
  const waiting = await connections.transaction(ref, async (connection) => {
    await connection.query({
      text: `WITH old AS (
          DELETE FROM documents.collections
          WHERE partner_id = $1 AND db = $2 AND name LIKE '~%' AND created_at < now() - $3::interval RETURNING id
        ) DELETE FROM documents.documents WHERE collection_id IN (SELECT id FROM old)`,
      values: [ref.partnerId, ref.db, longestImport],
    });
    const { rows } = await connection.query<{ id: string }>({
      text: 'INSERT INTO documents.collections (partner_id, db, name) VALUES ($1, $2, $3) RETURNING id',
      values: [ref.partnerId, ref.db, `~${newId()}`],
    });
    return { ref, id: rows[0]?.id ?? '', generation: 1, indexes: [] };
  });
  const forget = async (connection: ScopedConnection) => {
    await connection.query({
      text: 'DELETE FROM documents.documents WHERE collection_id = $1',
      values: [waiting.id],
    });
    await connection.query({
      text: 'DELETE FROM documents.usage WHERE collection_id = $1',
      values: [waiting.id],
    });
    await connection.query({
      text: 'DELETE FROM documents.collections WHERE id = $1',
      values: [waiting.id],
    });
  };
  return {
    async write(documents) {
      const { repeated, single } = withoutRepeats(mode, documents);
      const sent = single.map(sourceOf);
      const refused = await collections.with(ref, async (collection) =>
        connections.use(ref, async (connection) => {
          const taken = await refusedIn(connection, collection, mode, single);
          const waitingMode = mode === 'insert' ? 'insert' : 'upsert';
          const again = await writeBatch(
            connection,
            waiting,
            waitingMode,
            sent.filter(({ id }) => !taken.has(id)),
          );
          return new Set([...taken, ...again]);
        }),
      );
      return failuresOf(mode, documents, refused, repeated);
    },
    finish: async () =>
      collections.with(ref, async (collection) =>
        connections.transaction(
          ref,
          async (connection) => {
            let count = 0;
            for await (const batch of waitingBatches(connection, waiting.id)) {
              const refused = await writeWithEntries(connection, collection, mode, batch);
              if (refused.size > 0) throw new AppError('E40034');
              count += batch.length;
            }
            await forget(connection);
            return count;
          },
          { isLong: true },
        ),
      ),
    discard: async () => connections.transaction(ref, forget, { isLong: true }),
  };
}

async function refusedIn(
  connection: ScopedConnection,
  collection: Collection,
  mode: ImportOptions['mode'],
  documents: readonly NewDocument[],
): Promise<ReadonlySet<string>> {
  if (mode === 'upsert') return new Set();
  const { rows } = await connection.query<{ id: string }>({
    text: 'SELECT id FROM documents.documents WHERE collection_id = $1 AND id = ANY ($2::text[])',
    values: [collection.id, documents.map(({ id }) => id)],
  });
  const there = new Set(rows.map(({ id }) => id));
  if (mode === 'insert') return there;
  return new Set(documents.map(({ id }) => id).filter((id) => !there.has(id)));
}

async function* waitingBatches(
  connection: ScopedConnection,
  collectionId: string,
): AsyncGenerator<readonly DocumentRow[]> {
  for (let last = ''; ; ) {
    const { rows } = await connection.query<DocumentRow>({
      text: `SELECT id, source FROM documents.documents WHERE collection_id = $1 AND id > $2 ORDER BY id LIMIT $3`,
      values: [collectionId, last, batchSize],
    });
    const end = rows.at(-1);
    if (!end) return;
    yield rows;
    last = end.id;
  }
}
