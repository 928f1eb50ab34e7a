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
