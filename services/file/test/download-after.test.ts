import { deliveryRoutes, fileRoutes, formatDateTime, userEvents } from '@portal/contracts';
import { playerActor } from '@portal/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { downloadAfter } from '../src/delivery/domain/download-after.ts';
import { admin, type FileHarness, someBytes, startFileHarness } from './file-harness.ts';

const hour = 60 * 60_000;
const day = 24 * hour;
/** As many as begin in `deviceCount` seconds, with one a second. */
const deviceCount = 30;
const uuids = Array.from({ length: deviceCount }, (_, n) => `tablet-${n}`);

let harness: FileHarness;
beforeAll(async () => {
  harness = await startFileHarness({ DOWNLOADS_PER_SECOND: '1' });
  await harness.partner(1);
  await harness.group(3, 'Many');
  await harness.group(4, 'One');
  await harness.user(12, [3]);
  await harness.user(13, [4]);
  const devices = [...uuids.map((uuid) => [12, uuid] as const), [13, 'phone'] as const];
  for (const [userId, uuid] of devices) {
    await harness.deliver(userEvents.deviceRegistered, {
      subject: uuid,
      partnerId: 1,
      data: { userId, uuid, name: uuid, osType: 'ios', osVersion: '1', playerVersion: '1' },
    });
  }
});
afterAll(async () => harness.stop());

const player = (uuid: string) =>
  playerActor({ accountId: uuid === 'phone' ? 13 : 12, partnerId: 1, platformUuid: uuid });

/** What the list tells a device of a file. */
async function told(id: number, uuid: string): Promise<number | undefined> {
  const { body } = await harness.call(fileRoutes.listDelivered, { query: { perPage: 100 } }, player(uuid));
  return body.files.find((file) => file.id === id)?.downloadAfter;
}

const toldAll = async (id: number) => Promise.all(uuids.map(async (uuid) => told(id, uuid)));

function expectSpread(waits: readonly (number | undefined)[]): void {
  for (const wait of waits) expect(wait).toBeLessThanOrEqual(deviceCount);
  expect(Math.min(...waits.map(Number))).toBeGreaterThanOrEqual(0);
  expect(new Set(waits).size).toBeGreaterThan(deviceCount / 3);
}

async function uploadFor(fileName: string, groupIds: number[]): Promise<number> {
  const id = await harness.upload({ fileName });
  await harness.assign(id, groupIds);
  return id;
}

async function update(id: number, fileName: string, rollout?: object): Promise<void> {
  const bytes = someBytes('another');
  const opened = await harness.call(
    fileRoutes.updateFile,
    {
      params: { pid: 1, id },
      body: { fileName, fileSize: bytes.length, ...(rollout && { rollout }) } as never,
    },
    admin,
  );
  if (!('uploadId' in opened.body)) throw new Error(JSON.stringify(opened.body));
  await harness.put(opened.body.signedUrl, bytes);
  const done = { params: { uploadId: opened.body.uploadId }, body: { parts: [] } };
  expect((await harness.call(fileRoutes.completeUpload, done, admin)).status).toBe(200);
}

test('Many devices that get a file at once are told to wait, each as long whenever it asks', async () => {
  const id = await uploadFor('many.uap', [3]);
  const waits = await toldAll(id);
  expectSpread(waits);
  harness.clock.advance(hour);
  expect(await toldAll(id)).toEqual(waits);
  const { body } = await harness.call(fileRoutes.getDelivered, { params: { id } }, player('tablet-0'));
  expect(body.downloadAfter).toBe(waits[0]);
});

test('Few wait for no others, until more are added', async () => {
  const id = await uploadFor('few.uap', [4]);
  expect(await told(id, 'phone')).toBe(0);
  await harness.assign(id, [3, 4]);
  expectSpread(await toldAll(id));
});

test('A file for everyone is got by all devices', async () => {
  expectSpread(await toldAll(await uploadFor('all.uap', [0])));
});

test('Who comes a day later does not come with the others, until there is another version', async () => {
  const id = await uploadFor('later.uap', [3]);
  const waits = await toldAll(id);
  harness.clock.advance(day);
  expect(await toldAll(id)).toEqual(uuids.map(() => 0));
  await update(id, 'later.uap');
  const anew = await toldAll(id);
  expectSpread(anew);
  expect(anew).not.toEqual(waits);
  harness.clock.advance(day);
  expect(await toldAll(id)).toEqual(uuids.map(() => 0));
  const restored = { params: { pid: 1, id, version: 1 }, body: {} };
  expect((await harness.call(deliveryRoutes.restoreVersion, restored, admin)).status).toBe(201);
  expectSpread(await toldAll(id));
});

test('A reserved delivery is new from its time on', async () => {
  const at = new Date(harness.clock.now().getTime() + 3 * day);
  const id = await harness.upload({ fileName: 'reserved.uap', deliverReservationAt: formatDateTime(at) });
  await harness.assign(id, [3]);
  expect(await told(id, 'tablet-0')).toBeUndefined();
  harness.clock.advance(3 * day);
  expectSpread(await toldAll(id));
});

test('A reserved update is new from its time on, and the version before stays as it was', async () => {
  const id = await uploadFor('reserved-update.uap', [3]);
  harness.clock.advance(2 * day);
  const at = formatDateTime(new Date(harness.clock.now().getTime() + day));
  const bytes = someBytes('another');
  const reserved = {
    params: { pid: 1, id },
    body: { updateReservationAt: at, fileName: 'reserved-update.uap', fileSize: bytes.length },
  };
  const opened = await harness.call(fileRoutes.reserveUpdate, reserved as never, admin);
  const { signedUrl, uploadId } = opened.body as unknown as { signedUrl: string; uploadId: string };
  await harness.put(signedUrl, bytes);
  await harness.call(fileRoutes.completeUpload, { params: { uploadId }, body: { parts: [] } }, admin);
  expect(await toldAll(id)).toEqual(uuids.map(() => 0));
  harness.clock.advance(day);
  expectSpread(await toldAll(id));
});

test('Who gets a version in a later stage waits as well', async () => {
  const id = await uploadFor('stages.uap', [3]);
  await update(id, 'stages.uap', {
    stages: [{ percent: 1 }, { percent: 99, after: 'P2D' }, { percent: 100 }],
  });
  harness.clock.advance(2 * day);
  const inStages = await Promise.all(
    uuids.map(async (uuid) => {
      const { body } = await harness.call(fileRoutes.getDelivered, { params: { id } }, player(uuid));
      return body;
    }),
  );
  expect(inStages.filter(({ version }) => version === 2).length).toBeGreaterThan(deviceCount / 2);
  expectSpread(inStages.map((file) => file.downloadAfter));
});

test('Downloads begin evenly: as many in a second as may, and none after an hour', () => {
  const now = new Date('2026-06-01T00:00:00Z');
  const of = (reachedDevices: number) => ({ fileId: 1, version: 1, newSince: now, reachedDevices });
  const waits = Array.from({ length: 10_000 }, (_, n) =>
    downloadAfter(of(10_000), `device ${n}`, { now, perSecond: 500 }),
  );
  const inSecond = new Map<number, number>();
  for (const wait of waits) inSecond.set(wait, (inSecond.get(wait) ?? 0) + 1);
  expect([...inSecond.keys()].sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n));
  expect(Math.max(...inSecond.values())).toBeLessThan(600);
  const longest = Array.from({ length: 1_000 }, (_, n) =>
    downloadAfter(of(100_000_000), `device ${n}`, { now, perSecond: 1 }),
  );
  expect(Math.max(...longest)).toBeLessThan(3_600);
  expect(downloadAfter(of(500), 'device', { now, perSecond: 500 })).toBe(0);
});
