import { createLogger } from '@portal/kernel';
import { systemScope } from '@portal/service-kit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PrismaClient } from '../src/data/db.ts';
import type { Dependencies } from '../src/dependencies.ts';
import { measureUploads } from '../src/uploads/use-cases/note-arrival.ts';
import { type FileHarness, startFileHarness } from './file-harness.ts';

/** What has arrived of uploads whose bytes go past the gateway. */

let harness: FileHarness;
beforeAll(async () => {
  harness = await startFileHarness();
});
afterAll(async () => harness.stop());

const uploads = 25;
const lost = 1;

it('Where the store answers late, and about one upload not at all, what has arrived of all others is noted', async () => {
  const now = harness.clock.now();
  const until = new Date(now.getTime() + 3_600_000);
  await harness.sql(
    `INSERT INTO versions (partner_id, import_id, upload_id, slot, status, unattended, object_key, incoming_key, opened_at, active_at, urls_expire_at)
     SELECT n, n, gen_random_uuid()::text, 'import', 'uploading', false, 'a' || n, n::text, $1, $1, $2
     FROM generate_series(1, $3::integer) n`,
    ...[now, until, uploads],
  );
  let asked = 0;
  let mostAsked = 0;
  const storage: Dependencies['storage'] = {
    ...harness.storage,
    async head(key) {
      asked += 1;
      mostAsked = Math.max(mostAsked, asked);
      await new Promise((resolve) => setTimeout(resolve, 5));
      asked -= 1;
      if (Number(key) === lost) throw new Error('The store is busy');
      return { size: 100 + Number(key), etag: key, lastModified: now };
    },
  };
  const database = harness.openDatabase(PrismaClient);
  const store = {
    read: async (scope, work) => database.read(scope, work),
    write: async (scope, work) =>
      database.transaction(scope, async (db) => work({ db, outbox: undefined as never })),
  } as Dependencies['store'];
  const deps = { clock: harness.clock, logger: createLogger({ level: 'fatal' }), storage, store };
  const run = { scope: systemScope('test'), startedAt: now, stopping: new AbortController().signal };
  await measureUploads(deps, run);
  const arrived = await harness.sql<{ partnerId: number }>(
    `SELECT partner_id AS "partnerId" FROM versions WHERE stored_bytes = 100 + partner_id ORDER BY 1`,
  );
  expect(arrived.map(({ partnerId }) => partnerId)).toEqual(
    Array.from({ length: uploads }, (_, n) => n + 1).filter((n) => n !== lost),
  );
  expect(mostAsked).toBe(10);
});
