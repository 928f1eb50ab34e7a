import { setTimeout as sleep } from 'node:timers/promises';
import {
  deliveryRoutes,
  fileRoutes,
  formatDateTime,
  type rolloutPlan,
  rolloutRoutes,
  userEvents,
} from '@portal/contracts';
import { enterScope, withClient } from '@portal/database';
import { ofPartner } from '@portal/service-kit';
import { playerActor } from '@portal/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { type FileDb, PrismaClient } from '../src/data/db.ts';
import { dropPeople, keepPeople } from '../src/receipts/data/audience-repository.ts';
import { keepNext } from '../src/rollouts/data/keeping-repository.ts';
import { placeOf, turned, turnOf } from '../src/rollouts/domain/place.ts';
import { admin, developer, type FileHarness, someBytes, startFileHarness, stranger } from './file-harness.ts';

let harness: FileHarness;
const pid = 1;
const minute = 60_000;
const hour = 60 * minute;

/** Ten people with a device each, in group 3, and two of them in the pilot group 4. */
const people = Array.from({ length: 10 }, (_, index) => ({ userId: 20 + index, uuid: `device-${index}` }));
const player = (index: number) => {
  const one = people[index];
  if (!one) throw new Error('No such person');
  return playerActor({ accountId: one.userId, platformUuid: one.uuid });
};

beforeAll(async () => {
  harness = await startFileHarness();
  await harness.partner(1);
  await harness.partner(2);
  await harness.group(3, 'Sales');
  await harness.group(4, 'Pilots');
  await harness.group(5, 'Field');
  for (const [index, { userId, uuid }] of people.entries()) {
    await harness.user(userId, index < 2 ? [3, 4] : [3]);
    await register(userId, uuid);
  }
  await harness.user(40, [5]);
  await register(40, 'field');
  // Without a device.
  await harness.user(41, [3]);
});
afterAll(async () => harness.stop());

async function register(userId: number, uuid: string): Promise<void> {
  await harness.deliver(userEvents.deviceRegistered, {
    subject: uuid,
    partnerId: 1,
    data: { userId, uuid, name: uuid, osType: 'ios', osVersion: '1', playerVersion: '1' },
  });
}

type Plan = z.input<typeof rolloutPlan>;
const tenThenAll: Plan = { stages: [{ percent: 40 }, { percent: 100 }] };
const inMs = (ms: number) => formatDateTime(new Date(harness.clock.now().getTime() + ms));

const assign = async (id: number, groupIds: number[], more: object = {}, actor = admin) =>
  harness.refused(fileRoutes.assignGroups, { params: { pid, id }, body: { groupIds, ...more } }, actor);
const rollout = async (id: number, actor = admin) =>
  harness.refused(rolloutRoutes.getRollout, { params: { pid, id } }, actor);
const act = async (action: 'halt' | 'resume' | 'cancel', id: number, actor = admin) => {
  const routes = {
    halt: rolloutRoutes.haltRollout,
    resume: rolloutRoutes.resumeRollout,
    cancel: rolloutRoutes.cancelRollout,
  };
  return harness.refused(routes[action], { params: { pid, id } }, actor);
};
const advance = async (id: number, stage: number, actor = admin) =>
  harness.refused(rolloutRoutes.advanceRollout, { params: { pid, id }, body: { stage } }, actor);
const tell = async (id: number, index: number, version: number, status = 'installed', reason?: string) =>
  harness.refused(
    deliveryRoutes.sendReceipt,
    { params: { id }, body: { version, status, at: inMs(0), ...(reason ? { reason } : {}) } as never },
    player(index),
  );

/** The version of a file that each of the ten has; 0: none. */
async function versions(id: number): Promise<number[]> {
  return Promise.all(
    people.map(async (_, index) => {
      const { body } = await harness.call(
        fileRoutes.listDelivered,
        { query: { perPage: 100 } },
        player(index),
      );
      return body.files.find((file) => file.id === id)?.version ?? 0;
    }),
  );
}

/** Who is in a stage of so many percent, as the devices' places tell. */
const within = (fileId: number, version: number, percent: number) =>
  people.map(({ uuid }) => turned(placeOf(uuid), turnOf({ fileId, version })) < percent);

const fileFor = async (fileName: string, groupIds: number[] = [3]) => {
  const id = await harness.upload({ fileName, bytes: someBytes('one') });
  if (groupIds.length > 0) expect((await assign(id, groupIds)).status).toBe(200);
  return id;
};

/** New bytes of a file. */
async function replace(id: number, fileName: string, plan?: Plan | null): Promise<void> {
  const bytes = someBytes(`another ${Math.random()}`);
  const { body } = await harness.call(
    fileRoutes.updateFile,
    {
      params: { pid, id },
      body: { fileName, fileSize: bytes.length, ...(plan === undefined ? {} : { rollout: plan }) },
    },
    admin,
  );
  if (!('signedUrl' in body)) throw new Error(JSON.stringify(body));
  await harness.put(body.signedUrl, bytes);
  await harness.call(fileRoutes.completeUpload, { params: { uploadId: body.uploadId }, body: {} }, admin);
}

/** New bytes of a file, live in an hour. */
async function reserve(id: number, fileName: string, plan: Plan): Promise<void> {
  const bytes = someBytes('reserved');
  const { body } = await harness.call(
    fileRoutes.reserveUpdate,
    {
      params: { pid, id },
      body: { updateReservationAt: inMs(hour), fileName, fileSize: bytes.length, rollout: plan },
    },
    admin,
  );
  if (!('signedUrl' in body)) throw new Error(JSON.stringify(body));
  await harness.put(body.signedUrl, bytes);
  await harness.call(fileRoutes.completeUpload, { params: { uploadId: body.uploadId }, body: {} }, admin);
}

const eventsOf = async (type: string, id: number) =>
  (await harness.events(type)).filter(({ subject }) => subject === String(id)).map(({ data }) => data);

const numbers = async (id: number) =>
  (await harness.call(deliveryRoutes.getDelivery, { params: { pid, id } }, admin)).body;

/** Holds each number of the file's page to the list behind it. */
async function holdNumbersToLists(id: number): Promise<void> {
  const { groups, version, versions } = await numbers(id);
  if (version === null) throw new Error('Nobody has it');
  const counted = [
    ...versions.map((one) => ({ ...one, asked: { version: one.version } })),
    ...groups.map((one) => ({ ...one, asked: { version, group: one.id } })),
  ];
  for (const { asked, states, targeted } of counted) {
    const { notSeen, ...told } = states;
    for (const [status, count] of Object.entries({ not_seen: notSeen, ...told, '': targeted.devices })) {
      const query = { ...asked, targeted: 'true', status, perPage: 1 } as never;
      const { body } = await harness.call(
        deliveryRoutes.listDeliveryDevices,
        { params: { pid, id }, query },
        admin,
      );
      expect([asked, status, body.totalCount]).toEqual([asked, status, count]);
    }
  }
}

/** What a page of the list of files tells of one. */
async function inList(id: number, filter: { name?: string } = {}) {
  const query = { ...filter, perPage: 100, order: 'desc', orderKey: 'id' } as const;
  const { body } = await harness.call(fileRoutes.listFiles, { params: { pid }, query }, admin);
  const file = 'totalCount' in body ? body.files.find((one) => one.id === id) : undefined;
  if (!file) throw new Error('Not in the list');
  return file.delivery;
}

describe('When a new version goes out in stages', () => {
  it('then those in the stage get it, and all others keep the one before', async () => {
    const id = await fileFor('stages.uap');
    await replace(id, 'stages.uap', tenThenAll);
    const isIn = within(id, 2, 40);
    expect(await versions(id)).toEqual(isIn.map((is) => (is ? 2 : 1)));
    expect((await rollout(id)).body).toMatchObject({
      version: 2,
      state: 'running',
      stage: 1,
      percent: 40,
      reports: 0,
      failures: 0,
      halt: null,
      stages: [
        { percent: 40, dueAt: null },
        { percent: 100, startedAt: null, dueAt: null },
      ],
    });
    const count = isIn.filter(Boolean).length;
    const shown = await numbers(id);
    expect(shown).toMatchObject({ version: 2, targeted: { users: count, devices: count } });
    expect(shown.versions.map(({ targeted, version }) => [version, targeted])).toEqual([
      [2, { users: count, devices: count }],
      // The one without a device, too.
      [1, { users: 11 - count, devices: 10 - count }],
    ]);
    expect((await advance(id, 2)).body).toMatchObject({ state: 'done', stage: 2, percent: 100 });
    expect(await versions(id)).toEqual(people.map(() => 2));
    expect((await numbers(id)).targeted).toEqual({ users: 11, devices: 10 });
  });

  it('then a first version that has not reached somebody is not there for them', async () => {
    const id = await fileFor('first.uap', []);
    expect((await assign(id, [3], { rollout: tenThenAll })).status).toBe(200);
    const isIn = within(id, 1, 40);
    expect(await versions(id)).toEqual(isIn.map((is) => (is ? 1 : 0)));
    const out = isIn.indexOf(false);
    expect(
      (await harness.refused(fileRoutes.getDelivered, { params: { id } }, player(out))).body,
    ).toMatchObject({ code: 'E40405' });
    expect((await tell(id, out, 1)).body).toMatchObject({ code: 'E40002', errors: [{ field: 'version' }] });
    expect((await inList(id, { name: 'first.uap' })).devices).toBe(isIn.filter(Boolean).length);
  });

  it('then a pilot comes first, and the percentage counts within it', async () => {
    const id = await fileFor('pilot.uap');
    await replace(id, 'pilot.uap', {
      stages: [
        { percent: 100, groupIds: [4] },
        { percent: 40, after: 'PT1H' },
        { percent: 100, after: 'P1D' },
      ],
    });
    expect(await versions(id)).toEqual(people.map((_, index) => (index < 2 ? 2 : 1)));
    expect((await rollout(id)).body).toMatchObject({ percent: 0, stage: 1 });
    // Its time comes without anybody writing.
    harness.clock.advance(hour - 1000);
    expect(await versions(id)).toEqual(people.map((_, index) => (index < 2 ? 2 : 1)));
    harness.clock.advance(1000);
    const isIn = within(id, 2, 40);
    expect(await versions(id)).toEqual(people.map((_, index) => (index < 2 || isIn[index] ? 2 : 1)));
    expect((await rollout(id)).body).toMatchObject({ percent: 40, stage: 2 });
    harness.clock.advance(24 * hour);
    expect(await versions(id)).toEqual(people.map(() => 2));
    await harness.runJobs();
    expect(await eventsOf('file.rollout_advanced', id)).toMatchObject([
      { stage: 1, percent: 100, groupIds: [4], isLast: false },
      { stage: 2, percent: 40, groupIds: null, isLast: false },
      { stage: 3, percent: 100, groupIds: null, isLast: true },
    ]);
  });

  it('then whoever polls is told of what changes for them alone', async () => {
    const id = await fileFor('polled.uap');
    await replace(id, 'polled.uap', { stages: [{ percent: 40 }, { percent: 100, after: 'PT1H' }] });
    const isIn = within(id, 2, 40);
    const polled = async (index: number, since: string) =>
      (await harness.call(fileRoutes.listDelivered, { query: { perPage: 100, since } }, player(index))).body;
    const cursors = await Promise.all(
      people.map(
        async (_, index) =>
          (await harness.call(fileRoutes.listDelivered, { query: { perPage: 100 } }, player(index))).body
            .cursor,
      ),
    );
    harness.clock.advance(hour);
    for (const [index, since] of cursors.entries()) {
      const { files, removedIds } = await polled(index, since);
      expect([files.map((file) => [file.id, file.version]), removedIds]).toEqual([
        isIn[index] ? [] : [[id, 2]],
        [],
      ]);
    }
  });
});

describe('When too many of a stage fail', () => {
  it('then it halts with the receipt: those that installed it keep it, all others have the version before', async () => {
    const id = await fileFor('halts.uap');
    await replace(id, 'halts.uap', {
      stages: [{ percent: 99 }, { percent: 100 }],
      halt: { failurePercent: 50, minReports: 4 },
    });
    const isIn = within(id, 2, 99);
    const [a = 0, b = 0, c = 0, d = 0, e = 0] = isIn.flatMap((is, index) => (is ? [index] : []));
    const urlOf = async (index: number) =>
      (await harness.call(fileRoutes.getDelivered, { params: { id } }, player(index))).body.signedUrl;
    const url = await urlOf(e);
    expect((await harness.get(url)).status).toBe(200);
    for (const [index, status] of [
      [a, 'installed'],
      [b, 'installed'],
      [c, 'failed'],
    ] as const) {
      expect((await tell(id, index, 2, status, 'No room')).status).toBe(200);
    }
    expect((await rollout(id)).body).toMatchObject({ state: 'running', reports: 3, failures: 1 });
    await holdNumbersToLists(id);
    const cursor = (await harness.call(fileRoutes.listDelivered, { query: { perPage: 100 } }, player(e))).body
      .cursor;
    expect((await tell(id, d, 2, 'failed', 'No room')).status).toBe(200);
    expect((await rollout(id)).body).toMatchObject({
      state: 'halted',
      reports: 4,
      failures: 2,
      haltedBy: null,
      haltedAt: inMs(0),
    });
    const kept = (index: number) => index === a || index === b;
    expect(await versions(id)).toEqual(people.map((_, index) => (kept(index) ? 2 : 1)));
    const { files } = (
      await harness.call(fileRoutes.listDelivered, { query: { perPage: 100, since: cursor } }, player(e))
    ).body;
    expect(files.map((file) => [file.id, file.version])).toEqual([[id, 1]]);
    // An address from before the halt has ended.
    expect((await harness.get(url)).status).toBe(404);
    expect(await eventsOf('file.rollout_halted', id)).toEqual([
      { fileId: id, name: 'halts.uap', version: 2, reports: 4, failures: 2, haltedBy: null },
    ]);
    const shown = await numbers(id);
    expect(shown).toMatchObject({
      version: 2,
      targeted: { users: 2, devices: 2 },
      states: { installed: 2, failed: 0, notSeen: 0, seen: 0 },
      failureReasons: [{ reason: 'No room', count: 2 }],
    });
    expect(shown.versions[1]).toMatchObject({ version: 1, targeted: { users: 9, devices: 8 } });
    await holdNumbersToLists(id);
    const inPage = { devices: 2, installed: 2, onTheWay: 0, failed: 0, notYet: 0 };
    expect(await inList(id)).toEqual(inPage);
    expect(await inList(id, { name: 'halts.uap' })).toEqual(inPage);
    // As it is once it is counted who keeps it.
    await harness.runJobs();
    expect(await inList(id)).toEqual(inPage);
    const { body: list } = await harness.call(
      deliveryRoutes.listDeliveryDevices,
      { params: { pid, id }, query: { perPage: 100, orderKey: 'version' } },
      admin,
    );
    expect(list.devices.map(({ version }) => version)).toEqual([2, 2, ...Array.from({ length: 8 }, () => 1)]);
    // Who installs it late keeps it, too, and is told so.
    const late = (await harness.call(fileRoutes.listDelivered, { query: { perPage: 100 } }, player(e))).body
      .cursor;
    expect((await tell(id, e, 2)).status).toBe(200);
    const told = await harness.call(
      fileRoutes.listDelivered,
      { query: { perPage: 100, since: late } },
      player(e),
    );
    expect(told.body.files.map((file) => [file.id, file.version])).toEqual([[id, 2]]);
    expect((await numbers(id)).targeted.devices).toBe(3);
    expect((await act('halt', id)).body).toMatchObject({ code: 'E40034' });
    for (const stage of [-1, 0, 1, 2, 11, 99]) {
      expect([stage, (await advance(id, stage)).body]).toMatchObject([stage, { code: 'E40034' }]);
    }
    // The same devices as before, and reports from 0.
    expect((await act('resume', id)).body).toMatchObject({
      state: 'running',
      reports: 0,
      failures: 0,
      haltedAt: null,
    });
    expect(await versions(id)).toEqual(isIn.map((is) => (is ? 2 : 1)));
    expect((await act('resume', id)).body).toMatchObject({ code: 'E40034' });
    expect((await act('halt', id)).body).toMatchObject({
      state: 'halted',
      haltedBy: { id: 1, name: 'Person 1' },
    });
    expect((await act('cancel', id)).body).toMatchObject({ state: 'cancelled' });
    expect((await act('resume', id)).body).toMatchObject({ code: 'E40034' });
    expect((await act('cancel', id)).body).toMatchObject({ code: 'E40034' });
    // The version before is put back for everyone.
    const restored = await harness.call(
      deliveryRoutes.restoreVersion,
      { params: { pid, id, version: 1 }, body: {} },
      admin,
    );
    expect(restored.body).toEqual({ version: 3 });
    expect(await versions(id)).toEqual(people.map(() => 3));
    expect((await rollout(id)).body).toMatchObject({ code: 'E40401' });
  });
});

describe('When a version is halted by hand', () => {
  it('then a receipt that comes at the same moment counts, and its device keeps the version', async () => {
    const fileName = 'crossing.ufpz';
    const id = await fileFor(fileName);
    await replace(id, fileName, tenThenAll);
    const had = await versions(id);
    const index = had.indexOf(2);
    const { body } = await harness.call(fileRoutes.listDelivered, { query: {} }, player(index));
    const { halted, told } = await withClient(harness.databaseUrl, async (another) => {
      await enterScope(another, harness.databaseUrl, { kind: 'partner', partnerId: pid });
      await another.query('BEGIN');
      await another.query('SELECT 1 FROM rollouts WHERE file_id = $1 FOR UPDATE', [id]);
      // Both have looked at the stages before, and wait to write: the halt first.
      const halted = act('halt', id);
      await sleep(300);
      const told = tell(id, index, 2);
      await sleep(300);
      await another.query('COMMIT');
      return { halted, told };
    });
    expect([(await halted).status, (await told).status]).toEqual([200, 200]);
    expect(await versions(id)).toEqual(had.map((_, one) => (one === index ? 2 : 1)));
    expect((await rollout(id)).body).toMatchObject({ state: 'halted', reports: 1 });
    const query = { since: body.cursor };
    const since = await harness.call(fileRoutes.listDelivered, { query }, player(index));
    expect(since.body.files).toMatchObject([{ id, version: 2 }]);
    await holdNumbersToLists(id);
  });
});

describe('When very many keep a version that is halted', () => {
  it('then they are forgotten once nobody asks, and found anew after another halt', async () => {
    const id = await fileFor('kept.uap');
    await replace(id, 'kept.uap', { stages: [{ percent: 100 }] });
    for (const index of [0, 1, 2]) expect((await tell(id, index, 2)).status).toBe(200);
    const keepers = async () =>
      (
        await harness.sql<{ userId: number }>(
          'SELECT user_id AS "userId" FROM keepers WHERE file_id = $1',
          id,
        )
      )
        .map(({ userId }) => userId)
        .sort();
    const keepings = async () => harness.sql('SELECT versions, ready FROM keepings WHERE file_id = $1', id);

    expect((await act('halt', id)).status).toBe(200);
    await harness.runJobs();
    expect(await keepings()).toEqual([{ versions: [2], ready: true }]);
    expect(await keepers()).toEqual([20, 21, 22]);
    // More than are forgotten in one transaction.
    await harness.sql(
      `INSERT INTO keepers SELECT (jsonb_populate_record(model, jsonb_build_object('user_id', 1000000 + n))).*
       FROM keepers model CROSS JOIN generate_series(1, 10000) n WHERE model.file_id = $1 AND model.user_id = 20`,
      id,
    );
    expect((await act('resume', id)).status).toBe(200);
    await harness.runJobs();
    expect([await keepings(), await keepers()]).toEqual([[], []]);

    expect((await act('halt', id)).status).toBe(200);
    await harness.runJobs();
    expect(await keepings()).toEqual([{ versions: [2], ready: true }]);
    expect(await keepers()).toEqual([20, 21, 22]);
    // Nobody asks about what is deleted.
    expect((await harness.refused(fileRoutes.deleteFile, { params: { pid, id } }, admin)).status).toBe(200);
    await harness.runJobs();
    expect([await keepings(), await keepers()]).toEqual([[], []]);
  });
});

describe('When those who keep a version are found piece by piece', () => {
  it('then each piece reads no more than it takes, and all are found', async () => {
    const wanted = { partnerId: 2, fileId: 1_000_000, versions: [1, 2] };
    const most = 100;
    const database = harness.openDatabase(PrismaClient);
    const write = async <T>(work: (db: FileDb) => Promise<T>) =>
      database.transaction(ofPartner(wanted.partnerId), async (db) => work(db));
    const userIds = Array.from({ length: 2000 }, (_, index) => 50_000 + index);
    await write(async (db) =>
      keepPeople(
        db,
        userIds.map((userId) => ({ userId, partnerId: 2, name: '', loginId: '', groupIds: [1] })),
      ),
    );
    await harness.sql(`
      INSERT INTO devices (partner_id, uuid, user_id, name, name_folded, os_type, os_version, player_version, user_folded,
        login_folded, audience_id)
      SELECT 2, user_id, user_id, '', '', '', '', '', '', '', audience_id FROM people WHERE partner_id = 2`);
    // All have the first version, and half of them the second; some told at the same time.
    await harness.sql(
      `INSERT INTO receipts (file_id, version, device_id, partner_id, audience_id, status, at)
       SELECT $1, version, id, 2, audience_id, 'installed', $2::timestamptz - user_id / 7 * interval '1 second'
       FROM devices CROSS JOIN generate_series(1, 2) version
       WHERE partner_id = 2 AND version <= 1 + user_id % 2`,
      wanted.fileId,
      inMs(0),
    );
    for (const table of ['devices', 'people', 'receipts']) await harness.sql(`ANALYZE ${table}`);

    const receiptsRead = async (db: FileDb) => {
      const [read] = await db.$queryRaw<{ rows: number }[]>`
        SELECT (seq_tup_read + idx_tup_fetch)::integer AS rows FROM pg_stat_xact_user_tables WHERE relname = 'receipts'`;
      return read?.rows ?? 0;
    };
    // In one transaction: the job would forget those of a file that is not there.
    const { found, pieces } = await write(async (db) => {
      const pieces: number[] = [];
      let isMore = true;
      while (isMore) {
        const before = await receiptsRead(db);
        isMore = await keepNext(db, wanted, most);
        pieces.push((await receiptsRead(db)) - before);
      }
      const found = await db.keeper.count({ where: { fileId: wanted.fileId } });
      while (await keepNext(db, { ...wanted, versions: [] }, most)) continue;
      return { found, pieces };
    });
    expect(found).toBe(userIds.length);
    // With what each of the devices told, which is looked up for the versions, and for what it is.
    expect(pieces.filter((rows) => rows > 2 * most + 2 * 2 * most)).toEqual([]);
    await write(async (db) =>
      dropPeople(
        db,
        userIds.map((id) => ({ id, partnerId: 2 })),
      ),
    );
  });
});

describe('When somebody changes where very many are counted', () => {
  it('then only what counts them is read, however many numbers these counts have had', async () => {
    for (const table of ['audience_places', 'keeper_shapes']) {
      await harness.sql(`SELECT setval('${table}_id_seq', 2147483647)`);
    }
    const id = await fileFor('counted.uap');
    await replace(id, 'counted.uap', { stages: [{ percent: 100 }] });
    expect((await tell(id, 5, 2)).status).toBe(200);
    expect((await act('halt', id)).status).toBe(200);
    await harness.runJobs();
    // Of the same audience, and of the same file.
    await harness.sql(`
      INSERT INTO audience_places (audience_id, places, partner_id, people)
      SELECT audience_id, ARRAY[n, n], partner_id, 1 FROM people CROSS JOIN generate_series(1, 3000) n WHERE user_id = 25`);
    await harness.sql(
      `INSERT INTO keeper_shapes (partner_id, file_id, audience_id, places, devices, people)
       SELECT partner_id, file_id, audience_id, ARRAY[n, n], devices, 1 FROM keepers CROSS JOIN generate_series(1, 3000) n
       WHERE file_id = $1`,
      id,
    );
    await harness.sql(
      `INSERT INTO keeper_states (partner_id, file_id, audience_id, device, version, status, count)
       SELECT partner_id, file_id, audience_id, 1000 + n, 2, 'installed', 1 FROM keepers CROSS JOIN generate_series(1, 3000) n
       WHERE file_id = $1`,
      id,
    );
    for (const table of ['audience_places', 'keeper_shapes', 'keeper_states']) {
      await harness.sql(`ANALYZE ${table}`);
    }

    const read = await harness.openDatabase(PrismaClient).transaction(ofPartner(pid), async (db) => {
      await keepPeople(db, [
        { userId: 25, partnerId: pid, name: 'Moved', loginId: 'moved', groupIds: [3, 5] },
      ]);
      return db.$queryRaw<{ table: string; rows: number }[]>`
          SELECT relname AS "table", (seq_tup_read + idx_tup_fetch)::integer AS rows FROM pg_stat_xact_user_tables
          WHERE relname IN ('audience_places', 'keeper_shapes', 'keeper_states') ORDER BY 1`;
    });
    expect(read.filter(({ rows }) => rows > 100)).toEqual([]);
    expect(read).toHaveLength(3);
    await harness.user(25, [3]);
    for (const table of ['keeper_shapes', 'keeper_states']) {
      expect(await harness.sql(`SELECT count(*)::integer FROM ${table} WHERE file_id = $1`, id)).toEqual([
        { count: 3001 },
      ]);
    }
    await harness.sql(
      'DELETE FROM audience_places WHERE array_length(places, 1) = 2 AND places[1] = places[2]',
    );
    expect((await act('resume', id)).status).toBe(200);
    await harness.sql('DELETE FROM keeper_shapes WHERE file_id = $1', id);
    await harness.sql('DELETE FROM keeper_states WHERE file_id = $1', id);
  });
});

describe('When groups are added in stages', () => {
  it('then those who had the version keep it, and a second plan waits for the end of the first', async () => {
    const id = await fileFor('added.uap', [5]);
    expect((await assign(id, [3, 5], { rollout: tenThenAll })).status).toBe(200);
    const isIn = within(id, 1, 40);
    expect(await versions(id)).toEqual(isIn.map((is) => (is ? 1 : 0)));
    const field = playerActor({ accountId: 40, platformUuid: 'field' });
    const has = async () =>
      (await harness.call(fileRoutes.listDelivered, { query: { perPage: 100 } }, field)).body.files.some(
        (file) => file.id === id,
      );
    expect(await has()).toBe(true);
    expect((await act('halt', id)).status).toBe(200);
    expect(await has()).toBe(true);
    expect(await versions(id)).toEqual(people.map(() => 0));
    expect((await assign(id, [3, 5], { rollout: tenThenAll })).body).toMatchObject({
      code: 'E40034',
      errors: [{ field: 'rollout' }],
    });
    // Without a word of stages they stay as they are.
    expect((await assign(id, [3, 4, 5])).status).toBe(200);
    expect((await rollout(id)).body).toMatchObject({ state: 'halted' });
    expect((await assign(id, [3, 5], { rollout: null })).status).toBe(200);
    expect((await rollout(id)).body).toMatchObject({ code: 'E40401' });
    expect(await versions(id)).toEqual(people.map(() => 1));
  });
});

describe('When a version is reserved with stages', () => {
  it('then they begin with it, shown in its row before, and are taken over by other bytes', async () => {
    const id = await fileFor('reserved.uap');
    await reserve(id, 'reserved.uap', tenThenAll);
    expect((await rollout(id)).body).toMatchObject({ code: 'E40401' });
    const rows = async () =>
      (await harness.call(deliveryRoutes.listVersions, { params: { pid, id }, query: {} }, admin)).body
        .versions;
    expect((await rows())[0]).toMatchObject({
      version: 2,
      state: 'reserved',
      rollout: { state: 'waiting', stage: 0 },
    });
    expect(
      (
        await harness.refused(
          fileRoutes.reserveUpdate,
          { params: { pid, id }, body: { updateReservationAt: inMs(2 * hour) } },
          admin,
        )
      ).status,
    ).toBe(200);
    expect((await rows())[0]).toMatchObject({ rollout: { state: 'waiting' } });
    harness.clock.advance(2 * hour);
    const isIn = within(id, 2, 40);
    expect(await versions(id)).toEqual(isIn.map((is) => (is ? 2 : 1)));
    expect((await rollout(id)).body).toMatchObject({ version: 2, state: 'running', stage: 1 });
    expect((await tell(id, isIn.indexOf(true), 2, 'failed')).status).toBe(200);
    expect((await rollout(id)).body).toMatchObject({ reports: 1, failures: 1 });
  });
});

describe('When people are to be told of what goes out in stages', () => {
  const asked = { notifyEmail: true, notifyPush: true };

  /** Who was told of a file, in order: people by their ids, and groups, when it had reached all of them. */
  async function toldOf(id: number): Promise<{ people: number[]; groups: number[] }> {
    // What has become due is written down first.
    await harness.runJobs();
    await harness.runJobs();
    const told = ((await eventsOf('file.delivered', id)) as Told[]).filter(({ notifyEmail, notifyPush }) => {
      expect(notifyPush).toBe(notifyEmail);
      return notifyEmail;
    });
    return {
      people: told.flatMap(({ userIds = [] }) => userIds).sort((a, b) => a - b),
      groups: told.flatMap(({ groupIds }) => groupIds),
    };
  }
  interface Told {
    readonly groupIds: number[];
    readonly userIds?: number[];
    readonly notifyEmail: boolean;
    readonly notifyPush: boolean;
  }

  const usersWithin = (id: number, version: number, percent: number) =>
    within(id, version, percent).flatMap((is, index) => (is ? [people[index]?.userId ?? 0] : []));

  beforeAll(() => harness.withCertificate.add(pid));

  it('then each is once, when a stage has reached the first of their devices, and who has none with the last', async () => {
    const id = await fileFor('told.uap', []);
    harness.clock.advance(1000);
    const plan: Plan = {
      stages: [{ percent: 100, groupIds: [4] }, { percent: 40 }, { percent: 70 }, { percent: 100 }],
    };
    expect((await assign(id, [3], { ...asked, rollout: plan })).status).toBe(200);
    const pilots = [20, 21];
    expect(await toldOf(id)).toEqual({ people: pilots, groups: [] });
    expect((await advance(id, 2)).status).toBe(200);
    const both = [...new Set([...pilots, ...usersWithin(id, 1, 40)])].sort((a, b) => a - b);
    expect(await toldOf(id)).toEqual({ people: both, groups: [] });

    // Asked for again, halted and gone on with: nobody is told twice, and of what is halted nobody new.
    expect((await assign(id, [3], asked)).status).toBe(200);
    expect((await act('halt', id)).status).toBe(200);
    expect((await assign(id, [3, 5], asked)).status).toBe(200);
    expect(await toldOf(id)).toEqual({ people: both, groups: [] });
    expect((await act('resume', id)).status).toBe(200);
    const withField = [
      ...both,
      ...(turned(placeOf('field'), turnOf({ fileId: id, version: 1 })) < 40 ? [40] : []),
    ];
    expect(await toldOf(id)).toEqual({ people: withField, groups: [] });

    expect((await advance(id, 3)).status).toBe(200);
    expect((await advance(id, 4)).status).toBe(200);
    // The groups of all: who was told by themselves is not told again, as their mails and notifications are counted by person.
    expect((await toldOf(id)).groups).toEqual([3, 5]);
    expect((await toldOf(id)).groups).toEqual([3, 5]);
    for (const table of ['tellings', 'told_people']) {
      expect(await harness.sql(`SELECT FROM ${table} WHERE file_id = $1`, id)).toEqual([]);
    }
  });

  it('then somebody whose device signs in later, or who comes into a pilot group, is with that', async () => {
    const id = await fileFor('told-later.uap', []);
    const plan: Plan = { stages: [{ percent: 100, groupIds: [4] }, { percent: 1 }, { percent: 100 }] };
    expect((await assign(id, [3, 4], { ...asked, rollout: plan })).status).toBe(200);
    expect((await toldOf(id)).people).toEqual([20, 21]);
    await harness.user(43, [3]);
    await harness.user(44, [4]);
    await register(43, 'later');
    harness.clock.advance(6_000);
    // 44 has no device, and a stage of 100 percent reaches them.
    expect((await toldOf(id)).people).toEqual([20, 21, 44]);
    await register(44, 'later-pilot');
    await harness.user(43, [3, 4]);
    harness.clock.advance(6_000);
    expect((await toldOf(id)).people).toEqual([20, 21, 43, 44]);
    await register(43, 'later-again');
    harness.clock.advance(6_000);
    expect((await toldOf(id)).people).toEqual([20, 21, 43, 44]);
    await harness.deliver(userEvents.userDeleted, { subject: 43, partnerId: pid, data: { userId: 43 } });
    await harness.deliver(userEvents.userDeleted, { subject: 44, partnerId: pid, data: { userId: 44 } });
  });

  it('then very many who come at once do not keep the others from being told', async () => {
    const id = await fileFor('told-many.uap', []);
    const plan: Plan = { stages: [{ percent: 100, groupIds: [4] }, { percent: 1 }, { percent: 100 }] };
    expect((await assign(id, [4], { ...asked, rollout: plan })).status).toBe(200);
    expect((await toldOf(id)).people).toEqual([20, 21]);
    // More than are taken at once, ahead of one who is to be told.
    await harness.user(45, [4]);
    await harness.sql(
      'INSERT INTO newcomers (partner_id, user_id, at) SELECT $1, -n, $2::timestamptz FROM generate_series(1, 12000) n',
      pid,
      inMs(0),
    );
    // Of many files that are in stages, and are gone when they are looked at.
    await harness.sql(
      'INSERT INTO tellings (partner_id, file_id) SELECT $1, 2000000 + n FROM generate_series(1, 40) n',
      pid,
    );
    const [tellings] = await harness.sql<{ count: number }>(
      'SELECT count(*)::integer FROM tellings WHERE partner_id = $1',
      pid,
    );
    await harness.sql('CREATE TABLE test_taken (piece serial, people integer)');
    await harness.sql(`
      CREATE FUNCTION test_note_taken() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
      BEGIN
        INSERT INTO test_taken (people) SELECT count(*) FROM taken;
        RETURN NULL;
      END $$`);
    await harness.sql(`
      CREATE TRIGGER test_taken AFTER DELETE ON newcomers REFERENCING OLD TABLE AS taken
      FOR EACH STATEMENT EXECUTE FUNCTION test_note_taken()`);
    harness.clock.advance(6_000);
    expect((await toldOf(id)).people).toEqual([20, 21, 45]);
    expect(await harness.sql('SELECT FROM newcomers')).toEqual([]);
    // The more files, the fewer people are looked at together.
    const taken = await harness.sql<{ people: number }>('SELECT people FROM test_taken ORDER BY piece');
    expect(taken[0]?.people).toBe(Math.floor(10_000 / (tellings?.count ?? 0)));
    expect(taken[1]?.people).toBeGreaterThan(taken[0]?.people ?? 0);
    await harness.sql('DROP FUNCTION test_note_taken CASCADE');
    await harness.deliver(userEvents.userDeleted, { subject: 45, partnerId: pid, data: { userId: 45 } });
  });

  it.each(['new bytes', 'a reservation', 'a restore'])(
    'then %s that reaches those who had nothing tells them, and nobody who had the version before',
    async (way) => {
      const fileName = `told-by-${way.replace(' ', '-')}.uap`;
      const id = await fileFor(fileName, []);
      expect((await assign(id, [3], { ...asked, rollout: tenThenAll })).status).toBe(200);
      const before = usersWithin(id, 1, 40);
      expect((await toldOf(id)).people).toEqual(before);
      expect((await act('cancel', id)).status).toBe(200);
      if (way === 'a restore') {
        await replace(id, fileName, { stages: [{ percent: 100, groupIds: [5] }, { percent: 100 }] });
        expect((await act('cancel', id)).status).toBe(200);
      }
      const next = way === 'a restore' ? 3 : 2;

      const plan: Plan = { stages: [{ percent: 60 }, { percent: 100 }] };
      if (way === 'new bytes') await replace(id, fileName, plan);
      else if (way === 'a restore') {
        const restored = await harness.refused(
          deliveryRoutes.restoreVersion,
          { params: { pid, id, version: 1 }, body: { rollout: plan } },
          admin,
        );
        expect(restored.status).toBe(201);
      } else {
        await reserve(id, fileName, plan);
        expect((await toldOf(id)).people).toEqual(before);
        harness.clock.advance(2 * hour);
      }
      const told = [...new Set([...before, ...usersWithin(id, next, 60)])].sort((a, b) => a - b);
      expect(await toldOf(id)).toEqual({ people: told, groups: [] });
      expect((await advance(id, 2)).status).toBe(200);
      expect(await toldOf(id)).toEqual({ people: told, groups: [3] });
    },
  );

  it('then a group that is added while everyone has some version is told at once', async () => {
    const id = await fileFor('told-at-once.uap');
    await replace(id, 'told-at-once.uap', tenThenAll);
    expect((await assign(id, [3, 5], asked)).status).toBe(200);
    expect(await toldOf(id)).toEqual({ people: [], groups: [3, 5] });
  });

  it('then a change of the groups that says nothing of it keeps what was asked for, until all are told', async () => {
    const id = await fileFor('told-still.uap', []);
    expect((await assign(id, [3], { ...asked, rollout: tenThenAll })).status).toBe(200);
    const { people: told } = await toldOf(id);
    expect((await assign(id, [3, 4])).status).toBe(200);
    expect((await advance(id, 2)).status).toBe(200);
    expect(await toldOf(id)).toEqual({ people: told, groups: [3, 4] });
    expect((await assign(id, [3, 4, 5])).status).toBe(200);
    expect(await toldOf(id)).toEqual({ people: told, groups: [3, 4] });
  });

  it('then nobody is any more once nobody asks for it, or the file is gone', async () => {
    const id = await fileFor('told-no-more.uap', []);
    expect((await assign(id, [3], { ...asked, rollout: tenThenAll })).status).toBe(200);
    const { people: told } = await toldOf(id);
    expect((await assign(id, [3], { notifyEmail: false, notifyPush: false })).status).toBe(200);
    expect((await advance(id, 2)).status).toBe(200);
    expect(await toldOf(id)).toEqual({ people: told, groups: [] });
    expect(await harness.sql('SELECT FROM tellings WHERE file_id = $1', id)).toEqual([]);
  });
});

describe('When jobs come late and the clock jumps', () => {
  it('then stages begin at their times for players, nobody is told early or twice, and what was halted stays so', async () => {
    const id = await fileFor('late.uap', []);
    const start = harness.clock.now().getTime();
    const at = (ms: number) => harness.clock.set(new Date(start + ms));
    const plan: Plan = {
      stages: [{ percent: 30 }, { percent: 60, after: 'PT1H' }, { percent: 100, after: 'PT1H' }],
      halt: { failurePercent: 50, minReports: 1 },
    };
    expect((await assign(id, [3], { notifyEmail: true, rollout: plan })).status).toBe(200);
    const toldOf = async () =>
      ((await eventsOf('file.delivered', id)) as { userIds?: number[] }[])
        .flatMap(({ userIds = [] }) => userIds)
        .sort((a, b) => a - b);
    const users = (percent: number) =>
      within(id, 1, percent).flatMap((is, index) => (is ? [people[index]?.userId ?? 0] : []));
    const given = (percent: number) => within(id, 1, percent).map((is) => (is ? 1 : 0));
    const sumOf = async () => {
      const { states, targeted } = (
        await harness.call(deliveryRoutes.getDelivery, { params: { pid, id } }, admin)
      ).body;
      expect(Object.values(states).reduce((sum, count) => sum + count, 0)).toBe(targeted.devices);
      return targeted.devices;
    };
    const countOf = (percent: number) => given(percent).filter((version) => version > 0).length;

    expect(await versions(id)).toEqual(given(30));
    await harness.runJobs();
    expect(await toldOf()).toEqual(users(30));
    at(-hour);
    await harness.runJobs();
    expect(await versions(id)).toEqual(given(30));
    at(hour - 1);
    await harness.runJobs();
    expect(await versions(id)).toEqual(given(30));
    at(hour);
    expect(await versions(id)).toEqual(given(60));
    expect(await sumOf()).toBe(countOf(60));
    await harness.runJobs();
    await harness.runJobs();
    expect(await toldOf()).toEqual(users(60));
    // Who is in stays in.
    at(minute);
    await harness.runJobs();
    expect(await versions(id)).toEqual(given(60));
    expect(await sumOf()).toBe(countOf(60));
    expect(await toldOf()).toEqual(users(60));

    // The last stage is due, and a receipt halts the version before any job has come.
    at(2 * hour + minute);
    expect(await versions(id)).toEqual(given(100));
    expect((await tell(id, given(60).indexOf(1), 1, 'failed')).status).toBe(200);
    const halted = async () => {
      await harness.runJobs();
      expect((await rollout(id)).body).toMatchObject({ state: 'halted', stage: 3, reports: 1, failures: 1 });
      expect(await versions(id)).toEqual(people.map(() => 0));
      expect(await sumOf()).toBe(0);
      expect(await toldOf()).toEqual(users(60));
      expect(await eventsOf('file.rollout_halted', id)).toHaveLength(1);
    };
    await halted();
    at(30 * 24 * hour);
    await halted();
    at(hour);
    await halted();
    at(2 * hour + minute);
    expect((await act('resume', id)).status).toBe(200);
    await harness.runJobs();
    expect(await versions(id)).toEqual(given(100));
    // All of them now, by their group.
    const groups = (await eventsOf('file.delivered', id)) as { groupIds: number[]; notifyEmail: boolean }[];
    expect(groups.filter(({ groupIds, notifyEmail }) => notifyEmail && groupIds.length > 0)).toHaveLength(1);
    expect(await toldOf()).toEqual(users(60));
    const { stages } = (await harness.call(rolloutRoutes.getRollout, { params: { pid, id } }, admin)).body;
    expect(stages.map(({ startedAt }) => startedAt)).toEqual(
      [0, hour, 2 * hour].map((ms) => formatDateTime(new Date(start + ms))),
    );
  });

  it('then what could not be written to the end is told again from the beginning, to each once', async () => {
    const id = await fileFor('cut.uap', []);
    expect((await assign(id, [3], { notifyEmail: true, rollout: tenThenAll })).status).toBe(200);
    await harness.sql(
      `CREATE FUNCTION cut() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'cut'; END $$`,
    );
    await harness.sql('CREATE TRIGGER cut BEFORE UPDATE ON tellings FOR EACH ROW EXECUTE FUNCTION cut()');
    const told = async () =>
      ((await eventsOf('file.delivered', id)) as { userIds?: number[] }[]).flatMap(
        ({ userIds = [] }) => userIds,
      );
    await harness.runJobs().catch(() => undefined);
    expect(await told()).toEqual([]);
    await harness.sql('DROP TRIGGER cut ON tellings');
    await harness.sql('DROP FUNCTION cut()');
    await harness.runJobs();
    await harness.runJobs();
    const isIn = within(id, 1, 40);
    expect(await told()).toEqual(people.filter((_, index) => isIn[index]).map(({ userId }) => userId));
  });
});

describe('When versions in stages are stacked on one another', () => {
  it('then ten may be unfinished, and one for everyone ends them', async () => {
    const id = await fileFor('stacked.uap');
    await replace(id, 'stacked.uap');
    const restore = async (more: object = {}) =>
      harness.refused(
        deliveryRoutes.restoreVersion,
        { params: { pid, id, version: 1 }, body: { rollout: tenThenAll, ...more } },
        admin,
      );
    for (let count = 0; count < 9; count += 1) expect((await restore()).status).toBe(201);
    expect((await act('halt', id)).status).toBe(200);
    // The reserved one is the tenth; its stages may change, and other bytes take its place.
    expect((await restore({ updateReservationAt: inMs(2 * hour) })).status).toBe(201);
    expect((await restore({ updateReservationAt: inMs(2 * hour) })).status).toBe(201);
    await reserve(id, 'stacked.uap', tenThenAll);
    const full = { code: 'E40034', errors: [{ field: 'rollout' }] };
    expect((await restore()).body).toMatchObject(full);
    const { body } = await harness.refused(
      fileRoutes.updateFile,
      { params: { pid, id }, body: { fileName: 'stacked.uap', fileSize: 7, rollout: tenThenAll } },
      admin,
    );
    expect(body).toMatchObject(full);
    harness.clock.advance(2 * hour);
    expect((await rollout(id)).body).toMatchObject({ version: 12, state: 'running' });
    expect((await restore()).body).toMatchObject(full);
    expect((await restore({ rollout: null })).status).toBe(201);
    expect((await restore()).status).toBe(201);
    // As an uploaded version says, these are all live.
    expect((await versions(id)).every((version) => version === 13 || version === 14)).toBe(true);
  });
});

describe('When a plan or a moment is wrong', () => {
  it('then it is refused on its path', async () => {
    const id = await fileFor('refused.uap', []);
    const refused = async (plan: unknown) => {
      const { body } = await assign(id, [3], { rollout: plan as Plan });
      return body;
    };
    for (const [plan, field] of [
      [{ stages: [] }, 'rollout.stages'],
      [{ stages: [{ percent: 10 }, { percent: 0 }] }, 'rollout.stages.1.percent'],
      [{ stages: [{ percent: 10 }, { percent: 10 }, { percent: 100 }] }, 'rollout.stages'],
      [{ stages: [{ percent: 10 }] }, 'rollout.stages'],
      [{ stages: [{ percent: 100, group_ids: [4] }] }, 'rollout.stages'],
      [{ stages: [{ percent: 100, after: 'PT1H' }] }, 'rollout.stages.0.after'],
      [{ stages: [{ percent: 10 }, { percent: 100, after: 'P91D' }] }, 'rollout.stages.1.after'],
      [{ stages: [{ percent: 10 }, { percent: 100, after: 'P1M' }] }, 'rollout.stages.1.after'],
      [
        { stages: [{ percent: 100 }], halt: { failure_percent: 101, min_reports: 1 } },
        'rollout.halt.failure_percent',
      ],
      [{ stages: Array.from({ length: 11 }, (_, index) => ({ percent: 90 + index })) }, 'rollout.stages'],
    ] as const) {
      const answer = await harness.raw({
        method: 'PUT',
        url: `/v1/partner/partners/${pid}/files/${id}/groups`,
        actor: admin,
        payload: JSON.stringify({ group_ids: [3], rollout: plan }),
      });
      expect([plan, answer.status, answer.body]).toMatchObject([plan, 400, { errors: [{ field }] }]);
    }
    const ofUnknown = [{ percent: 50, groupIds: [3] }, { percent: 50, groupIds: [0, 999] }, { percent: 100 }];
    expect(await refused({ stages: ofUnknown })).toMatchObject({
      code: 'E40404',
      errors: [{ field: 'rollout.stages.1.group_ids' }],
    });
    expect(
      await refused({ stages: [{ percent: 100 }], halt: { failurePercent: 10 } as never }),
    ).toMatchObject({
      code: 'E40003',
      errors: [{ field: 'rollout.halt.min_reports' }],
    });
    expect(
      (
        await harness.refused(
          fileRoutes.updateFile,
          { params: { pid, id }, body: { rollout: tenThenAll } },
          admin,
        )
      ).body,
    ).toMatchObject({ code: 'E40003' });
    expect((await rollout(id)).body).toMatchObject({ code: 'E40401' });
    expect((await rollout(id, stranger)).status).toBeGreaterThanOrEqual(400);
    expect((await advance(id, 1)).body).toMatchObject({ code: 'E40401' });
    expect((await act('halt', id, developer)).body).toMatchObject({ code: 'E40301' });
    expect((await assign(id, [3], { rollout: tenThenAll })).status).toBe(200);
    expect((await rollout(id, developer)).status).toBe(200);
    for (const stage of [1, 3]) expect((await advance(id, stage)).body).toMatchObject({ code: 'E40034' });
    expect((await act('resume', id)).body).toMatchObject({ code: 'E40034' });
  });
});
