import {
  deliveryRoutes,
  fileRoutes,
  formatDateTime,
  limits,
  tenantEvents,
  userEvents,
} from '@portal/contracts';
import { noteSent } from '@portal/contracts/internal';
import type { Database } from '@portal/database';
import { ofPartner } from '@portal/service-kit';
import { playerActor } from '@portal/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FileDb, PrismaClient } from '../src/data/db.ts';
import { dropPeople, keepPeople } from '../src/receipts/data/audience-repository.ts';
import { deliveryNumbers } from '../src/receipts/data/delivery-numbers.ts';
import { admin, developer, type FileHarness, someBytes, startFileHarness, stranger } from './file-harness.ts';

let harness: FileHarness;
const pid = 1;
const minute = 60_000;
const taro = playerActor({ accountId: 12, platformUuid: 'taro-tablet' });
const hanako = playerActor({ accountId: 13, platformUuid: 'hanako-phone' });

beforeAll(async () => {
  harness = await startFileHarness();
  await harness.partner(1);
  await harness.partner(2);
  await harness.group(3, 'Sales');
  await harness.group(4, 'Field');
  await harness.user(12, [3, 4]);
  await harness.user(13, [4]);
  await harness.user(14, []);
  for (const [userId, uuid] of [
    [12, 'taro-tablet'],
    [12, 'taro-phone'],
    [13, 'hanako-phone'],
  ] as const) {
    await harness.deliver(userEvents.deviceRegistered, {
      subject: uuid,
      partnerId: 1,
      data: { userId, uuid, name: uuid, osType: 'ios', osVersion: '1', playerVersion: '1' },
    });
  }
});
afterAll(async () => harness.stop());

const inMs = (ms: number) => formatDateTime(new Date(harness.clock.now().getTime() + ms));
const tell = async (id: number, body: object, actor = taro) =>
  harness.refused(
    deliveryRoutes.sendReceipt,
    { params: { id }, body: { version: 1, status: 'installed', at: inMs(0), ...body } as never },
    actor,
  );
const delivery = async (id: number, actor = admin) =>
  (await harness.call(deliveryRoutes.getDelivery, { params: { pid, id } }, actor)).body;
const fileFor = async (fileName: string, groupIds: number[]) => {
  const id = await harness.upload({ fileName, bytes: someBytes('one') });
  await harness.assign(id, groupIds);
  return id;
};
const none = { notSeen: 0, seen: 0, downloading: 0, downloaded: 0, installed: 0, failed: 0, removed: 0 };

describe('When players tell what has become of a file', () => {
  it('then each device is counted once, in the file and in each of its groups', async () => {
    const id = await fileFor('counted.uap', [3, 4]);
    expect((await tell(id, {})).body).toEqual({});
    expect((await tell(id, { status: 'failed', reason: 'No room' }, hanako)).body).toEqual({});
    expect((await tell(id, { status: 'downloading' })).body).toEqual({});
    const numbers = await delivery(id);
    expect(numbers).toMatchObject({
      version: 1,
      targeted: { users: 2, devices: 3 },
      states: { ...none, notSeen: 1, installed: 1, failed: 1 },
      failureReasons: [{ reason: 'No room', count: 1 }],
    });
    expect(numbers.groups).toMatchObject([
      {
        id: 3,
        name: 'Sales',
        targeted: { users: 1, devices: 2 },
        states: { ...none, notSeen: 1, installed: 1 },
      },
      {
        id: 4,
        name: 'Field',
        targeted: { users: 2, devices: 3 },
        states: { ...none, notSeen: 1, installed: 1, failed: 1 },
      },
    ]);
    expect(numbers.versions).toMatchObject([{ version: 1, states: numbers.states }]);
    expect(await delivery(id, developer)).toEqual(numbers);
    const events = (await harness.events('file.received')).filter(({ subject }) => subject === String(id));
    expect(events.map(({ data }) => data)).toMatchObject([
      {
        fileId: id,
        version: 1,
        userId: 12,
        deviceUuid: 'taro-tablet',
        status: 'installed',
        toldBy: 'player',
      },
      { fileId: id, version: 1, userId: 13, deviceUuid: 'hanako-phone', status: 'failed', reason: 'No room' },
    ]);
  });

  it('then a new version begins anew, and who leaves the groups is not counted any more', async () => {
    const id = await fileFor('anew.uap', [4]);
    await tell(id, {});
    const opened = await harness.refused(
      fileRoutes.updateFile,
      { params: { pid, id }, body: { fileName: 'anew.uap', fileSize: 3 } },
      admin,
    );
    const { signedUrl, uploadId } = Object(opened.body);
    await harness.put(signedUrl, someBytes('two'));
    await harness.call(fileRoutes.completeUpload, { params: { uploadId }, body: {} }, admin);
    expect((await delivery(id)).states).toEqual({ ...none, notSeen: 3 });
    // What is told of an older one is kept under it.
    expect((await tell(id, { version: 1, status: 'removed' })).body).toEqual({});
    await tell(id, { version: 2 }, hanako);
    expect(await delivery(id)).toMatchObject({ version: 2, states: { ...none, notSeen: 2, installed: 1 } });
    await harness.user(13, []);
    expect(await delivery(id)).toMatchObject({
      targeted: { users: 1, devices: 2 },
      states: { ...none, notSeen: 2 },
    });
    // It was told of before, so it may tell that it is gone.
    expect((await tell(id, { version: 2, status: 'removed' }, hanako)).body).toEqual({});
    await harness.user(13, [4]);
    expect((await delivery(id)).states).toEqual({ ...none, notSeen: 2, removed: 1 });
  });

  it('then what is wrong is refused on its field', async () => {
    const id = await fileFor('wrong.uap', [3]);
    for (const [body, code, field] of [
      [{ status: undefined }, 'E40003', 'status'],
      [{ version: undefined }, 'E40003', 'version'],
      [{ at: undefined }, 'E40003', 'at'],
      [{ status: 'lost' }, 'E40002', 'status'],
      [{ version: 2 }, 'E40002', 'version'],
      [{ version: 0 }, 'E40002', 'version'],
      [{ at: inMs(6 * minute) }, 'E40002', 'at'],
      [{ progress: 1.1 }, 'E40002', 'progress'],
      [{ reason: 'x'.repeat(501) }, 'E40002', 'reason'],
    ] as const) {
      expect([body, (await tell(id, body)).body]).toMatchObject([body, { code, errors: [{ field }] }]);
    }
    expect((await tell(id, {}, hanako)).body.code).toBe('E40405');
    expect((await tell(999_999, {})).body.code).toBe('E40405');
    expect((await delivery(id)).states).toEqual({ ...none, notSeen: 2 });
    const foreign = await harness.refused(deliveryRoutes.getDelivery, { params: { pid: 2, id } }, stranger);
    expect(foreign.body.code).toBe('E40405');
  });

  it('then many at once are all written', async () => {
    const id = await fileFor('many.uap', [4]);
    const replies = await Promise.all(
      Array.from({ length: 60 }, async (_, index) =>
        tell(
          id,
          { status: (['downloading', 'downloaded', 'installed'] as const)[index % 3] },
          index % 2 ? taro : hanako,
        ),
      ),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await delivery(id)).states).toEqual({ ...none, notSeen: 1, installed: 2 });
  });

  it('then what an answer held is seen by that device, and says less than what it tells', async () => {
    const id = await fileFor('seen.uap', [3]);
    await harness.call(fileRoutes.listDelivered, { query: { perPage: 100 } }, taro);
    expect((await delivery(id)).states).toEqual({ ...none, notSeen: 1, seen: 1 });
    await tell(id, { status: 'downloading', progress: 0.5 });
    await harness.call(fileRoutes.getDelivered, { params: { id } }, taro);
    expect((await delivery(id)).states).toEqual({ ...none, notSeen: 1, downloading: 1 });
  });

  it('then nobody is to have what is not delivered', async () => {
    const id = await fileFor('nobody.uap', []);
    expect(await delivery(id)).toMatchObject({ version: null, states: none, versions: [], groups: [] });
    const later = await harness.upload({ fileName: 'later.uap', deliverReservationAt: inMs(60 * minute) });
    await harness.assign(later, [3]);
    expect(await delivery(later)).toMatchObject({ version: null, targeted: { users: 0, devices: 0 } });
  });
});

describe('When a player downloads', () => {
  const signedUrl = async (id: number, actor = taro) => {
    const { body } = await harness.call(fileRoutes.getDelivered, { params: { id } }, actor);
    return body.signedUrl;
  };

  it('then the last byte counts as downloaded without a receipt, also that of a resumed range', async () => {
    const id = await fileFor('sent.uap', [3, 4]);
    const url = await signedUrl(id);
    expect(new URL(url).searchParams.get('device')).toBe('taro-tablet');
    expect(new URL(url).searchParams.get('version')).toBe('1');
    await (await harness.get(url, { range: 'bytes=0-1' })).text();
    await fetch(url, { method: 'HEAD' }).catch(() => undefined);
    expect((await delivery(id)).states).toEqual({ ...none, notSeen: 2, seen: 1 });
    await (await harness.get(url, { range: 'bytes=2-' })).text();
    await expect
      .poll(async () => (await delivery(id)).states)
      .toEqual({ ...none, notSeen: 2, downloaded: 1 });
    await (await harness.get(await signedUrl(id, hanako))).text();
    await expect
      .poll(async () => (await delivery(id)).states)
      .toEqual({ ...none, notSeen: 1, downloaded: 2 });
    const events = (await harness.events('file.received')).filter(({ subject }) => subject === String(id));
    expect(events.map(({ data }) => data)).toMatchObject([
      { deviceUuid: 'taro-tablet', status: 'downloaded', toldBy: 'gateway' },
      { deviceUuid: 'hanako-phone', status: 'downloaded', toldBy: 'gateway' },
    ]);
    // What the player said before says more.
    await tell(id, { status: 'installed' });
    await (await harness.get(await signedUrl(id))).text();
    await tell(id, { status: 'downloading' }, hanako);
    expect((await delivery(id)).states).toEqual({ ...none, notSeen: 1, downloaded: 1, installed: 1 });
  });

  it('then a download of the portal, and one that counts for nobody any more, say nothing', async () => {
    const id = await fileFor('silent.uap', [3]);
    const { body } = await harness.call(fileRoutes.getFile, { params: { pid, id } }, admin);
    await (await harness.get(body.signedUrl ?? '')).text();
    expect((await delivery(id)).states).toEqual({ ...none, notSeen: 2 });
    const sent = { partnerId: 1, accountId: 12, platformUuid: 'taro-tablet', version: 1 };
    const at = harness.clock.now().toISOString();
    const noted = await harness.callAs('gateway', noteSent, {
      body: {
        sent: [
          { ...sent, fileId: 999_999, at },
          { ...sent, fileId: id, version: 7, at },
          { ...sent, fileId: id, platformUuid: 'hers', accountId: 13, at },
          // The clock of the gateway is ahead.
          { ...sent, fileId: id, at: new Date(harness.clock.now().getTime() + 60 * minute).toISOString() },
        ],
      },
    });
    expect(noted.status).toBe(200);
    expect((await delivery(id)).states).toEqual({ ...none, notSeen: 1, downloaded: 1 });
  });
});

describe('When a device tells before the event of its sign-in is here', () => {
  const signIn = async (userId: number, uuid: string) =>
    harness.deliver(userEvents.deviceRegistered, {
      subject: uuid,
      partnerId: 1,
      data: { userId, uuid, name: uuid, osType: 'ios', osVersion: '1', playerVersion: '1' },
    });
  const remove = async (userId: number, uuid: string) =>
    harness.deliver(userEvents.deviceRemoved, { subject: uuid, partnerId: 1, data: { userId, uuid } });

  it('then it counts with the event, in the order in which it told', async () => {
    const early = playerActor({ accountId: 12, platformUuid: 'early' });
    const id = await fileFor('early.uap', [3]);
    await harness.call(fileRoutes.getDelivered, { params: { id } }, early);
    for (const status of ['downloading', 'installed', 'downloaded']) {
      expect((await tell(id, { status }, early)).body).toEqual({});
    }
    expect((await tell(id, { version: 2 }, early)).body.code).toBe('E40002');
    expect((await delivery(id)).states).toEqual({ ...none, notSeen: 2 });
    await signIn(12, 'early');
    expect(await delivery(id)).toMatchObject({
      targeted: { users: 1, devices: 3 },
      states: { ...none, notSeen: 2, installed: 1 },
    });
    const events = (await harness.events('file.received')).filter(({ subject }) => subject === String(id));
    expect(events.map(({ data }) => Object(data).status)).toEqual(['downloading', 'installed']);
    // Once is enough.
    await signIn(12, 'early');
    expect((await delivery(id)).states).toEqual({ ...none, notSeen: 2, installed: 1 });
    await remove(12, 'early');
  });

  it('then what it was shown alone counts, too, and what a device told that was taken away does not', async () => {
    const shown = playerActor({ accountId: 12, platformUuid: 'shown' });
    const id = await fileFor('shown.uap', [3]);
    await harness.call(fileRoutes.listDelivered, { query: { perPage: 100 } }, shown);
    await signIn(12, 'shown');
    expect((await delivery(id)).states).toEqual({ ...none, notSeen: 2, seen: 1 });
    await remove(12, 'shown');
    await tell(id, {}, shown);
    await remove(12, 'shown');
    await signIn(12, 'shown');
    expect((await delivery(id)).states).toEqual({ ...none, notSeen: 3 });
    await remove(12, 'shown');
  });

  it('then what never comes is forgotten after a day', async () => {
    const never = playerActor({ accountId: 12, platformUuid: 'never' });
    const id = await fileFor('never.uap', [3]);
    await tell(id, {}, never);
    harness.clock.advance(limits.earlyReceiptLifetime + 1);
    await harness.runJobs();
    await signIn(12, 'never');
    expect((await delivery(id)).states).toEqual({ ...none, notSeen: 3 });
    await remove(12, 'never');
  });
});

describe('When numbers change over time', () => {
  const history = async (id: number, version?: number) =>
    (
      await harness.call(
        deliveryRoutes.getDeliveryHistory,
        { params: { pid, id }, query: version === undefined ? {} : { version } },
        developer,
      )
    ).body;

  it('then they are kept as they were, and the last ones are those of now', async () => {
    const id = await fileFor('history.uap', [4]);
    const all = { devices: 3, installed: 0, onTheWay: 0, failed: 0, notYet: 3 };
    // Nothing was told: the numbers of now alone.
    expect(await history(id)).toMatchObject({ version: 1, points: [all] });
    await tell(id, { status: 'downloading' });
    await harness.runJobs();
    const first = { ...all, onTheWay: 1, notYet: 2 };
    expect((await history(id)).points).toMatchObject([first, first]);
    harness.clock.advance(minute);
    await tell(id, { status: 'installed' });
    await tell(id, { status: 'failed' }, hanako);
    const then = { ...all, installed: 1, failed: 1, notYet: 1 };
    expect((await history(id)).points).toMatchObject([first, then]);
    await harness.runJobs();
    // Nothing more was told since: nothing more is kept.
    harness.clock.advance(minute);
    await harness.runJobs();
    const { points } = await history(id, 1);
    expect(points).toMatchObject([first, then, then]);
    expect(points.map(({ at }) => Date.parse(at) - Date.parse(points[0]?.at ?? ''))).toEqual([
      0,
      minute,
      2 * minute,
    ]);
  });

  it('then a version that nobody was to have has none, and a file of others is unknown', async () => {
    const id = await fileFor('no-history.uap', []);
    expect(await history(id)).toEqual({ version: null, points: [] });
    expect(await history(id, 7)).toEqual({ version: 7, points: [] });
    const foreign = { params: { pid: 2, id }, query: {} };
    expect((await harness.refused(deliveryRoutes.getDeliveryHistory, foreign, stranger)).body.code).toBe(
      'E40405',
    );
    const wrong = { params: { pid, id }, query: { version: 'two' as never } };
    expect((await harness.refused(deliveryRoutes.getDeliveryHistory, wrong, developer)).body).toMatchObject({
      code: 'E40002',
      errors: [{ field: 'version' }],
    });
  });
});

describe('When a tenant is deleted', () => {
  it('then what its devices told goes, also of those that are not counted, and nothing of others', async () => {
    const id = await fileFor('stays.uap', [3]);
    await tell(id, {});
    const others = 'SELECT * FROM receipts WHERE partner_id <> 40 ORDER BY file_id, version, device_id';
    const told = await harness.sql(others);
    await harness.partner(40);
    // Of every tenth device nothing is counted.
    await harness.sql(
      `WITH device AS (
         INSERT INTO devices (partner_id, uuid, user_id, name, name_folded, os_type, os_version, player_version, user_folded,
           login_folded, audience_id)
         SELECT 40, 'of-40-' || n, 4000 + n, '', '', '', '', '', '', '', CASE WHEN n % 10 > 0 THEN 4000 END
         FROM generate_series(1, 500) n RETURNING id, audience_id)
       INSERT INTO receipts (file_id, version, device_id, partner_id, audience_id, status, at)
       SELECT 4000 + n, 1, id, 40, audience_id, 'installed', now() FROM device, generate_series(1, 5) n`,
    );
    const deletion = { subject: 40, partnerId: 40, data: { partnerId: 40 } };
    await harness.deliver(tenantEvents.partnerDeleted, deletion);
    const left = async () => {
      const [row] = await harness.sql(
        `SELECT (SELECT count(*) FROM receipts WHERE partner_id = 40)::integer AS receipts,
           (SELECT count(*) FROM devices WHERE partner_id = 40)::integer AS devices`,
      );
      return row;
    };
    await expect.poll(left, { timeout: 10_000 }).toEqual({ receipts: 0, devices: 0 });
    expect(await harness.sql(others)).toEqual(told);
  });
});

describe('When very many people are written at once', () => {
  const partnerId = 2;
  let database: Database<FileDb>;
  const people = Array.from({ length: 450 }, (_, index) => 10_000 + index);
  const write = async (work: (db: FileDb) => Promise<void>) =>
    database.transaction(ofPartner(partnerId), async (db) => work(db));
  const keep = async (name: string, groupIds: number[]) =>
    write(async (db) =>
      keepPeople(
        db,
        people.map((userId) => ({ userId, partnerId, name, loginId: `${userId}`, groupIds })),
      ),
    );
  const written = async () =>
    harness.sql('DELETE FROM test_written RETURNING operation, receipts::integer, devices::integer');

  beforeAll(async () => {
    database = harness.openDatabase(PrismaClient);
    await harness.sql('CREATE TABLE test_written (operation text, receipts bigint, devices bigint)');
    await harness.sql(`
      CREATE FUNCTION test_note_written() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
      BEGIN
        INSERT INTO test_written SELECT TG_OP, count(*), count(DISTINCT device_id) FROM written;
        RETURN NULL;
      END $$`);
    for (const [operation, rows] of [
      ['UPDATE', 'NEW'],
      ['DELETE', 'OLD'],
    ]) {
      await harness.sql(`
        CREATE TRIGGER test_${operation} AFTER ${operation} ON receipts REFERENCING ${rows} TABLE AS written
        FOR EACH STATEMENT EXECUTE FUNCTION test_note_written()`);
    }
    await keep('Before', [1]);
    await harness.sql(
      `
      WITH device AS (
        INSERT INTO devices (partner_id, uuid, user_id, name, name_folded, os_type, os_version, player_version, user_folded,
          login_folded, audience_id)
        SELECT partner_id, 'many-' || user_id, user_id, '', '', '', '', '', name_folded, login_folded, audience_id
        FROM people WHERE partner_id = $1 RETURNING id, audience_id
      )
      INSERT INTO receipts (file_id, version, device_id, partner_id, audience_id, status, at)
      SELECT file_id, 1, id, $1, audience_id, 'installed', now() FROM device CROSS JOIN generate_series(1, 3) file_id`,
      partnerId,
    );
  });
  afterAll(async () => harness.sql('DROP FUNCTION test_note_written CASCADE'));

  it('then what was told of their devices goes with them in pieces, and is left alone where names alone change', async () => {
    await keep('After', [1]);
    expect(await written()).toEqual([]);
    const pieces = (operation: string) =>
      [200, 200, 50].map((devices) => ({ operation, receipts: devices * 3, devices }));
    await keep('After', [2]);
    expect(await written()).toEqual(pieces('UPDATE'));
    const [numbers] = await database.transaction(ofPartner(partnerId), async (db) =>
      deliveryNumbers(db, { fileId: 1, version: 1 }, [[{ partnerId, groupIds: [2] }]]),
    );
    expect(numbers).toMatchObject({ targeted: { users: 450, devices: 450 }, states: { installed: 450 } });
    await write(async (db) =>
      dropPeople(
        db,
        people.map((id) => ({ id, partnerId })),
      ),
    );
    expect(await written()).toEqual(pieces('DELETE'));
    expect(await harness.sql('SELECT FROM devices WHERE partner_id = $1', partnerId)).toEqual([]);
  });
});

describe('When a file was deleted long ago', () => {
  it('then what was told of it is forgotten, and the deletion itself is not', async () => {
    const [deleted, other] = [await fileFor('deleted.uap', [3, 4]), await fileFor('other.uap', [3, 4])];
    for (const id of [deleted, other]) for (const actor of [taro, hanako]) await tell(id, {}, actor);
    await harness.runJobs();
    const kept = async (id: number) => {
      await harness.runJobs();
      const tables = ['receipts', 'delivery_counts', 'delivery_points'];
      const rows = tables.map(async (table) => harness.sql(`SELECT 1 FROM ${table} WHERE file_id = $1`, id));
      return (await Promise.all(rows)).map(({ length }) => length);
    };
    const before = await kept(other);
    expect(before).not.toContain(0);
    await harness.call(fileRoutes.deleteFile, { params: { pid, id: deleted } }, admin);
    harness.clock.advance(limits.deletedReceiptsRetention);
    expect(await kept(deleted)).toEqual(before);
    harness.clock.advance(minute);
    expect(await kept(deleted)).toEqual([0, 0, 0]);
    expect(await kept(other)).toEqual(before);
    expect((await tell(deleted, { status: 'removed' })).status).toBe(404);
    expect(await harness.sql('SELECT deleted, forgotten FROM files WHERE id = $1', deleted)).toEqual([
      { deleted: true, forgotten: true },
    ]);
  });
});
