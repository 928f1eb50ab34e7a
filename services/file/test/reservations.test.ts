import { fileRoutes, formatDateTime, limits } from '@portal/contracts';
import { playerActor } from '@portal/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { admin, type FileHarness, someBytes, startFileHarness } from './file-harness.ts';

let harness: FileHarness;
const pid = 1;
const minute = 60_000;
const player = playerActor({ accountId: 12 });

beforeAll(async () => {
  harness = await startFileHarness();
  await harness.partner(1);
  await harness.group(3, 'Sales');
  await harness.user(12, [3]);
});
afterAll(async () => harness.stop());

const inMinutes = (minutes: number) =>
  formatDateTime(new Date(harness.clock.now().getTime() + minutes * minute));
const fileOf = async (id: number) =>
  (await harness.call(fileRoutes.getFile, { params: { pid, id } }, admin)).body;
const reserve = async (
  id: number,
  body: { updateReservationAt: string; fileName?: string; fileSize?: number },
) => harness.call(fileRoutes.reserveUpdate, { params: { pid, id }, body }, admin);
const cancel = async (id: number) => harness.refused(fileRoutes.cancelUpdate, { params: { pid, id } }, admin);
const update = async (id: number, body: object) =>
  harness.refused(fileRoutes.updateFile, { params: { pid, id }, body }, admin);
const bytesFor = async (id: number) => {
  const { body } = await harness.call(fileRoutes.getDelivered, { params: { id } }, player);
  return (await harness.get(body.signedUrl)).text();
};

async function send(upload: object, text: string): Promise<string> {
  if (!('uploadId' in upload && 'signedUrl' in upload)) throw new Error(JSON.stringify(upload));
  const uploadId = String(upload.uploadId);
  await harness.put(String(upload.signedUrl), someBytes(text));
  const done = await harness.refused(fileRoutes.completeUpload, { params: { uploadId }, body: {} }, admin);
  expect(done.body).toEqual({});
  return uploadId;
}

async function deliveredFile(fileName: string): Promise<number> {
  const id = await harness.upload({ fileName, bytes: someBytes('old bytes') });
  await harness.assign(id, [3]);
  return id;
}

const released = async (id: number) =>
  (await harness.events('file.version_released')).filter(({ subject }) => subject === String(id));

describe('When a delivery is reserved', () => {
  it('then players see the file from its time on, and the event is published once', async () => {
    const id = await harness.upload({ fileName: 'later.uap', deliverReservationAt: inMinutes(30) });
    await harness.assign(id, [3], { notifyEmail: true });
    const before = await harness.call(fileRoutes.listDelivered, {}, player);
    expect(before.body.files).toEqual([]);
    harness.clock.advance(29 * minute);
    expect(await harness.delivered(12)).not.toContain(id);
    harness.clock.advance(minute);
    const after = await harness.call(
      fileRoutes.listDelivered,
      { query: { since: before.body.cursor } },
      player,
    );
    expect(after.body.files.map((file) => file.id)).toEqual([id]);
    const told = async () =>
      (await harness.events('file.delivered')).filter(({ subject }) => subject === String(id));
    await expect
      .poll(
        harness.afterJobs(async () => (await told()).length),
        { timeout: 5000 },
      )
      .toBe(1);
    expect((await told())[0]?.data).toMatchObject({ groupIds: [3], notifyEmail: true });
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(await told()).toHaveLength(1);

    // Moved to a later time: players lose the file, and the event is published again at that time.
    expect((await update(id, { deliverReservationAt: inMinutes(20) })).body).toEqual({});
    const moved = await harness.call(
      fileRoutes.listDelivered,
      { query: { since: after.body.cursor } },
      player,
    );
    expect(moved.body).toMatchObject({ files: [], removedIds: [id] });
    harness.clock.advance(20 * minute);
    expect(await harness.delivered(12)).toContain(id);
    await expect
      .poll(
        harness.afterJobs(async () => (await told()).length),
        { timeout: 5000 },
      )
      .toBe(2);
  });

  it('then its event comes at its time, even if nothing was written since a look a moment before', async () => {
    const id = await harness.upload({ fileName: 'on-time.uap', deliverReservationAt: inMinutes(1) });
    await harness.assign(id, [3]);
    const told = async () =>
      (await harness.events('file.delivered')).filter(({ subject }) => subject === String(id));
    // Until what follows the assignment is written, too.
    await new Promise((resolve) => setTimeout(resolve, 6_000));
    harness.clock.advance(minute - 10_000);
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    expect(await told()).toEqual([]);
    harness.clock.advance(10_000);
    await expect.poll(async () => (await told()).length, { timeout: 8_000 }).toBe(1);
  });

  it('then an invalid time is refused on the field of the reservation', async () => {
    const id = await deliveredFile('rules.uap');
    for (const [at, message] of [
      [inMinutes(-1), 'Deliver reservation should not be past'],
      [inMinutes(5), 'The reservation must be at least 10 minutes ahead.'],
    ] as const) {
      expect((await update(id, { deliverReservationAt: at })).body).toMatchObject({
        code: 'E40002',
        errors: [{ field: 'update_reservation_at', message }],
      });
    }
    expect((await fileOf(id)).deliverReservationAt).toBeNull();
  });

  it('then a change of its groups that says nothing of notices keeps those that were asked for', async () => {
    const id = await harness.upload({ fileName: 'promised.uap', deliverReservationAt: inMinutes(30) });
    await harness.assign(id, [3], { notifyEmail: true });
    await harness.assign(id, [0, 3]);
    harness.clock.advance(30 * minute);
    await harness.runJobs();
    const told = (await harness.events('file.delivered')).filter(({ subject }) => subject === String(id));
    expect(told.map(({ data }) => data)).toMatchObject([{ groupIds: [0, 3], notifyEmail: true }]);
  });
});

describe('When a file is changed', () => {
  it('then what is left out stays, and null clears', async () => {
    const id = await deliveredFile('texts.uap');
    await update(id, { name: 'New name', note: 'a note' });
    await update(id, { name: 'Newer name' });
    expect(await fileOf(id)).toMatchObject({ name: 'Newer name', note: 'a note' });
    await update(id, { note: null });
    expect(await fileOf(id)).toMatchObject({ name: 'Newer name', note: '' });
    expect((await harness.events('file.updated')).at(-1)?.data).toMatchObject({ fileId: id, note: '' });
    expect((await update(id, { name: ' ' })).body).toMatchObject({
      code: 'E40003',
      errors: [{ field: 'name' }],
    });
    expect((await update(999_999, { name: 'x' })).body.code).toBe('E40405');
  });

  it('then a new version takes over when it is complete, and not before', async () => {
    const id = await deliveredFile('versions.uap');
    const wrong = await update(id, { fileName: 'other.uap', fileSize: 3 });
    expect(wrong.body).toMatchObject({
      code: 'E40002',
      errors: [{ field: 'file', message: "Don't change filename from versions.uap." }],
    });
    expect((await update(id, { fileName: 'versions.uap' })).body).toMatchObject({
      code: 'E40003',
      errors: [{ field: 'file_size' }],
    });
    const first = await update(id, { fileName: 'versions.uap', fileSize: 9 });
    const second = await update(id, { fileName: 'versions.uap', fileSize: 9 });
    expect(await bytesFor(id)).toBe('old bytes');
    // The later one took the place of the earlier one.
    const replaced = (first.body as object & { uploadId?: string }).uploadId ?? '';
    const refused = await harness.refused(
      fileRoutes.completeUpload,
      { params: { uploadId: replaced }, body: {} },
      admin,
    );
    expect(refused.body.code).toBe('E40034');
    await send(second.body, 'new bytes');
    expect(await bytesFor(id)).toBe('new bytes');
    expect((await fileOf(id)).version).toBe(2);
    expect((await released(id)).map(({ data }) => data)).toEqual([{ fileId: id, version: 2 }]);
    // The old bytes stay: they are those of the version before.
    const [old] = await harness.sql<{ object_key: string }>(
      'SELECT object_key FROM versions WHERE file_id = $1 ORDER BY id LIMIT 1',
      id,
    );
    harness.clock.advance(limits.signedUrlLifetime);
    await harness.afterJobs(async () => undefined)();
    expect(await harness.storage.head(old?.object_key ?? '')).toBeDefined();
  });
});

describe('When an update is reserved', () => {
  it('then players get it from its time on, with one event, and the earlier bytes stay until then', async () => {
    const id = await deliveredFile('reserved.uap');
    const at = inMinutes(30);
    const opened = await reserve(id, { updateReservationAt: at, fileName: 'reserved.uap', fileSize: 9 });
    await send(opened.body, 'new bytes');
    expect(await fileOf(id)).toMatchObject({
      version: 1,
      updateReservationAt: at,
      updateReservationFileName: 'reserved.uap',
    });
    const before = await harness.call(fileRoutes.listDelivered, {}, player);
    expect(await bytesFor(id)).toBe('old bytes');
    harness.clock.advance(30 * minute);
    expect(await bytesFor(id)).toBe('new bytes');
    const after = await harness.call(
      fileRoutes.listDelivered,
      { query: { since: before.body.cursor } },
      player,
    );
    expect(after.body.files.map((file) => [file.id, file.version])).toEqual([[id, 2]]);
    await expect
      .poll(
        harness.afterJobs(async () => (await released(id)).length),
        { timeout: 5000 },
      )
      .toBe(1);
    expect(await fileOf(id)).toMatchObject({ version: 2, updateReservationAt: at });

    // What the edit screen sends along without a new reservation changes nothing.
    expect((await reserve(id, { updateReservationAt: at })).body).toEqual({});
    expect((await cancel(id)).body.code).toBe('E40034');
    expect(await bytesFor(id)).toBe('new bytes');
  });

  it('then its time can move, and it can be taken back', async () => {
    const id = await deliveredFile('moved.uap');
    const opened = await reserve(id, {
      updateReservationAt: inMinutes(30),
      fileName: 'moved.uap',
      fileSize: 9,
    });
    await send(opened.body, 'new bytes');
    expect((await reserve(id, { updateReservationAt: inMinutes(60) })).body).toEqual({});
    harness.clock.advance(31 * minute);
    expect(await bytesFor(id)).toBe('old bytes');
    expect((await cancel(id)).body).toEqual({});
    expect((await cancel(id)).body).toEqual({});
    harness.clock.advance(60 * minute);
    expect(await bytesFor(id)).toBe('old bytes');
    expect(await fileOf(id)).toMatchObject({ updateReservationAt: null, updateReservationFileName: null });
    expect(await released(id)).toEqual([]);
  });

  it('then one whose upload comes late takes effect when it is complete', async () => {
    const id = await deliveredFile('late.uap');
    const opened = await reserve(id, {
      updateReservationAt: inMinutes(10),
      fileName: 'late.uap',
      fileSize: 9,
    });
    harness.clock.advance(20 * minute);
    expect(await bytesFor(id)).toBe('old bytes');
    await send(opened.body, 'new bytes');
    expect(await bytesFor(id)).toBe('new bytes');
    expect((await released(id)).map(({ data }) => data)).toEqual([{ fileId: id, version: 2 }]);
  });

  it('then one whose upload is aborted is none any more', async () => {
    const id = await deliveredFile('none.uap');
    const opened = await reserve(id, {
      updateReservationAt: inMinutes(10),
      fileName: 'none.uap',
      fileSize: 9,
    });
    const uploadId = 'uploadId' in opened.body ? String(opened.body.uploadId) : '';
    await harness.call(fileRoutes.abortUpload, { params: { uploadId } }, admin);
    expect(await fileOf(id)).toMatchObject({ updateReservationAt: null, uploadStatus: 'complete' });
  });

  it('then its rules are told', async () => {
    const id = await deliveredFile('refused.uap');
    const withFile = { fileName: 'refused.uap', fileSize: 9 };
    expect((await reserve(id, { updateReservationAt: inMinutes(20) })).body).toMatchObject({
      code: 'E40003',
      errors: [{ field: 'file_name' }, { field: 'file_size' }],
    });
    expect((await reserve(id, { ...withFile, updateReservationAt: inMinutes(-1) })).body).toMatchObject({
      code: 'E40002',
      errors: [{ field: 'update_reservation_at', message: 'Update reservation should not be past' }],
    });
    await update(id, { deliverReservationAt: inMinutes(60) });
    expect((await reserve(id, { ...withFile, updateReservationAt: inMinutes(30) })).body).toMatchObject({
      code: 'E40025',
      errors: [{ field: 'update_reservation_at' }],
    });
    expect(
      (await reserve(id, { fileName: 'Refused.uap', fileSize: 9, updateReservationAt: inMinutes(90) })).body,
    ).toMatchObject({ code: 'E40002', errors: [{ field: 'file' }] });
    expect(await fileOf(id)).toMatchObject({ updateReservationAt: null });

    const open = await harness.call(
      fileRoutes.createFile,
      { params: { pid }, body: { name: 'x', fileName: 'unfinished.uap', fileSize: 9 } },
      admin,
    );
    expect(
      (
        await reserve(open.body.id, {
          updateReservationAt: inMinutes(20),
          fileName: 'unfinished.uap',
          fileSize: 9,
        })
      ).body,
    ).toMatchObject({ code: 'E40019' });
  });
});
