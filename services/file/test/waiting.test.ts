import { fileEvents, fileRoutes, formatDateTime } from '@portal/contracts';
import { systemScope } from '@portal/service-kit';
import { blocksOf } from '@portal/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findDueDeliveries } from '../src/assignments/data/assignment-repository.ts';
import { type FileDb, PrismaClient } from '../src/data/db.ts';
import { findDueUpdates, nextReservation } from '../src/files/data/file-repository.ts';
import { findPending } from '../src/rollouts/data/rollout-repository.ts';
import { findTellings } from '../src/rollouts/data/telling-repository.ts';
import { admin, type FileHarness, someBytes, startFileHarness } from './file-harness.ts';

/** What is due is looked for each second, whatever waits for its time. */

const pid = 1;
const day = 24 * 3_600_000;
const many = 20_000;
let harness: FileHarness;

beforeAll(async () => {
  harness = await startFileHarness();
  await harness.partner(pid);
  await harness.group(3, 'Sales');
});
afterAll(async () => harness.stop());

const at = (days: number) => formatDateTime(new Date(harness.clock.now().getTime() + days * day));

const assigned = async (
  fileName: string,
  { deliverReservationAt, isStaged }: { deliverReservationAt?: string; isStaged?: boolean },
) => {
  const id = await harness.upload({ fileName, bytes: someBytes('one') });
  const params = { pid, id };
  if (deliverReservationAt) {
    const updated = await harness.refused(
      fileRoutes.updateFile,
      { params, body: { deliverReservationAt } },
      admin,
    );
    expect([updated.status, updated.body]).toMatchObject([200, {}]);
  }
  const stages = [{ percent: 40 }, { percent: 100, after: 'P1DT1H' }];
  const body = { groupIds: [3], ...(isStaged && { rollout: { stages } }) };
  expect((await harness.call(fileRoutes.assignGroups, { params, body }, admin)).status).toBe(200);
  return id;
};

const looking = async <T>(work: (db: FileDb) => Promise<T>) =>
  harness.openDatabase(PrismaClient).transaction(systemScope('test'), work);
const shares = { limit: 200, share: 50, except: [] };
const find = async (db: FileDb) => {
  const now = harness.clock.now();
  return {
    deliveries: await findDueDeliveries(db, now, shares),
    updates: await findDueUpdates(db, now, shares),
    stages: await findPending(db, now),
    reservation: await nextReservation(db, now),
  };
};

it('What waits is not gone through to find what is due', async () => {
  const inAWeek = at(7);
  const reserved = await assigned('Later.uap', { deliverReservationAt: inAWeek });
  const staged = await assigned('Stages.uap', { isStaged: true });
  // As many files have their time ahead as were delivered at once.
  await harness.sql(
    `INSERT INTO files SELECT made.* FROM files file, generate_series(1, 2 * $2::integer) n, jsonb_populate_record(file, jsonb_build_object(
       'id', 1000000 + n, 'live_file_name', n, 'reserved_version_id', CASE WHEN n <= $2 THEN 1000000 + n END,
       'update_reservation_at', CASE WHEN n <= $2 THEN $3::timestamptz END,
       'deliver_reservation_at', CASE WHEN n <= $2 THEN $3::timestamptz END)) made
     WHERE file.id = $1`,
    ...[reserved, many, inAWeek],
  );
  await harness.sql(
    `INSERT INTO versions SELECT made.* FROM versions version, generate_series(1, $2::integer) n, jsonb_populate_record(version,
       jsonb_build_object('id', 1000000 + n, 'file_id', 1000000 + n, 'upload_id', n)) made
     WHERE version.file_id = $1`,
    ...[reserved, many],
  );
  await harness.sql(
    `INSERT INTO assignments (partner_id, file_id, group_id, added_in, announced, added_at)
     SELECT $1, 1000000 + n, 3, 1, false, now() FROM generate_series(1, $2::integer) n`,
    ...[pid, many],
  );
  await harness.sql(
    `INSERT INTO rollouts (partner_id, file_id, version_id, number, stages, keeps, group_ids, waits_from, created_at)
     SELECT partner_id, 1000000 + n, 1000000 + n, number, stages, keeps, group_ids, waits_from, created_at
     FROM rollouts, generate_series(1, $2::integer) n WHERE file_id = $1`,
    ...[staged, many],
  );
  await harness.sql('VACUUM ANALYZE assignments, files, rollouts, versions');
  const tables = ['assignments', 'files', 'rollouts', 'versions'];
  const blocks = await looking(async (db) => blocksOf(db, tables, async () => find(db)));
  await harness.sql('DELETE FROM rollouts WHERE file_id > 1000000');
  expect(blocks).toBeLessThan(500);
});

it('The stages of an application are looked at once, however many tenants are told of it', async () => {
  const id = await assigned('Told.uap', { isStaged: true });
  await harness.sql('VACUUM ANALYZE rollouts');
  await harness.sql(
    `INSERT INTO tellings (partner_id, file_id, seen, passed) SELECT 1000 + n, $1, 'seen', NULL FROM generate_series(1, 2000) n`,
    id,
  );
  const blocks = await looking(async (db) =>
    blocksOf(db, ['rollouts'], async () => findTellings(db, shares)),
  );
  await harness.sql('DELETE FROM tellings WHERE partner_id > 1000');
  expect(blocks).toBeLessThan(50);
});

it('What waited is announced when its time has come, also where that was moved', async () => {
  const id = await assigned('Moved.uap', { deliverReservationAt: at(6) });
  const body = { deliverReservationAt: at(3) };
  await harness.call(fileRoutes.updateFile, { params: { pid, id }, body }, admin);
  const announced = async () => {
    await harness.runJobs();
    return (await harness.events(fileEvents.fileDelivered.type)).filter(
      ({ subject }) => subject === String(id),
    );
  };
  expect(await announced()).toHaveLength(0);
  harness.clock.advance(3 * day);
  expect(await announced()).toHaveLength(1);
});
