import { databaseRoutes as routes, tenantEvents } from '@portal/contracts';
import { createLogger } from '@portal/kernel';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DocumentStore } from '../src/store/document-store.ts';
import { createPostgresStore } from '../src/store/postgres/postgres-store.ts';
import { type DocumentHarness, operator, startDocumentHarness } from './document-harness.ts';

let harness: DocumentHarness;
/** Writes past the service, as another instance of it would. */
let documents: DocumentStore;

beforeAll(async () => {
  harness = await startDocumentHarness({ env: { DOCUMENT_QUOTA_BYTES: '1000' } });
  const logger = createLogger({ level: 'fatal' });
  documents = createPostgresStore({ url: harness.databaseUrl, poolSize: 2, logger });
}, 60_000);
afterAll(async () => {
  await documents.close();
  await harness.stop();
});

async function fill(
  { db, pid }: { readonly db: string; readonly pid: number },
  bytes: number,
): Promise<void> {
  const collection = { partnerId: pid, db, collection: 'orders' };
  await documents.createCollection(collection);
  await documents.insert(collection, { id: 'one', content: { text: 'x'.repeat(bytes) } });
}
const shown = async (pid: number) =>
  (await harness.call(routes.getDatabase, { params: { pid } }, operator)).body;

test('Usage is measured: what somebody noted within the minute, what nobody noted within the hour', async () => {
  const { apiKey, db, pid } = await harness.partnerWithDatabase();
  await fill({ db, pid }, 400);
  await harness.runJobs();
  expect(await shown(pid)).toMatchObject({ usageBytes: 0, documentCount: 0, quotaBytes: 1000 });
  harness.clock.advance(3_600_000);
  await harness.runJobs();
  const measured = await shown(pid);
  expect(measured.documentCount).toBe(1);
  expect(measured.usageBytes).toBeGreaterThan(400);
  expect((await harness.events('database.updated')).at(-1)?.data).toMatchObject({
    partnerId: pid,
    usageBytes: measured.usageBytes,
    documentCount: 1,
  });
  const own = await harness.call(routes.getOwnDatabase, { headers: { 'x-api-key': apiKey } });
  expect(own.body).toMatchObject({ usageBytes: measured.usageBytes, quotaBytes: 1000 });
  // Nothing has changed: nobody is told.
  harness.clock.advance(3_600_000);
  await harness.runJobs();
  expect(await harness.events('database.updated')).toHaveLength(1);
});

test('The documents of a database that is deleted go, and what came late goes after a while', async () => {
  const { db, pid } = await harness.partnerWithDatabase();
  await fill({ db, pid }, 100);
  await harness.call(routes.deleteDatabase, { params: { pid } }, operator);
  await harness.runJobs();
  expect(await documents.usage({ partnerId: pid, db })).toEqual({ bytes: 0, documents: 0 });
  await fill({ db, pid }, 100);
  await harness.runJobs();
  expect((await documents.usage({ partnerId: pid, db })).documents).toBe(1);
  harness.clock.advance(11 * 60_000);
  await harness.runJobs();
  expect((await documents.usage({ partnerId: pid, db })).documents).toBe(0);
  expect(await harness.sql('SELECT 1 FROM document_deletions')).toEqual([]);
});

test('What an import has left whose process ended is deleted by a job', async () => {
  const { db, pid } = await harness.partnerWithDatabase();
  const collection = { partnerId: pid, db, collection: 'orders' };
  await documents.createCollection(collection);
  const begin = async () => {
    const run = await documents.openImport(collection, { mode: 'insert', allOrNothing: true });
    const some = Array.from({ length: 1_500 }, (_, n) => ({ id: `n${n}`, json: '{}' }));
    await run.write(some);
    return run;
  };
  const left = async () =>
    harness.sql(
      `SELECT c.name, count(*)::integer AS documents, min(u.kept)::integer AS kept
       FROM documents.collections c JOIN documents.documents d ON d.collection_id = c.id
       JOIN LATERAL (SELECT sum(documents) AS kept FROM documents.usage WHERE collection_id = c.id) u ON true
       WHERE c.partner_id = $1 GROUP BY c.name`,
      pid,
    );
  const dead = await begin();
  // As one of the version before, which does not say that its process is there.
  const old = await begin();
  await harness.sql(
    `UPDATE documents.collections SET heard_at = now() - interval '11 minutes' WHERE partner_id = $1 AND id IN (
       SELECT id FROM documents.collections WHERE name LIKE '~%' AND partner_id = $1 ORDER BY id LIMIT 1)`,
    pid,
  );
  await harness.sql(
    `UPDATE documents.collections SET heard_at = NULL, created_at = now() - interval '25 hours' WHERE id IN (
       SELECT id FROM documents.collections WHERE name LIKE '~%' AND partner_id = $1 ORDER BY id OFFSET 1)`,
    pid,
  );
  const alive = await begin();
  expect(await left()).toHaveLength(3);
  await harness.runJobs();
  expect(await left()).toEqual([{ name: expect.stringMatching('~'), documents: 1_500, kept: 1_500 }]);
  expect(
    await harness.sql(
      'SELECT 1 FROM documents.collections WHERE partner_id = $1 AND name LIKE $2',
      pid,
      '~%',
    ),
  ).toHaveLength(1);
  expect(await alive.finish()).toBe(1_500);
  await Promise.all([dead.discard(), old.discard()]);
});

test('The documents of a partner that is deleted go with it', async () => {
  const { db, pid } = await harness.partnerWithDatabase();
  await fill({ db, pid }, 100);
  await harness.deliver(tenantEvents.partnerDeleted, {
    subject: pid,
    partnerId: pid,
    data: { partnerId: pid },
  });
  // The first run may delete the documents before the row says that they are to go.
  await harness.runJobs();
  await harness.runJobs();
  expect(await documents.usage({ partnerId: pid, db })).toEqual({ bytes: 0, documents: 0 });
});
