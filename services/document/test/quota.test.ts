import { AppError, createLogger } from '@portal/kernel';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createImportRooms } from '../src/documents/use-cases/import-room.ts';
import { createPostgresStore } from '../src/store/postgres/postgres-store.ts';
import {
  type DocumentsHarness,
  refusal,
  startDocumentsHarness,
  type TestTenant,
} from './documents-harness.ts';

const quota = 3_000_000;

let harness: DocumentsHarness;

beforeAll(async () => {
  harness = await startDocumentsHarness({ DOCUMENT_QUOTA_BYTES: String(quota) });
});
afterAll(async () => harness.stop());

const headers = { 'content-type': 'application/x-ndjson' };
const lines = (count: number, bytes = 1_000, of = 'n') =>
  Array.from({ length: count }, (_, n) => `{"_id":"${of}${n}","a":"${'x'.repeat(bytes)}"}`).join('\n');
const send = async (tenant: TestTenant, body: string, query: Record<string, string> = {}) =>
  tenant.send('/main/import', { method: 'POST', body, headers, query });
const count = async (tenant: TestTenant) => (await tenant.send('/main/documents')).body.total_count;
/** A minute goes by, with its measurement. */
const measured = async () => {
  harness.clock.advance(60_000);
  await harness.runJobs();
};
const made = async () => {
  const tenant = await harness.tenant({ contractStatus: 2 });
  await tenant.collection('main');
  return tenant;
};

describe('When a database is full', () => {
  test('then nothing more is written within a minute, and what makes room or only reads is done', async () => {
    const tenant = await made();
    expect((await send(tenant, lines(2_900))).body.count).toBe(2_900);
    await tenant.send('/main/documents', { method: 'POST', body: { _id: 'last', a: 'x'.repeat(200_000) } });
    await measured();
    for (const [path, sent] of [
      ['', { method: 'POST', body: { name: 'other' } }],
      ['/main/documents', { method: 'POST', body: {} }],
      ['/main/documents/n1', { method: 'PUT', body: {} }],
      ['/main/import', { method: 'POST', body: '{}', headers }],
      ['/main/indexes', { method: 'POST', body: { field: 'a' } }],
    ] as const) {
      expect([path, ...refusal(await tenant.send(path, sent))]).toEqual([path, 400, 'E40016']);
    }
    expect((await tenant.send('/main/documents/last')).status).toBe(200);
    expect((await tenant.send('/main/export')).status).toBe(200);
    expect((await tenant.send('/main/documents/last', { method: 'DELETE' })).status).toBe(200);
    const filter = '{"_id":{"$gte":"n2"}}';
    const gone = await tenant.send('/main/documents', { method: 'DELETE', query: { filter } });
    expect(gone.body.count).toBeGreaterThan(500);
    await measured();
    expect((await tenant.send('/main/documents', { method: 'POST', body: {} })).status).toBe(201);
    expect((await tenant.send('/main', { method: 'DELETE' })).status).toBe(200);
  });
});

describe('When an import fills a database', () => {
  test('then it stops there; whole batches stay, and others are told of them', async () => {
    const tenant = await made();
    expect(refusal(await send(tenant, lines(8_000)))).toEqual([400, 'E40016']);
    const stored = await count(tenant);
    expect(stored).toBeGreaterThan(1_000);
    expect(stored).toBeLessThanOrEqual(3_000);
    const events = await harness.events('documents.imported');
    expect(events.at(-1)?.data).toMatchObject({ partnerId: tenant.pid, count: stored, failed: 0 });
  });

  test('then with all_or_nothing nothing of it stays', async () => {
    const tenant = await made();
    expect(refusal(await send(tenant, lines(8_000), { all_or_nothing: 'true' }))).toEqual([400, 'E40016']);
    expect(await count(tenant)).toBe(0);
  });

  test('then what replaces documents takes no more room than they did', async () => {
    const tenant = await made();
    expect((await send(tenant, lines(2_000))).status).toBe(200);
    await measured();
    for (const mode of ['replace', 'upsert']) {
      for (const all_or_nothing of ['false', 'true']) {
        expect((await send(tenant, lines(2_000), { mode, all_or_nothing })).body).toEqual({
          count: 2_000,
          line_errors: [],
          failed: 0,
        });
      }
    }
  });
});

describe('When several imports fill a database at the same time', () => {
  test.each([
    { mode: 'insert', all_or_nothing: 'false' },
    { mode: 'insert', all_or_nothing: 'true' },
  ])('then they share its room: $mode $all_or_nothing', async (query) => {
    const tenant = await made();
    const replies = await Promise.all(
      Array.from({ length: 6 }, async (_, n) => send(tenant, lines(2_500, 1_000, `n${n}-`), query)),
    );
    const stored = await count(tenant);
    expect(stored * 1_000).toBeLessThanOrEqual(quota);
    const codes = replies.map(({ body, status }) => (status === 200 ? 'stored' : body.code));
    expect(codes).toContain('E40016');
    for (const code of codes) expect(['E40016', 'stored']).toContain(code);
    if (query.all_or_nothing === 'true') {
      expect(stored).toBe(codes.filter((code) => code === 'stored').length * 2_500);
    } else {
      expect(stored).toBeGreaterThan(1_000);
    }
    // What was refused takes no room.
    expect((await send(tenant, lines(100, 1_000, 'last'), query)).status).toBe(200);
  });

  test('then what waits to replace documents is no more than the database may hold', async () => {
    const tenant = await made();
    const query = { mode: 'upsert', all_or_nothing: 'true' };
    await Promise.all(
      Array.from({ length: 6 }, async (_, n) => send(tenant, lines(2_500, 1_000, `n${n}-`), query)),
    );
    expect((await count(tenant)) * 1_000).toBeLessThanOrEqual(2 * quota);
  });

  test.each([false, true])(
    'then those of several instances keep to it, but for a small part each: %s',
    async (allOrNothing) => {
      const tenant = await made();
      const collection = { partnerId: tenant.pid, db: tenant.db, collection: 'main' };
      const logger = createLogger({ level: 'fatal' });
      const documents = createPostgresStore({ url: harness.databaseUrl, poolSize: 5, logger });
      const large = 50_000_000;
      const bytes = 500_000;
      const json = JSON.stringify({ a: 'x'.repeat(bytes - 8) });
      const demand = { quotaBytes: large, replaces: false, waits: allOrNothing };
      const runs = await Promise.all(
        [0, 1, 2, 3].map(async (instance) => {
          const rooms = createImportRooms(documents);
          const run = await documents.openImport(collection, { mode: 'insert', allOrNothing });
          for (let n = 0; ; n += 1) {
            const documentsOfBatch = [{ id: `i${instance}-${n}`, json }];
            try {
              await (await rooms.begin(collection, demand, bytes, async () => run.write(documentsOfBatch)))
                .done;
            } catch (error) {
              if (!(error instanceof AppError)) throw error;
              return { run, code: error.code };
            }
          }
        }),
      );
      expect(runs.map(({ code }) => code)).toEqual(Array.from({ length: 4 }, () => 'E40016'));
      const { stored, waiting } = await documents.occupied(collection);
      expect(stored + waiting).toBeGreaterThan(large - bytes);
      expect(stored + waiting).toBeLessThanOrEqual(large + 3 * (8 * 1024 * 1024 + bytes));
      await Promise.all(runs.map(async ({ run }) => run.discard()));
      await documents.close();
    },
  );
});
