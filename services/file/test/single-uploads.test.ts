import { Readable } from 'node:stream';
import { fileEvents, fileRoutes, limits } from '@portal/contracts';
import { withClient } from '@portal/database';
import { partnerActor } from '@portal/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type FileHarness, someBytes, startFileHarness } from './file-harness.ts';

let harness: FileHarness;

beforeEach(async () => {
  harness = await startFileHarness();
});
afterEach(async () => harness.stop());

async function openSingle(partnerId: number, name: string) {
  const created = await harness.call(
    fileRoutes.createSingleFile,
    { params: { pid: partnerId }, body: { name } },
    partnerActor({ partnerId, accountId: partnerId }),
  );
  expect(created.status).toBe(201);
  return created.body;
}

async function statusOf(fileId: number): Promise<string | undefined> {
  const [row] = await harness.sql<{ status: string }>(
    'SELECT status FROM versions WHERE file_id = $1',
    fileId,
  );
  return row?.status;
}

/** The bytes as they are there once a PUT has ended of which nobody has told. */
async function store(fileId: number, text: string): Promise<void> {
  const [row] = await harness.sql<{ incoming_key: string }>(
    'SELECT incoming_key FROM versions WHERE file_id = $1',
    fileId,
  );
  await harness.storage.put(row?.incoming_key ?? '', Readable.from([someBytes(text)]));
}

it('When other tenants open as many uploads as they may and send nothing, then one that is sent is completed', async () => {
  // Eleven tenants of which each holds all that it may.
  const idle = 11;
  await harness.sql(
    `INSERT INTO files (partner_id, name, note, file_name, name_folded, note_folded, live_file_name, is_uap, version, changed_in,
        created_at, updated_at)
      SELECT partner_id, n::text, '', n || '.ufpz', n::text, '', n || '.ufpz', false, 1, 1, $3, $3
      FROM generate_series(101, 100 + $1::integer) partner_id, generate_series(1, $2::integer) n`,
    idle,
    limits.maxOpenUploads,
    harness.clock.now(),
  );
  await harness.sql(
    `INSERT INTO versions (partner_id, file_id, upload_id, slot, status, unattended, object_key, incoming_key, opened_at, urls_expire_at)
      SELECT partner_id, id, gen_random_uuid(), 'current', 'uploading', true, 'partners/' || partner_id || '/a' || id,
        'partners/' || partner_id || '/b' || id, created_at, created_at
      FROM files WHERE partner_id > 100`,
  );
  await harness.partner(1);
  harness.clock.advance(1_000);
  const { id } = await openSingle(1, 'sent.ufpz');
  await store(id, 'sent');
  await expect
    .poll(
      harness.afterJobs(async () => statusOf(id)),
      { timeout: 15_000 },
    )
    .toBe('complete');
});

it('When many uploads of one tenant are there, then that of another is verified between them', async () => {
  await harness.partner(1);
  await harness.partner(2);
  const many: number[] = [];
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) many.push((await openSingle(1, `${name}.ufpz`)).id);
  const other = (await openSingle(2, 'other.ufpz')).id;
  for (const id of many) await store(id, 'of many');
  await store(other, 'alone');
  const completed = async () => {
    const events = await harness.events(fileEvents.fileUploaded.type);
    return events.map(({ subject }) => Number(subject));
  };
  await expect.poll(harness.afterJobs(completed), { timeout: 15_000 }).toHaveLength(many.length + 1);
  // Two at a time: those of one tenant alone would be all before it.
  expect((await completed()).indexOf(other)).toBeLessThan(many.length - 1);
});

it('When that of one tenant cannot be taken, then those after it are', async () => {
  await harness.partner(1);
  await harness.partner(2);
  const refused = (await openSingle(1, 'refused.ufpz')).id;
  const taken = (await openSingle(2, 'taken.ufpz')).id;
  await harness.sql(
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'not now'; END $$`,
  );
  await harness.sql(
    `CREATE TRIGGER refuse BEFORE UPDATE ON versions FOR EACH ROW
     WHEN (NEW.partner_id = 1 AND NEW.status = 'verifying') EXECUTE FUNCTION refuse()`,
  );
  for (const id of [refused, taken]) await store(id, 'sent');
  await expect
    .poll(
      harness.afterJobs(async () => statusOf(taken)),
      { timeout: 15_000 },
    )
    .toBe('complete');
  expect(await statusOf(refused)).toBe('uploading');
  await harness.sql('DROP TRIGGER refuse ON versions');
  await expect
    .poll(
      harness.afterJobs(async () => statusOf(refused)),
      { timeout: 15_000 },
    )
    .toBe('complete');
});

it('When the bytes are replaced by others of another number before they are hashed, then these are completed', async () => {
  await harness.partner(1);
  const { id } = await openSingle(1, 'twice.ufpz');
  await store(id, 'sent first');
  const { jobs } = await withClient(harness.databaseUrl, async (another) => {
    // What the verification writes before it reads.
    await another.query('BEGIN');
    await another.query('LOCK TABLE removals IN EXCLUSIVE MODE');
    const jobs = harness.runJobs();
    await expect.poll(async () => statusOf(id), { timeout: 15_000 }).toBe('verifying');
    await store(id, 'and then these');
    await another.query('COMMIT');
    return { jobs };
  });
  await jobs;
  await expect
    .poll(
      harness.afterJobs(async () => statusOf(id)),
      { timeout: 15_000 },
    )
    .toBe('complete');
  expect(await harness.sql('SELECT size::integer FROM versions WHERE file_id = $1', id)).toEqual([
    { size: 'and then these'.length },
  ]);
});
