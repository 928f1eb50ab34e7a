import { buffer } from 'node:stream/consumers';
import { batchEvents, deliveryRoutes, fileRoutes, formatDateTime, userEvents } from '@portal/contracts';
import type { Database } from '@portal/database';
import { ofPartner } from '@portal/service-kit';
import { playerActor } from '@portal/testing';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { z } from 'zod';
import { type FileDb, PrismaClient } from '../src/data/db.ts';
import { createDeviceList } from '../src/receipts/data/device-rows.ts';
import { createFoundDevices } from '../src/receipts/data/found-devices.ts';
import { admin, developer, type FileHarness, startFileHarness, stranger } from './file-harness.ts';

/** Who has which devices, what these tell of a file, and every list of it against a plain one. */
let harness: FileHarness;
let database: Database<FileDb>;
let fileId = 0;
const pid = 1;
const second = 1_000;

type Row = Awaited<ReturnType<typeof list>>['devices'][number];
type Query = Partial<Parameters<typeof call>[1]>;
const statuses = deliveryRoutes.deliveryStates;
const people = [11, 13, 14, 15, 16, 17];
/** What each of the devices tells, and when; absent: nothing was shown. */
const said = [
  undefined,
  ['seen', 0],
  ['downloading', 3],
  ['installed', 1],
  ['failed', 5, 'No room'],
  ['failed', 2, 'Broken package'],
  ['installed', 4],
  ['downloaded', 4],
  undefined,
  ['failed', 6],
  ['removed', 7],
  ['installed', 9],
] as const;

beforeAll(async () => {
  harness = await startFileHarness();
  database = harness.openDatabase(PrismaClient);
  await harness.partner(1);
  await harness.partner(2);
  await harness.group(3, 'Sales');
  await harness.group(4, 'Field');
  await harness.group(5, 'Nobody');
  for (const userId of people) {
    await harness.user(userId, [...(userId % 2 ? [3] : []), ...(userId % 3 ? [4] : [])]);
  }
  // Who is not in the groups of the file.
  await harness.user(20, []);
  fileId = await harness.upload({ fileName: 'listed.uap' });
  await harness.assign(fileId, [3, 4]);
  for (const [index, step] of said.entries()) {
    const userId = people[index >> 1] ?? 0;
    const uuid = `uuid-${(index * 7) % said.length}`;
    await signIn(userId, uuid, `Tablet ${(index * 5) % said.length}`);
    const actor = playerActor({ accountId: userId, platformUuid: uuid });
    if (step) await harness.call(fileRoutes.getDelivered, { params: { id: fileId } }, actor);
    if (!step || step[0] === 'seen') continue;
    const at = inSeconds(step[1] - 100);
    const body = { version: 1, status: step[0], at, ...(step[2] ? { reason: step[2] } : {}) } as never;
    await harness.call(deliveryRoutes.sendReceipt, { params: { id: fileId }, body }, actor);
  }
  await signIn(20, 'elsewhere', 'Elsewhere');
});
afterAll(async () => harness.stop());

const inSeconds = (seconds: number) =>
  formatDateTime(new Date(harness.clock.now().getTime() + seconds * second));
const signIn = async (userId: number, uuid: string, name: string) =>
  harness.deliver(userEvents.deviceRegistered, {
    subject: uuid,
    partnerId: 1,
    data: { userId, uuid, name, osType: 'ios', osVersion: '19', playerVersion: '5' },
  });
const call = async (id: number, query: object, actor = admin) =>
  harness.refused(deliveryRoutes.listDeliveryDevices, { params: { pid, id }, query: query as never }, actor);
async function list(query: object = {}, id = fileId) {
  const reply = await harness.call(
    deliveryRoutes.listDeliveryDevices,
    { params: { pid, id }, query: { perPage: 100, ...query } as never },
    admin,
  );
  return reply.body;
}
/** The rows of all pages, one after the other. */
async function pages(query: object, perPage: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = 1; ; page += 1) {
    const { devices, totalPage } = await list({ ...query, page, perPage });
    rows.push(...devices);
    if (page >= totalPage) return rows;
  }
}
const keyOf: Record<(typeof deliveryRoutes.deliveryOrderKeys)[number], (row: Row) => string | number | null> =
  {
    at: ({ at }) => at,
    user: ({ user }) => user.name,
    device: ({ device }) => device.name,
    version: ({ version }) => version,
    status: ({ status }) => statuses.indexOf(status),
    reason: ({ reason }) => reason,
  };
const uuidsInOrder = (rows: readonly Row[]) => rows.map(({ device }) => device.uuid);
const uuids = (rows: readonly Row[]) => uuidsInOrder(rows).sort();
const listOfMany = createDeviceList(createFoundDevices(), 0);
async function unsorted(asked: object): Promise<string[]> {
  const query = deliveryRoutes.listDeliveryDevices.query.parse(fromObject(asked));
  const { group, version = 1 } = query;
  const delivered = { partnerId: pid, fileId, version, isCurrent: version === 1, groupIds: [3, 4], group };
  const { devices } = await database.read(ofPartner(pid), async (db) =>
    listOfMany.page(db, delivered, query),
  );
  return devices.map(({ uuid }) => uuid);
}
const fromObject = (query: object) =>
  Object.fromEntries(Object.entries(query).map(([key, value]) => [key, String(value)]));

describe('When somebody looks at the devices of a delivery', () => {
  it('then each targeted device is there, with the state that its numbers have', async () => {
    const { devices, totalCount } = await list();
    expect(totalCount).toBe(said.length);
    expect(new Set(uuids(devices)).size).toBe(said.length);
    const numbers = (
      await harness.call(deliveryRoutes.getDelivery, { params: { pid, id: fileId } }, developer)
    ).body;
    const { notSeen, ...others } = numbers.states;
    expect(
      Object.fromEntries(
        statuses.map((status) => [status, devices.filter((row) => row.status === status).length]),
      ),
    ).toEqual({ not_seen: notSeen, ...others });
    expect(devices.find(({ reason }) => reason === 'No room')).toMatchObject({
      user: { id: 14, name: 'user 14', loginId: 'user14' },
      device: { name: 'Tablet 8', osType: 'ios', osVersion: '19', playerVersion: '5' },
      version: 1,
      status: 'failed',
      at: inSeconds(-95),
      toldBy: 'player',
    });
    const seen = devices.filter(({ status }) => status === 'seen' || status === 'not_seen');
    expect(seen.map(({ toldBy }) => toldBy)).toEqual(seen.map(() => null));
  });

  const queries: [string, Query & Record<string, unknown>, (row: Row) => boolean][] = [
    ['nothing', {}, () => true],
    ['a status', { status: 'failed' }, ({ status }) => status === 'failed'],
    ['those that have not seen it', { status: 'not_seen' }, ({ status }) => status === 'not_seen'],
    [
      'several',
      { status: 'installed,not_seen,seen' },
      ({ status }) => ['installed', 'not_seen', 'seen'].includes(status),
    ],
    ['a group', { group: 3 }, ({ user }) => user.id % 2 === 1],
    [
      'a group and a status',
      { group: 4, status: 'failed,installed' },
      (row) => row.user.id % 3 !== 0 && ['failed', 'installed'].includes(row.status),
    ],
    ['a group that the file is not for', { group: 5 }, () => false],
    ['everyone, for whom it is not', { group: 0 }, () => false],
    ['a person', { user: 'USER 13' }, ({ user }) => user.id === 13],
    ['a login', { user: 'user14' }, ({ user }) => user.id === 14],
    ['a device', { device: 'tablet 1' }, ({ device }) => device.name.startsWith('Tablet 1')],
    ['a uuid', { device: 'uuid-7' }, ({ device }) => device.uuid === 'uuid-7'],
    ['a part of a uuid', { device: 'uuid-' }, () => false],
    ['a reason', { reason: 'pack' }, ({ reason }) => reason === 'Broken package'],
    ['the current version', { version: 1 }, () => true],
    ['one that nobody told of', { version: 7 }, () => false],
  ];

  it.each(queries)(
    'then the list is narrowed to %s, in every order, page by page',
    async (_, query, passes) => {
      const everything = (await list()).devices;
      const wanted = everything.filter(passes);
      for (const orderKey of deliveryRoutes.deliveryOrderKeys) {
        for (const order of ['asc', 'desc'] as const) {
          const whole = await list({ ...query, orderKey, order });
          expect([orderKey, order, uuids(whole.devices)]).toEqual([orderKey, order, uuids(wanted)]);
          expect(whole.totalCount).toBe(wanted.length);
          const keys = whole.devices.map((row) => keyOf[orderKey](row));
          const known = keys.filter((key) => key !== null);
          // Nulls come last in either order.
          expect(keys.slice(0, known.length)).toEqual(known);
          const sorted = known.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
          expect(known).toEqual(order === 'asc' ? sorted : sorted.toReversed());
          if (order === 'asc') expect(await pages({ ...query, orderKey, order }, 5)).toEqual(whole.devices);
          // As of a tenant with very many devices: nothing is sorted.
          const found = [];
          for (let page = 1; page <= 3; page += 1) {
            found.push(...(await unsorted({ ...query, orderKey, order, page, perPage: 5 })));
          }
          expect(found).toEqual(uuidsInOrder(whole.devices));
        }
      }
    },
  );

  it('then what was found before holds only until something of it changes', async () => {
    const asked = { user: 'user 17', orderKey: 'user' };
    const failed = { status: 'failed', reason: 'room', orderKey: 'device' };
    const before = [(await list(asked)).totalCount, (await list(failed)).totalCount];
    await signIn(17, 'new', 'New tablet');
    expect((await list(asked)).totalCount).toBe((before[0] ?? 0) + 1);
    const actor = playerActor({ accountId: 17, platformUuid: 'new' });
    const tell = async (status: 'failed' | 'removed', seconds: number) =>
      harness.call(
        deliveryRoutes.sendReceipt,
        {
          params: { id: fileId },
          body: { version: 1, status, at: inSeconds(seconds), reason: 'No room' } as never,
        },
        actor,
      );
    await tell('failed', -20);
    expect((await list(failed)).totalCount).toBe((before[1] ?? 0) + 1);
    await tell('removed', -10);
    expect((await list(failed)).totalCount).toBe(before[1]);
    await signIn(17, 'new', 'Another name');
    expect((await list({ device: 'another' })).totalCount).toBe(1);
    await harness.deliver(userEvents.deviceRemoved, {
      subject: 'new',
      partnerId: 1,
      data: { userId: 17, uuid: 'new' },
    });
    expect((await list(asked)).totalCount).toBe(before[0]);
    expect((await list({ device: 'another' })).totalCount).toBe(0);
  });

  it('then a time narrows it to what was told since and until then', async () => {
    const { devices } = await list({ atStart: inSeconds(-98), atEnd: inSeconds(-95), orderKey: 'at' });
    expect(devices.map(({ at }) => at)).toEqual([-95, -96, -96, -97, -98].map(inSeconds));
    const pagesOf = await pages({ atStart: inSeconds(-98), atEnd: inSeconds(-95), orderKey: 'user' }, 2);
    expect(uuids(pagesOf)).toEqual(uuids(devices));
  });

  it('then an older version finds who told of it, and the list is of the new one', async () => {
    const opened = await harness.call(
      fileRoutes.updateFile,
      { params: { pid, id: fileId }, body: { fileName: 'listed.uap', fileSize: 3 } },
      admin,
    );
    const { signedUrl, uploadId } = Object(opened.body);
    await harness.put(signedUrl, new TextEncoder().encode('two'));
    await harness.call(fileRoutes.completeUpload, { params: { uploadId }, body: {} }, admin);
    expect((await list({ status: 'not_seen' })).totalCount).toBe(said.length);
    expect(new Set((await list()).devices.map(({ version }) => version))).toEqual(new Set([2]));
    const old = await list({ version: 1 });
    expect(new Set(old.devices.map(({ version }) => version))).toEqual(new Set([1]));
    expect(old.totalCount).toBe(said.filter((step) => step && step[0] !== 'seen').length);
    expect((await list({ version: 1, orderKey: 'user' })).totalCount).toBe(old.totalCount);
    expect((await list({ version: 1, status: 'seen,not_seen' })).totalCount).toBe(0);
    expect((await list({ version: 1, targeted: true })).totalCount).toBe(0);
    expect((await list({ version: 2, targeted: true })).totalCount).toBe(said.length);
  });

  it('then what is wrong is refused on its field, and nobody else sees it', async () => {
    for (const [query, field] of [
      [{ status: 'lost' }, 'status'],
      [{ version: 'x' }, 'version'],
      [{ group: -1 }, 'group'],
      [{ user: 'x'.repeat(256) }, 'user'],
      [{ device: 'x'.repeat(256) }, 'device'],
      [{ reason: 'x'.repeat(501) }, 'reason'],
      [{ atStart: 'yesterday' }, 'at_start'],
      [{ atEnd: '2026' }, 'at_end'],
      [{ orderKey: 'uuid' }, 'order_key'],
      [{ perPage: 0 }, 'per_page'],
    ] as const) {
      const { body } = await call(fileId, query);
      expect([query, body.code, body.errors[0]?.field]).toEqual([query, 'E40002', field]);
    }
    expect((await call(999_999, {})).body.code).toBe('E40405');
    const foreign = await harness.refused(
      deliveryRoutes.listDeliveryDevices,
      { params: { pid: 2, id: fileId }, query: {} },
      stranger,
    );
    expect(foreign.body.code).toBe('E40405');
    const nobody = await harness.upload({ fileName: 'nobody.uap' });
    expect((await list({}, nobody)).totalCount).toBe(0);
  });
});

describe('When the list is exported', () => {
  let batches = 0;
  async function exported(filter: Record<string, string>): Promise<Record<string, string>[]> {
    const batchId = ++batches;
    const objectKey = `exports/${batchId}`;
    const data = {
      ...batchEvents.csvRequested.example,
      kind: 'delivery',
      timeZone: 'UTC',
      batchId,
      objectKey,
      filter: { fileId: String(fileId), ...filter },
    };
    await harness.deliver(batchEvents.csvRequested, { subject: batchId, partnerId: 1, data });
    await vi.waitFor(
      async () => expect((await harness.events('csv.completed')).at(-1)?.subject).toBe(String(batchId)),
      { timeout: 15_000, interval: 100 },
    );
    const content = await harness.storage.get(objectKey);
    if (!content || content === 'not-modified') throw new Error('No file');
    return parse(await buffer(content.body), { bom: true, columns: true, record_delimiter: '\r\n' });
  }

  it('then delivery.csv has the rows of the list with the same filters', async () => {
    expect(Object.keys((await exported({}))[0] ?? {})).toEqual([
      ...['user_id', 'user_name', 'login_id', 'device_uuid', 'device_name', 'os_type', 'os_version'],
      ...['player_version', 'version', 'status', 'reason', 'told_by', 'at'],
    ]);
    for (const filter of [
      {},
      { version: '1' },
      { version: '1', status: 'failed,installed', group: '3' },
      { version: '1', targeted: 'true' },
      { version: '2', targeted: 'true', group: '3' },
      { version: '1', targeted: 'false' },
      { version: '1', user: 'user 1', device: 'tablet 1' },
      { version: '1', reason: 'room' },
      { version: '1', atStart: inSeconds(-98), atEnd: inSeconds(-95) },
      { status: 'not_seen', group: '4' },
      { group: '5' },
      { group: '0' },
    ]) {
      const { devices } = await list(filter);
      const rows = devices.map((row) => ({
        user_id: String(row.user.id),
        user_name: row.user.name,
        login_id: row.user.loginId,
        device_uuid: row.device.uuid,
        device_name: row.device.name,
        os_type: row.device.osType,
        os_version: row.device.osVersion,
        player_version: row.device.playerVersion,
        version: String(row.version),
        status: row.status,
        reason: row.reason ?? '',
        told_by: row.toldBy ?? '',
        at: row.at?.replace('T', ' ').replace('Z', '') ?? '',
      }));
      expect([filter, await exported(filter)]).toEqual([filter, rows]);
    }
    expect(await exported({ fileId: '999999' })).toEqual([]);
  });

  it('then of a file for everyone, and for a group besides, group 0 has all of them, and finds the file', async () => {
    const forAll = await harness.upload({ fileName: 'for-all.uap' });
    await harness.assign(forAll, [0, 5]);
    const found = await list({ group: 0 }, forAll);
    expect(uuids(found.devices)).toEqual(uuids((await list({}, forAll)).devices));
    expect(found.totalCount).toBe(said.length + 1);
    expect((await exported({ fileId: String(forAll), group: '0' })).length).toBe(said.length + 1);
    const query = { group: 0, page: 1 } as never;
    const { body } = await harness.call(fileRoutes.listFiles, { params: { pid }, query }, admin);
    expect(body.files.map(({ id }) => id)).toEqual([forAll]);
    await harness.assign(forAll, []);
  });
});

describe('When somebody looks at the list of files, or at a person', () => {
  it('then each file has the numbers of its devices', async () => {
    const id = await harness.upload({ fileName: 'summed.uap' });
    await harness.assign(id, [3]);
    const tell = async (userId: number, uuid: string, status: string) =>
      harness.call(
        deliveryRoutes.sendReceipt,
        { params: { id }, body: { version: 1, status, at: inSeconds(0) } as never },
        playerActor({ accountId: userId, platformUuid: uuid }),
      );
    await tell(11, 'uuid-0', 'installed');
    await tell(13, 'uuid-2', 'failed');
    await tell(15, 'uuid-6', 'downloaded');
    const files = (await harness.call(fileRoutes.listFiles, { params: { pid }, query: {} }, admin)).body;
    if (!('totalCount' in files)) throw new Error('not a page');
    const deliveryOf = (name: string) => files.files.find(({ fileName }) => fileName === name)?.delivery;
    expect(deliveryOf('summed.uap')).toEqual({
      devices: 8,
      installed: 1,
      onTheWay: 1,
      failed: 1,
      notYet: 5,
    });
    expect(deliveryOf('nobody.uap')).toEqual({ devices: 0, installed: 0, onTheWay: 0, failed: 0, notYet: 0 });
  });

  it('then a person has the files of each of their devices', async () => {
    const { listUserDelivery } = deliveryRoutes;
    const of = async (id: number, query: z.input<(typeof listUserDelivery)['query']> = {}) =>
      harness.call(listUserDelivery, { params: { pid, id }, query }, admin);
    const rows = (await of(11, { orderKey: 'file', order: 'asc' })).body;
    expect(rows.totalCount).toBe(4);
    expect(rows.devices.map(({ file }) => file.name)).toEqual([
      'listed.uap',
      'listed.uap',
      'summed.uap',
      'summed.uap',
    ]);
    expect((await of(11, { status: 'installed' })).body.devices).toMatchObject([
      { file: { name: 'summed.uap' }, device: { uuid: 'uuid-0' }, version: 1, status: 'installed' },
    ]);
    expect((await of(11, { file: 'SUMMED', device: 'uuid-0' })).body.totalCount).toBe(1);
    for (const orderKey of deliveryRoutes.userDeliveryOrderKeys) {
      const whole = (await of(11, { orderKey })).body.devices;
      const one = [];
      for (let page = 1; page <= 5; page += 1) {
        one.push(...(await of(11, { orderKey, page, perPage: 1 })).body.devices);
      }
      expect(one).toEqual(whole);
    }
    // A version that only some told of.
    expect((await of(14, { version: 1, file: 'listed' })).body.totalCount).toBe(2);
    expect((await of(20)).body).toMatchObject({ totalCount: 0, devices: [] });
    const unknown = { params: { pid, id: 999_999 }, query: {} };
    expect((await harness.refused(listUserDelivery, unknown, admin)).body.code).toBe('E40403');
  });
});
