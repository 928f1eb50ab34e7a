import type { ScopedConnection } from '@portal/database';
import { AppError, type Logger, newId } from '@portal/kernel';
import type {
  CollectionRef,
  ImportedDocument,
  ImportFailure,
  ImportOptions,
  ImportRun,
} from '../document-store.ts';
import type { Collection, Collections } from './collections.ts';
import { type Connections, isUniqueViolation } from './connection.ts';
import { endImport, removeOrLeave, tellEveryMs } from './leftovers.ts';
import {
  changeEntries,
  type DocumentRow,
  lockRows,
  type SentDocument,
  withoutRepeats,
  writeBatch,
  writeNew,
} from './write.ts';

interface Parts {
  readonly collections: Collections;
  readonly connections: Connections;
  readonly logger: Logger;
}

/** Each batch is one transaction. */
export function importAtOnce(parts: Parts, ref: CollectionRef, { mode }: ImportOptions): ImportRun {
  let count = 0;
  const write = newFirst(mode);
  return {
    async write(documents) {
      const { repeated, single } = withoutRepeats(mode, documents);
      const sent = single.map(sourceOf);
      const refused = await parts.collections.with(ref, async (collection) =>
        write(async (how) => writeIndexed(parts.connections, collection, how, sent)),
      );
      const failures = failuresOf(mode, documents, refused, repeated);
      count += documents.length - failures.length;
      return failures;
    },
    finish: async () => Promise.resolve(count),
    discard: async () => Promise.resolve(),
  };
}

type Mode = ImportOptions['mode'];

/** Documents of an import are taken for new ones until one is there already: that costs the database half. */
function newFirst(mode: Mode) {
  let areNew = mode !== 'replace';
  return async (write: (how: Mode | 'new') => Promise<ReadonlySet<string>>): Promise<ReadonlySet<string>> => {
    if (areNew) {
      try {
        return await write('new');
      } catch (error) {
        if (!isUniqueViolation(error)) throw error;
        areNew = false;
      }
    }
    return write(mode);
  };
}

const sourceOf = ({ id, json }: ImportedDocument): SentDocument => ({ id, source: json });

function failuresOf(
  mode: Mode,
  documents: readonly ImportedDocument[],
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
  how: Mode | 'new',
  sent: readonly SentDocument[],
): Promise<ReadonlySet<string>> {
  if (collection.indexes.length === 0) {
    return connections.use(collection.ref, async (connection) =>
      writeSent(connection, collection, how, sent),
    );
  }
  return connections.transaction(collection.ref, async (connection) =>
    writeWithEntries(connection, collection, how, sent),
  );
}

/** Answers the `_id`s that were refused. */
async function writeSent(
  connection: ScopedConnection,
  collection: Collection,
  how: Mode | 'new',
  sent: readonly SentDocument[],
): Promise<ReadonlySet<string>> {
  if (how !== 'new') return writeBatch(connection, collection, how, sent);
  await writeNew(connection, collection, sent);
  return new Set();
}

async function writeWithEntries(
  connection: ScopedConnection,
  collection: Collection,
  how: Mode | 'new',
  sent: readonly SentDocument[],
): Promise<ReadonlySet<string>> {
  const mayReplace = how === 'replace' || how === 'upsert';
  const ids = sent.map(({ id }) => id);
  const before =
    mayReplace && collection.indexes.length > 0 ? await lockRows(connection, collection, ids) : [];
  const refused = await writeSent(connection, collection, how, sent);
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

/** Documents wait in a collection that nobody can name, and go to theirs in one transaction. */
export async function importAllOrNothing(
  parts: Parts,
  ref: CollectionRef,
  { mode }: ImportOptions,
): Promise<ImportRun> {
  const { collections, connections } = parts;
  const waiting = await connections.use(ref, async (connection) => {
    const { rows } = await connection.query<{ id: string }>({
      text: `INSERT INTO documents.collections (partner_id, db, name, heard_at) VALUES ($1, $2, $3, now())
        RETURNING id`,
      values: [ref.partnerId, ref.db, `~${newId()}`],
    });
    return { ref, id: rows[0]?.id ?? '', generation: 1, indexes: [] };
  });
  /** Nobody takes it for left over; who told of it would wait. */
  let isHeld = false;
  // What is not told now is told the next time.
  const telling = setInterval(() => {
    if (isHeld) return;
    connections
      .use(ref, async (connection) =>
        connection.query({
          text: 'UPDATE documents.collections SET heard_at = now() WHERE id = $1 AND generation = $2',
          values: [waiting.id, waiting.generation],
        }),
      )
      .catch(() => undefined);
  }, tellEveryMs);
  const write = newFirst(mode === 'insert' ? 'insert' : 'upsert');
  return {
    async write(documents) {
      const { repeated, single } = withoutRepeats(mode, documents);
      const sent = single.map(sourceOf);
      const refused = await collections.with(ref, async (collection) =>
        connections.use(
          ref,
          async (connection) => {
            const taken = await refusedIn(connection, collection, mode, single);
            const accepted = sent.filter(({ id }) => !taken.has(id));
            const again = await write(async (how) => writeSent(connection, waiting, how, accepted));
            return new Set([...taken, ...again]);
          },
          { waitsAs: 'piece' },
        ),
      );
      return failuresOf(mode, documents, refused, repeated);
    },
    async finish() {
      const apply = async (collection: Collection): Promise<number> =>
        connections.transaction(
          ref,
          async (connection) => {
            await hold(connection, waiting);
            isHeld = true;
            await countWith(connection, waiting);
            let count = 0;
            for await (const batch of waitingBatches(connection, waiting.id)) {
              const refused = await writeWithEntries(connection, collection, mode, batch);
              if (refused.size > 0) throw new AppError('E40034');
              count += batch.length;
            }
            await addUsage(connection, waiting, collection);
            await endImport(connection, waiting.id);
            return count;
          },
          { isLong: true, waitsAs: 'import' },
        );
      const count = await collections
        .with(ref, async (collection) =>
          apply(collection).finally(() => {
            isHeld = false;
          }),
        )
        .finally(() => clearInterval(telling));
      await removeOrLeave(parts, ref, waiting.id);
      return count;
    },
    async discard() {
      clearInterval(telling);
      await connections.use(ref, async (connection) => endImport(connection, waiting.id));
      await removeOrLeave(parts, ref, waiting.id);
    },
  };
}

/** Throws `E40034` where it was taken for left by a process that had ended. */
async function hold(
  connection: ScopedConnection,
  { generation, id }: Pick<Collection, 'generation' | 'id'>,
): Promise<void> {
  const { rowCount } = await connection.query({
    text: 'SELECT FROM documents.collections WHERE id = $1 AND generation = $2 FOR UPDATE',
    values: [id, generation],
  });
  if (rowCount === 0) throw new AppError('E40034');
}

/**
 * Has the rest of the transaction count in rows of its own: those of the collection would be held until its end, while other writers,
 * whose documents it may come to wait for, wait for them.
 */
async function countWith(connection: ScopedConnection, { id }: Pick<Collection, 'id'>): Promise<void> {
  await connection.query({ text: 'DELETE FROM documents.usage WHERE collection_id = $1', values: [id] });
  await connection.query({ text: `SELECT set_config('documents.counted_with', $1, true)`, values: [id] });
}

async function addUsage(
  connection: ScopedConnection,
  from: Pick<Collection, 'id'>,
  to: Pick<Collection, 'id'>,
): Promise<void> {
  await connection.query({
    text: `INSERT INTO documents.usage AS known (collection_id, part, partner_id, documents, bytes)
      SELECT $2::bigint, pg_backend_pid() % 16, partner_id, sum(documents), sum(bytes)
      FROM documents.usage WHERE collection_id = $1 GROUP BY partner_id
      ON CONFLICT (collection_id, part) DO UPDATE
        SET documents = known.documents + excluded.documents, bytes = known.bytes + excluded.bytes`,
    values: [from.id, to.id],
  });
}

async function refusedIn(
  connection: ScopedConnection,
  collection: Collection,
  mode: Mode,
  documents: readonly ImportedDocument[],
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
