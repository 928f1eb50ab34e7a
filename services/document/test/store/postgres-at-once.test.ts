import { enterScope, withClient } from '@portal/database';
import { createLogger } from '@portal/kernel';
import { testDatabase } from '@portal/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { documentService } from '../../src/service.ts';
import type { CollectionRef, DatabaseRef, DocumentStore } from '../../src/store/document-store.ts';
import { createPostgresStore } from '../../src/store/postgres/postgres-store.ts';
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
async function newCollection(database?: DatabaseRef): Promise<CollectionRef> {
  partners += 1;
  const ref = { ...(database ?? { partnerId: partners, db: `d${partners}` }), collection: 'things' };
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
