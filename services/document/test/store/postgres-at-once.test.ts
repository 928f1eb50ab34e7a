import { enterScope, withClient } from '@portal/database';
import { createLogger } from '@portal/kernel';
import { testDatabase } from '@portal/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { documentService } from '../../src/service.ts';
import type { CollectionRef, DocumentStore } from '../../src/store/document-store.ts';
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
async function newCollection(): Promise<CollectionRef> {
  partners += 1;
  const ref = { partnerId: partners, db: `d${partners}`, collection: 'things' };
  await store.createCollection(ref);
  return ref;
}

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
  await store.insert(ref, { id: 'b', content: {} });
  const run = await store.openImport(ref, { mode: 'replace', allOrNothing: false });
  const writing = await asAnother(ref, async ({ isWaitedFor, query }) => {
    await query(lock('b'));
    const writing = run.write(documentsOf({ a: { v: 1 }, b: { v: 1 } }));
    writing.catch(() => undefined);
    await isWaitedFor();
    // It has the first, and waits for this one, who waits for it from now on.
    await query(lock('a'));
    return { writing };
  });
  expect(await writing.writing).toEqual([]);
  expect((await store.read(ref, 'b'))?.json).toBe('{"v":1}');
});
