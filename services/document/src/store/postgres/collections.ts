import type { ScopedConnection } from '@portal/database';
import { AppError } from '@portal/kernel';
import type { CollectionRef } from '../document-store.ts';
import { pathOf } from '../filter/filter.ts';
import type { Connections } from './connection.ts';
import type { KnownIndex } from './index-keys.ts';

/** A collection as this process knows it. */
export interface Collection {
  readonly ref: CollectionRef;
  readonly id: string;
  /** Changes with its indexes; a writer who knows another begins again. */
  readonly generation: number;
  readonly indexes: readonly KnownIndex[];
}

/** Thrown where a collection is no longer as it was known. */
export class StaleCollection extends Error {}

export interface Collections {
  /**
   * Runs `work` with the collection as it is known. Where that finds nothing, or finds out that it is another one by now
   * (`StaleCollection`), it runs again with what the database says. Throws `E40401` where there is no such collection.
   */
  with<T>(
    ref: CollectionRef,
    work: (collection: Collection) => Promise<T>,
    hasFound?: (result: T) => boolean,
  ): Promise<T>;
  forget(ref: CollectionRef): void;
}

/** How long a process takes its indexes for what they were: new ones serve filters, and only writers and who finds nothing ask. */
const knownForMs = 1_000;
const mostKnown = 1_000;
/** How often its indexes may change while one call begins again: the making of one changes it twice. */
const mostChanges = 10;

/**
 * In statements that read: whether a collection still has the name under which it was found. What it holds goes only after it has
 * none, piece by piece.
 */
export const isNamed = (id: string, name: string): string =>
  `EXISTS (SELECT FROM documents.collections WHERE id = ${id} AND name = ${name})`;

export function collectionsOf(connections: Connections): Collections {
  const known = new Map<string, { readonly collection: Collection; until: number }>();
  const nameOf = ({ partnerId, db, collection }: CollectionRef) => `${partnerId}/${db}/${collection}`;
  const load = async (ref: CollectionRef): Promise<Collection> => {
    const found = await connections.use(ref, async (connection) => readCollection(connection, ref));
    const name = nameOf(ref);
    known.delete(name);
    if (!found) throw new AppError('E40401');
    known.set(name, { collection: found, until: performance.now() + knownForMs });
    const [oldest] = known.keys();
    if (known.size > mostKnown && oldest !== undefined) known.delete(oldest);
    return found;
  };
  const knownOf = (ref: CollectionRef): Collection | undefined => {
    const entry = known.get(nameOf(ref));
    const now = performance.now();
    if (!entry || entry.until >= now) return entry?.collection;
    // While one asks again, others go on with it.
    entry.until = now + knownForMs;
    return undefined;
  };
  return {
    async with(ref, work, hasFound = () => true) {
      const collection = knownOf(ref);
      try {
        if (!collection) return await work(await load(ref));
        const result = await work(collection);
        if (hasFound(result)) return result;
        const now = await load(ref);
        return now.id === collection.id ? result : await work(now);
      } catch (error) {
        if (!(error instanceof StaleCollection)) throw error;
      }
      for (let others = 1; ; others += 1) {
        try {
          return await work(await load(ref));
        } catch (error) {
          if (!(error instanceof StaleCollection) || others === mostChanges) throw error;
        }
      }
    },
    forget: (ref) => {
      known.delete(nameOf(ref));
    },
  };
}

async function readCollection(
  connection: ScopedConnection,
  ref: CollectionRef,
): Promise<Collection | undefined> {
  const { rows } = await connection.query<{
    id: string;
    generation: number;
    index_id: number | null;
    field: string;
    is_ready: boolean;
  }>({
    name: 'document-collection',
    text: `SELECT c.id, c.generation, i.id AS index_id, i.field, i.is_ready
      FROM documents.collections c LEFT JOIN documents.indexes i ON i.collection_id = c.id
      WHERE c.partner_id = $1 AND c.db = $2 AND c.name = $3 ORDER BY i.id`,
    values: [ref.partnerId, ref.db, ref.collection],
  });
  const [first] = rows;
  if (!first) return undefined;
  const indexes = rows.flatMap(({ field, index_id, is_ready }): KnownIndex[] =>
    index_id === null ? [] : [{ id: index_id, field, path: pathOf(field), isReady: is_ready }],
  );
  return { ref, id: first.id, generation: first.generation, indexes };
}
