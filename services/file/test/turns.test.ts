import { limits } from '@portal/contracts';
import { enterScope, withClient } from '@portal/database';
import { partnerActor } from '@portal/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FileHarness, startFileHarness } from './file-harness.ts';

let harness: FileHarness;
/** Of each tenant, the version of a file. */
const model = new Map<number, number>();

beforeAll(async () => {
  harness = await startFileHarness();
  for (const partnerId of [1, 2]) {
    await harness.partner(partnerId);
    const actor = partnerActor({ partnerId });
    const fileId = await harness.upload({ fileName: `model-${partnerId}.uap` }, actor);
    const [version] = await harness.sql<{ id: number }>('SELECT id FROM versions WHERE file_id = $1', fileId);
    model.set(partnerId, version?.id ?? 0);
  }
});
afterAll(async () => harness.stop());

type Due = (partnerId: number, count: number, since: number) => Promise<unknown>;

const time = (since: number) => new Date(harness.clock.now().getTime() - since * 1_000);

/** Former versions that are kept no more. */
const versions: Due = async (partnerId, count, since) =>
  harness.sql(
    `INSERT INTO versions SELECT (jsonb_populate_record(model, jsonb_build_object(
       'id', nextval('versions_id_seq'), 'upload_id', gen_random_uuid(), 'number', nextval('versions_id_seq') + 1000, 'removes_at', $3::timestamptz))).*
     FROM versions model CROSS JOIN generate_series(1, $2::integer) n WHERE model.id = $1`,
    model.get(partnerId),
    count,
    time(since),
  );

/** Uploads that nobody goes on with. */
const uploads: Due = async (partnerId, count, since) =>
  harness.sql(
    `INSERT INTO versions SELECT (jsonb_populate_record(model, jsonb_build_object(
       'id', nextval('versions_id_seq'), 'upload_id', gen_random_uuid(), 'number', NULL, 'status', 'uploading',
       'active_at', $3::timestamptz))).*
     FROM versions model CROSS JOIN generate_series(1, $2::integer) n WHERE model.id = $1`,
    model.get(partnerId),
    count,
    new Date(time(since).getTime() - limits.uploadLifetime),
  );

/** Requests that nobody has decided in time. */
const approvals: Due = async (partnerId, count, since) =>
  harness.sql(
    `INSERT INTO approvals (partner_id, what, state, body, asked_by, asked_by_name, at, expires_at)
     SELECT $1::integer, 'settings', 'waiting', '{}', 1, '', $3::timestamptz, $3 FROM generate_series(1, $2::integer)`,
    partnerId,
    count,
    time(since),
  );

/** Offers that reach the tenant no more, and its groups have them still. */
const offers: Due = async (partnerId, count) =>
  harness.sql(
    `WITH made AS (
       INSERT INTO files SELECT (jsonb_populate_record(model, jsonb_build_object(
         'id', nextval('files_id_seq'), 'live_file_name', NULL, 'partner_id', 0, 'deleted', true))).*
       FROM files model CROSS JOIN generate_series(1, $2::integer) n
       WHERE model.id = (SELECT file_id FROM versions WHERE id = $3)
       RETURNING id)
     INSERT INTO assignments (partner_id, file_id, group_id, added_in, announced)
     SELECT $1::integer, id, 10, 1, true FROM made`,
    partnerId,
    count,
    model.get(partnerId),
  );

/** Files that went out in stages, and reach all now. */
const staged: Due = async (partnerId, count) =>
  harness.sql(
    `WITH made AS (
       INSERT INTO files SELECT (jsonb_populate_record(model, jsonb_build_object(
         'id', nextval('files_id_seq'), 'live_file_name', NULL, 'notify_push', true))).*
       FROM files model CROSS JOIN generate_series(1, $2::integer) n
       WHERE model.id = (SELECT file_id FROM versions WHERE id = $3)
       RETURNING id),
     given AS (
       INSERT INTO assignments (partner_id, file_id, group_id, added_in, announced)
       SELECT $1::integer, id, 10, 1, true FROM made)
     INSERT INTO tellings (partner_id, file_id, notify_email, notify_push, passed)
     SELECT $1::integer, id, false, true, 0 FROM made`,
    partnerId,
    count,
    model.get(partnerId),
  );

const told = async (type: string) => (await harness.events(type)).map(({ partnerid }) => partnerid);
const leftVersions = async () =>
  harness.sql('SELECT DISTINCT partner_id FROM versions WHERE removes_at IS NOT NULL AND NOT released');

it.each([
  ['approvals', approvals, 'approval.decided'],
  ['offers', offers, 'file.assigned'],
  ['quiet uploads', uploads, 'upload.failed'],
  ['stages', staged, 'file.delivered'],
] as const)(
  'When a tenant has more %s to end than a turn takes, then those of others end meanwhile, and all in one run',
  async (_, due, type) => {
    await due(1, 60, 60);
    await due(2, 1, 30);
    await harness.runJobs();
    const events = await told(type);
    expect(events).toHaveLength(61);
    expect(events.indexOf(2)).toBeLessThan(60);
  },
);

it('When a tenant has more former versions to let go than a turn takes, then all go in one run', async () => {
  await versions(1, 60, 60);
  await versions(2, 1, 30);
  await harness.runJobs();
  expect(await leftVersions()).toEqual([]);
});

it('When a tenant has a running change, then what is due of it is left for a later run, and holds up no other', async () => {
  const tellings = async () => Promise.all([told('file.assigned'), told('upload.failed')]);
  const before = await tellings();
  const toldSince = async () => (await tellings()).map((all, at) => all.slice(before[at]?.length));
  // Whatever becomes of the looks, the change ends with its connection.
  await withClient(harness.databaseUrl, async (another) => {
    await enterScope(another, harness.databaseUrl, { kind: 'partner', partnerId: 1 });
    await another.query('BEGIN');
    await another.query('SELECT FROM partners WHERE partner_id = 1 FOR UPDATE');
    for (const due of [versions, offers, uploads]) {
      await due(1, 2, 60);
      await due(2, 1, 30);
    }
    // The jobs run at the same time, and one may find a tenant busy with another.
    await expect.poll(harness.afterJobs(leftVersions)).toEqual([{ partner_id: 1 }]);
    await expect.poll(harness.afterJobs(toldSince)).toEqual([[2], [2]]);
  });
  await expect.poll(harness.afterJobs(leftVersions)).toEqual([]);
  await expect.poll(harness.afterJobs(toldSince)).toEqual([
    [2, 1, 1],
    [2, 1, 1],
  ]);
});
