import { setTimeout as sleep } from 'node:timers/promises';
import { createScopedPool, enterScope, withClient } from '@portal/database';
import { createLogger } from '@portal/kernel';
import { testDatabase } from '@portal/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { documentService } from '../../src/service.ts';
import type { CollectionRef, DatabaseRef, DocumentStore } from '../../src/store/document-store.ts';
import { parseFilter } from '../../src/store/filter/filter.ts';
import { collectionsOf } from '../../src/store/postgres/collections.ts';
import { type Connections, connectionsOf } from '../../src/store/postgres/connection.ts';
import { createPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { streamDocuments } from '../../src/store/postgres/stream.ts';
import { documentsOf } from './contract-suite.ts';

/** What the PostgreSQL adapter does while others write. */

let database: Awaited<ReturnType<typeof testDatabase>>;
let store: DocumentStore;

beforeAll(async () => {
  database = await testDatabase({ service: 'document', directories: documentService.migrations });
  const logger = createLogger({ level: 'silent' });
  store = createPostgresStore({ url: database.url, poolSize: 10, logger });
});
afterAll(async () => {
  await store.close();
  await database.drop();
});

let partners = 1_000;
async function newCollection(database?: DatabaseRef, collection = 'things'): Promise<CollectionRef> {
  partners += 1;
  const { db, partnerId } = database ?? { partnerId: partners, db: `d${partners}` };
  const ref = { partnerId, db, collection };
  await store.createCollection(ref);
  return ref;
}

const asOwner = async (text: string) => withClient(database.ownerUrl, async (client) => client.query(text));

interface Other {
  /** `$1` is the id of the collection. */
  query(text: string): Promise<readonly unknown[]>;
  /** Somebody waits for what this one holds. */
  isWaitedFor(): Promise<void>;
}

/** Runs `work` in a transaction on the rows of the tenant, as another writer. */
async function asAnother<T>(ref: CollectionRef, work: (other: Other) => Promise<T>): Promise<T> {
  return withClient(database.url, async (client) => {
    await enterScope(client, database.url, { kind: 'partner', partnerId: ref.partnerId });
    const found = await client.query<{ id: string; pid: number }>(
      'SELECT id, pg_backend_pid() AS pid FROM documents.collections WHERE db = $1 AND name = $2',
      [ref.db, ref.collection],
    );
    const [collection] = found.rows;
    if (!collection) throw new Error('No such collection');
    await client.query('BEGIN');
    const result = await work({
      query: async (text) => (await client.query(text, text.includes('$1') ? [collection.id] : [])).rows,
      isWaitedFor: async () =>
        vi.waitFor(async () => {
          const { rows } = await client.query(
            `SELECT FROM pg_locks l WHERE NOT l.granted AND ${collection.pid} = ANY (pg_blocking_pids(l.pid))`,
          );
          expect(rows).toHaveLength(1);
        }, 5_000),
    });
    await client.query('COMMIT');
    return result;
  });
}

const lock = (id: string) =>
  `SELECT FROM documents.documents WHERE collection_id = $1 AND id = '${id}' FOR UPDATE`;

test('an import of all or nothing that waits for a document keeps no writer of others waiting', async () => {
  const ref = await newCollection();
  await store.insert(ref, { id: 'y', content: { v: 'first' } });
  const run = await store.openImport(ref, { mode: 'upsert', allOrNothing: true });
  const many = Array.from({ length: 1_500 }, (_, n) => [`n${n}`, { n }] as const);
  expect(await run.write(documentsOf({ ...Object.fromEntries(many), y: { v: 'last' } }))).toEqual([]);
  const finished = await asAnother(ref, async ({ isWaitedFor, query }) => {
    await query(lock('y'));
    const finishing = run.finish();
    finishing.catch(() => undefined);
    await isWaitedFor();
    // In whatever part another writer counts.
    await query(
      `INSERT INTO documents.usage AS known (collection_id, part, partner_id, documents, bytes)
       SELECT $1, part, ${ref.partnerId}, 0, 0 FROM generate_series(0, 15) AS part
       ON CONFLICT (collection_id, part) DO UPDATE SET documents = known.documents`,
    );
    return { finishing };
  });
  expect(await finished.finishing).toBe(1_501);
  const { documents } = await store.list(ref, { perPage: 1, sort: [] });
  expect(documents).toHaveLength(1);
  const stored = await asAnother(ref, async ({ query }) =>
    query(
      `SELECT count(*)::integer AS documents, sum(octet_length(source))::integer AS bytes
       FROM documents.documents WHERE collection_id = $1`,
    ),
  );
  expect(stored).toEqual([await store.usage(ref)]);
  expect(await store.occupied(ref)).toMatchObject({ waiting: 0 });
});

test('a write that collides with another one is done again', async () => {
  const ref = await newCollection();
  await store.insert(ref, { id: 'a', content: {} });
  // As PostgreSQL breaks off one of two that wait for each other.
  await asOwner(`CREATE SEQUENCE documents.tries;
    CREATE FUNCTION documents.collide() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
    BEGIN
      IF nextval('documents.tries') = 1 THEN RAISE EXCEPTION 'deadlock' USING ERRCODE = 'deadlock_detected'; END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER collide BEFORE UPDATE ON documents.documents EXECUTE FUNCTION documents.collide()`);
  try {
    expect((await store.replace(ref, { id: 'a', content: { v: 1 } })).document.json).toBe('{"v":1}');
    await store.createIndex(ref, 'v');
    await asOwner('ALTER SEQUENCE documents.tries RESTART');
    expect((await store.replace(ref, { id: 'a', content: { v: 2 } })).document.version).toBe(3);
  } finally {
    await asOwner('DROP TRIGGER collide ON documents.documents');
  }
});

/** All in this database that wait for somebody. */
const waiting = `SELECT DISTINCT w.pid FROM pg_locks w JOIN pg_locks o ON o.pid = w.pid AND o.relation IS NOT NULL
  WHERE NOT w.granted AND o.database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
/** It was done before the other one got there, or says that nothing is there. */
const endedInTime = async (making: Promise<void>) =>
  making.catch((error: unknown) => expect(error).toMatchObject({ code: 'E40401' }));
const entries = 'SELECT FROM documents.index_entries';

test('an index whose collection is deleted while it is made leaves nothing', async () => {
  const ref = await newCollection();
  await store.insert(ref, { id: 'a', content: { v: 1 } });
  const { deleting, making } = await asAnother(ref, async ({ isWaitedFor, query }) => {
    await query(lock('a'));
    const making = store.createIndex(ref, 'v');
    making.catch(() => undefined);
    await isWaitedFor();
    const deleting = store.deleteCollection(ref);
    await expect.poll(async () => query(waiting)).toHaveLength(2);
    return { making, deleting };
  });
  await endedInTime(making);
  await deleting;
  const again = await newCollection(ref);
  expect(await asAnother(again, async ({ query }) => query(entries))).toEqual([]);
});

test('an index that is deleted while it is made leaves nothing, and is not said to be there', async () => {
  const ref = await newCollection();
  await store.insert(ref, { id: 'a', content: { v: 1 } });
  const { deleting, making } = await asAnother(ref, async ({ isWaitedFor, query }) => {
    await query(lock('a'));
    const making = store.createIndex(ref, 'v');
    making.catch(() => undefined);
    await isWaitedFor();
    expect(await store.indexes(ref)).toEqual(['v']);
    const deleting = store.deleteIndex(ref, 'v');
    await expect.poll(async () => query(waiting)).toHaveLength(2);
    return { making, deleting };
  });
  await endedInTime(making);
  expect(await deleting).toBe(true);
  expect(await store.indexes(ref)).toEqual([]);
  expect(await asAnother(ref, async ({ query }) => query(entries))).toEqual([]);
});

/** Their `_id`s are in this order. */
const many = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ id: `n${String(n).padStart(5, '0')}`, json: '{"v":1}' }));

async function fill(ref: CollectionRef, count: number, allOrNothing = false) {
  const run = await store.openImport(ref, { mode: 'insert', allOrNothing });
  expect(await run.write(many(count))).toEqual([]);
  return run;
}

/** What the tenant has in the tables. */
const left = async (ref: CollectionRef) =>
  withClient(database.url, async (client) => {
    await enterScope(client, database.url, { kind: 'partner', partnerId: ref.partnerId });
    const tables = ['collections', 'documents', 'usage', 'indexes', 'index_entries'];
    const { rows } = await client.query<Record<string, number>>(
      `SELECT ${tables.map((table) => `(SELECT count(*)::integer FROM documents.${table}) AS ${table}`).join(', ')}`,
    );
    return rows[0];
  });
const nothing = { collections: 0, documents: 0, usage: 0, indexes: 0, index_entries: 0 };

test('a collection that is deleted is gone at once, and its documents go piece by piece', async () => {
  const ref = await newCollection();
  await fill(ref, 2_500);
  await store.createIndex(ref, 'v');
  const deleting = await asAnother(ref, async ({ isWaitedFor, query }) => {
    await query(lock('n02499'));
    const deleting = store.deleteCollection(ref);
    deleting.catch(() => undefined);
    await isWaitedFor();
    expect(await store.hasCollection(ref)).toBe(false);
    expect(await store.usage(ref)).toEqual({ documents: 0, bytes: 0 });
    expect((await left(ref))?.['documents']).toBe(500);
    return { deleting };
  });
  await deleting.deleting;
  expect(await left(ref)).toEqual(nothing);
});

test('a collection whose documents take longer to go than a call may is deleted, and they go later', async () => {
  const ref = await newCollection();
  await fill(ref, 2_500);
  const time = new AbortController();
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(time.signal);
  try {
    const { deleting } = await asAnother(ref, async ({ isWaitedFor, query }) => {
      await query(lock('n01500'));
      const deleting = store.deleteCollection(ref);
      deleting.catch(() => undefined);
      await isWaitedFor();
      time.abort();
      return { deleting };
    });
    await deleting;
    expect(timeout).toHaveBeenCalledExactlyOnceWith(20_000);
  } finally {
    timeout.mockRestore();
  }
  expect(await store.hasCollection(ref)).toBe(false);
  expect(await left(ref)).toMatchObject({ documents: 500 });
  await store.removeLeftovers(ref, new AbortController().signal);
  expect(await left(ref)).toEqual(nothing);
});

test('what is left of a deletion that breaks off goes the next time', async () => {
  const ref = await newCollection();
  await fill(ref, 1_500);
  await store.createIndex(ref, 'v');
  await store.deleteDatabase(ref, AbortSignal.abort());
  expect(await store.collections(ref)).toEqual([]);
  expect(await left(ref)).toMatchObject({ documents: 1_500, index_entries: 1_500 });
  const signal = new AbortController().signal;
  await Promise.all([store.removeLeftovers(ref, signal), store.deleteDatabase(ref)]);
  expect(await left(ref)).toEqual(nothing);
});

test('an import that waits for its turn to be stored says that its process is there, and one that has ended does not', async () => {
  const ref = await newCollection();
  const others = await Promise.all(['a', 'b'].map(async (name) => newCollection(ref, name)));
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    const [run, ended] = [await fill(ref, 10, true), await fill(ref, 10, true)];
    const imports = `FROM documents.collections WHERE db = '${ref.db}' AND name LIKE '~%'`;
    await asOwner(`SET app.scope = 'system';
      UPDATE documents.collections SET heard_at = now() - interval '11 minutes' WHERE id IN (SELECT id ${imports});
      UPDATE documents.collections SET generation = 2 WHERE id = (SELECT max(id) ${imports})`);
    const heard = `SELECT id = (SELECT min(id) ${imports}) AS is_first ${imports} AND heard_at > now() - interval '1 minute'`;
    const { finishing } = await asAnother(ref, async ({ query }) => {
      await query(`SELECT FROM documents.collections WHERE name IN ('a', 'b') FOR SHARE`);
      const deleting = others.map(async (other) => store.deleteCollection(other));
      await expect.poll(async () => query(waiting)).toHaveLength(2);
      const finishing = run.finish();
      vi.advanceTimersByTime(60_000);
      await expect.poll(async () => query(heard)).toEqual([{ is_first: true }]);
      return { finishing: Promise.all([finishing, ...deleting]) };
    });
    expect((await finishing)[0]).toBe(10);
    await expect(ended.finish()).rejects.toMatchObject({ code: 'E40034' });
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

/** While `work` runs, no document can be deleted. */
async function withoutDeletions(work: () => Promise<void>): Promise<void> {
  await asOwner(`CREATE FUNCTION documents.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'not now'; END $$;
    CREATE TRIGGER refuse BEFORE DELETE ON documents.documents EXECUTE FUNCTION documents.refuse();
    CREATE TRIGGER refuse BEFORE DELETE ON documents.index_entries EXECUTE FUNCTION documents.refuse()`);
  try {
    await work();
  } finally {
    await asOwner('DROP FUNCTION documents.refuse() CASCADE');
  }
}

test('what a deletion cannot remove now is for the next time, and the deletion has succeeded', async () => {
  const ref = await newCollection();
  await fill(ref, 10);
  await store.createIndex(ref, 'v');
  await withoutDeletions(async () => {
    expect(await store.deleteIndex(ref, 'v')).toBe(true);
    await store.deleteCollection(ref);
  });
  expect(await store.hasCollection(ref)).toBe(false);
  expect(await left(ref)).toMatchObject({ documents: 10, index_entries: 10 });
  await store.removeLeftovers(ref, new AbortController().signal);
  expect(await left(ref)).toEqual(nothing);
});

/** Another process on the same documents. */
const openOther = () =>
  createPostgresStore({ url: database.url, poolSize: 2, logger: createLogger({ level: 'silent' }) });

test('a process that has not heard that a collection is deleted finds none of what is left of it', async () => {
  const ref = await newCollection();
  await fill(ref, 10);
  await store.createIndex(ref, 'v');
  const filter = parseFilter('{"v":1}');
  const calls = [
    async (other: DocumentStore) => other.read(ref, 'n00001'),
    async (other: DocumentStore) => other.list(ref, { perPage: 1 }),
    async (other: DocumentStore) => other.list(ref, { perPage: 1, filter }),
    async (other: DocumentStore) => other.deleteMatching(ref, filter),
    async (other: DocumentStore) => other.indexes(ref),
  ].map((call) => ({ call, other: openOther() }));
  for (const { other } of calls) expect(await other.read(ref, 'n00001')).toBeDefined();
  await withoutDeletions(async () => store.deleteCollection(ref));
  expect(await left(ref)).toMatchObject({ documents: 10, index_entries: 10, indexes: 1 });
  for (const { call, other } of calls) {
    await expect(call(other)).rejects.toMatchObject({ code: 'E40401' });
    await other.close();
  }
});

test('a process that has not heard of an index uses it a second later', async () => {
  const ref = await newCollection();
  await store.insert(ref, { id: 'a', content: { v: 1 } });
  const other = openOther();
  const filter = parseFilter('{"v":1}');
  const find = async () => (await other.list(ref, { perPage: 1, filter })).totalCount;
  expect(await find()).toBe(1);
  await store.createIndex(ref, 'v');
  // What an index that is in use does not name is not found by it.
  await asOwner(`SET app.scope = 'system';
    DELETE FROM documents.index_entries WHERE partner_id = ${ref.partnerId}`);
  const later = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 2_000);
  try {
    expect(await find()).toBe(0);
  } finally {
    later.mockRestore();
  }
  await other.close();
});

test('an import that is discarded gives back its room at once', async () => {
  const ref = await newCollection();
  const run = await fill(ref, 1_500, true);
  const discarding = await asAnother(ref, async ({ isWaitedFor, query }) => {
    await query(`SELECT FROM documents.documents WHERE collection_id <> $1 AND id = 'n01499' FOR UPDATE`);
    const discarding = run.discard();
    discarding.catch(() => undefined);
    await isWaitedFor();
    expect(await store.occupied(ref)).toEqual({ stored: 0, waiting: 0 });
    return { discarding };
  });
  await discarding.discarding;
  expect(await left(ref)).toEqual({ ...nothing, collections: 1 });
});

test('a deletion by a filter looks for documents some at a time', async () => {
  const ref = await newCollection();
  await fill(ref, 10_001);
  const deleting = await asAnother(ref, async ({ isWaitedFor, query }) => {
    await query(lock('n00000'));
    const deleting = store.deleteMatching(ref, parseFilter('{}'));
    deleting.catch(() => undefined);
    await isWaitedFor();
    await store.insert(ref, { id: 'z', content: {} });
    return { deleting };
  });
  expect(await deleting.deleting).toBe(10_002);
});

test('a deletion by a filter that has begun is not refused for what it looks for later', async () => {
  const ref = await newCollection();
  await fill(ref, 10_001);
  await withClient(database.ownerUrl, async (owner) => {
    const { deleting, locking } = await asAnother(ref, async ({ isWaitedFor, query }) => {
      // The last one that the first search finds.
      await query(lock('n09999'));
      const deleting = store.deleteMatching(ref, parseFilter('{}'));
      deleting.catch(() => undefined);
      await isWaitedFor();
      await owner.query('BEGIN');
      const locking = owner.query('LOCK TABLE documents.documents');
      await expect.poll(async () => query(waiting)).toHaveLength(2);
      return { deleting, locking };
    });
    await locking;
    await sleep(2_500);
    await owner.query('ROLLBACK');
    expect(await deleting).toBe(10_001);
  });
});

test('an export whose batch is read again has each document once', async () => {
  const ref = await newCollection();
  await fill(ref, 3);
  const logger = createLogger({ level: 'silent' });
  const pool = createScopedPool({ url: database.url, poolSize: 2, logger });
  const once = connectionsOf(pool, 2);
  const connections: Connections = {
    ...once,
    // As where the first attempt collides.
    filter: async (ref, work) => {
      await once.filter(ref, work);
      return once.filter(ref, work);
    },
  };
  const parts = { connections, collections: collectionsOf(connections) };
  const texts: Buffer[] = [];
  for await (const text of streamDocuments(parts, ref, { between: '\n', filter: undefined }))
    texts.push(text);
  expect(Buffer.concat(texts).toString().split('\n')).toHaveLength(3);
  await pool.close();
});

test('a process that has not heard that an index is deleted finds what there is', async () => {
  const ref = await newCollection();
  await store.insert(ref, { id: 'a', content: { v: 1 } });
  await store.createIndex(ref, 'v');
  const other = openOther();
  const found = async () => other.list(ref, { filter: parseFilter('{"v":1}'), perPage: 1 });
  expect((await found()).totalCount).toBe(1);
  expect(await store.deleteIndex(ref, 'v')).toBe(true);
  expect((await found()).totalCount).toBe(1);
  expect(await left(ref)).toMatchObject({ collections: 1, indexes: 0, index_entries: 0 });
  await other.close();
});

test('a tenant whose calls are slow leaves connections to others', async () => {
  const [slow, other] = [await newCollection(), await newCollection()];
  await store.insert(slow, { id: 'a', content: {} });
  await store.insert(other, { id: 'a', content: {} });
  const deleting = await asAnother(slow, async ({ query }) => {
    await query(lock('a'));
    const deleting = Promise.all(Array.from({ length: 12 }, async () => store.delete(slow, 'a')));
    await expect.poll(async () => query(waiting)).toHaveLength(4);
    expect(await store.delete(other, 'a')).toBe(true);
    return { deleting };
  });
  expect((await deleting.deleting).filter(Boolean)).toHaveLength(1);
});

test('a piece of long work waits longer for its turn than a call', async () => {
  const ref = await newCollection();
  const other = await newCollection(ref, 'others');
  await store.insert(ref, { id: 'a', content: {} });
  await store.insert(other, { id: 'b', content: { v: 1 } });
  const run = await store.openImport(ref, { mode: 'insert', allOrNothing: true });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const { pieces, slow } = await asAnother(ref, async ({ query }) => {
      await query(lock('a'));
      const slow = Promise.all(Array.from({ length: 4 }, async () => store.delete(ref, 'a')));
      await expect.poll(async () => query(waiting)).toHaveLength(4);
      const pieces = Promise.all([run.write(many(10)), store.createIndex(other, 'v')]);
      pieces.catch(() => undefined);
      const making = `SELECT FROM documents.indexes WHERE field = 'v' AND NOT is_ready`;
      await expect.poll(async () => query(making)).toHaveLength(1);
      const call = expect(store.usage(ref)).rejects.toMatchObject({ code: 'E50301' });
      await vi.advanceTimersByTimeAsync(6_000);
      await call;
      return { pieces, slow };
    });
    await slow;
    expect((await pieces)[0]).toEqual([]);
    expect(await run.finish()).toBe(10);
  } finally {
    vi.useRealTimers();
  }
});

test('of the long work of one tenant only so much waits', async () => {
  const ref = await newCollection();
  const names = Array.from({ length: 25 }, (_, n) => `c${n}`);
  const many = await Promise.all(names.map(async (name) => newCollection(ref, name)));
  const deleting = await asAnother(ref, async ({ query }) => {
    await query('SELECT FROM documents.collections FOR SHARE');
    const deleting = Promise.allSettled(many.map(async (one) => store.deleteCollection(one)));
    await expect.poll(async () => query(waiting)).toHaveLength(2);
    return { deleting };
  });
  const refused = (await deleting.deleting).filter(({ status }) => status === 'rejected');
  expect(refused).toMatchObject(Array.from({ length: 3 }, () => ({ reason: { code: 'E50301' } })));
});

test('the long work of many tenants leaves connections to others', async () => {
  const many = await Promise.all(Array.from({ length: 12 }, async () => newCollection()));
  const other = await newCollection();
  const deleting = await withClient(database.ownerUrl, async (owner) => {
    await owner.query(`SET app.scope = 'system'`);
    await owner.query('BEGIN');
    await owner.query('SELECT FROM documents.collections FOR SHARE');
    const deleting = Promise.all(many.map(async (ref) => store.deleteCollection(ref)));
    await expect.poll(async () => (await owner.query(waiting)).rows).toHaveLength(5);
    expect(await store.read(other, 'a')).toBeUndefined();
    await owner.query('COMMIT');
    return { deleting };
  });
  await deleting.deleting;
  for (const ref of many) expect(await store.hasCollection(ref)).toBe(false);
});
