import type { DatabaseRef, DocumentStore } from '../document-store.ts';
import { createTurns } from '../turns.ts';

/** Calls of a tenant that are under way at once. */
const ofTenant = 4;

/** How long a call waits for its turn: as long as for a connection; and a piece of what goes on for long. */
const longestWaitMs = 5_000;
const longestPieceMs = 60_000;

/** What jobs ask for, one after the other. */
const ofJobs = new Set<string | symbol>([
  'deleteDatabase',
  'removeLeftovers',
] satisfies (keyof DocumentStore)[]);

/** A store of which no tenant keeps all connections: its calls have turns, and so have the pieces of what it streams. */
export function inTurns(store: DocumentStore): DocumentStore {
  const turns = createTurns({ atOnce: ofTenant });

  async function* inPieces<T>({ partnerId }: DatabaseRef, pieces: AsyncIterable<T>): AsyncGenerator<T> {
    const iterator = pieces[Symbol.asyncIterator]();
    try {
      for (;;) {
        const { done, value } = await turns(partnerId, longestPieceMs, async () => iterator.next());
        if (done) return;
        yield value;
      }
    } finally {
      await iterator.return?.();
    }
  }

  return new Proxy(store, {
    get(target, name, receiver) {
      const method: unknown = Reflect.get(target, name, receiver);
      if (typeof method !== 'function') return method;
      return (...values: unknown[]) => {
        const [database] = values;
        const call = (): unknown => Reflect.apply(method, target, values);
        if (!isDatabase(database) || ofJobs.has(name)) return call();
        // Of all methods this one answers at once.
        if (name === 'stream') return inPieces(database, call() as AsyncIterable<unknown>);
        return turns(database.partnerId, longestWaitMs, async () => call());
      };
    },
  });
}

const isDatabase = (value: unknown): value is DatabaseRef =>
  typeof value === 'object' && value !== null && 'partnerId' in value;
