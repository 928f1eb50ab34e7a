import type { ScopedConnection } from '@portal/database';
import { AppError } from '@portal/kernel';
import { together } from '@portal/service-kit';
import type { NewDocument, StoredDocument } from '../document-store.ts';
import type { Collection } from './collections.ts';
import type { Connections } from './connection.ts';
import { documentOf } from './list.ts';
import { changeEntries, insertRow, lockRows, readRows, updateFreeRows, updateRow } from './write.ts';

interface Replaced {
  readonly document: StoredDocument;
  readonly isNew: boolean;
}

/** Calls for one document, which go to the database together with others for the same collection. */
export interface SingleDocuments {
  read(collection: Collection, id: string): Promise<StoredDocument | undefined>;
  /** Of a collection without indexes. Undefined where it has to go by itself: it is not there, or others are changing it. */
  replace(collection: Collection, document: NewDocument): Promise<Replaced | undefined>;
}

/** Documents of one statement: as long as they may be, memory holds them. */
const most = 16;
/** One is on its way to the database while another is there. Others have the rest of the connections. */
const atOnce = 2;

export function singleDocuments(connections: Connections): SingleDocuments {
  const queues = new WeakMap<Collection, ReturnType<typeof queuesOf>>();
  const of = (collection: Collection) => {
    const known = queues.get(collection) ?? queuesOf(connections, collection);
    queues.set(collection, known);
    return known;
  };
  return {
    read: async (collection, id) => of(collection).read(id),
    replace: async (collection, document) => of(collection).replace(document),
  };
}

function queuesOf(connections: Connections, collection: Collection) {
  const { ref } = collection;
  return {
    read: together<string, StoredDocument | undefined>({
      most,
      atOnce,
      run: async (ids) => {
        const rows = await connections.use(ref, async (connection) => readRows(connection, collection, ids));
        return ids.map((id) => {
          const row = rows.get(id);
          return row && documentOf(row);
        });
      },
    }),
    replace: together<NewDocument, Replaced | undefined>({
      most,
      atOnce,
      nameOf: ({ id }) => id,
      run: async (documents) =>
        connections.use(ref, async (connection) => {
          const [first] = documents;
          if (first && documents.length === 1) {
            return [await replaceDocument(connection, collection, first, undefined)];
          }
          const rows = await updateFreeRows(connection, collection, documents);
          return documents.map(({ id }) => {
            const row = rows.get(id);
            return row && { document: documentOf(row), isNew: false };
          });
        }),
    }),
  };
}

export async function replaceDocument(
  connection: ScopedConnection,
  collection: Collection,
  document: NewDocument,
  ifVersion: number | undefined,
): Promise<{ document: StoredDocument; isNew: boolean }> {
  // Somebody may delete or make it between the two statements.
  for (;;) {
    const before =
      collection.indexes.length === 0 ? [] : await lockRows(connection, collection, [document.id]);
    const changed = await updateRow(connection, collection, document, ifVersion);
    if (changed) {
      await changeEntries(connection, collection, before, [changed]);
      return { document: documentOf(changed), isNew: false };
    }
    if (ifVersion !== undefined) throw versionConflict();
    const added = await insertRow(connection, collection, document);
    if (!added) continue;
    await changeEntries(connection, collection, [], [added]);
    return { document: documentOf(added), isNew: true };
  }
}

export const versionConflict = (): AppError => new AppError('E40034', [], { status: 412 });
