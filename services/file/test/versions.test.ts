import { deliveryRoutes, fileRoutes, formatDateTime, limits } from '@portal/contracts';
import { partnerActor, playerActor } from '@portal/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { admin, developer, type FileHarness, someBytes, startFileHarness, stranger } from './file-harness.ts';

let harness: FileHarness;
const pid = 1;
const minute = 60_000;
const day = 24 * 60 * minute;
const player = playerActor({ accountId: 12 });
const pushSender = partnerActor({ accountId: 5, role: 2 });

beforeAll(async () => {
  harness = await startFileHarness();
  await harness.partner(1);
  await harness.partner(2);
  await harness.group(3, 'Sales');
  await harness.user(12, [3]);
});
afterAll(async () => harness.stop());

const inMinutes = (minutes: number) =>
  formatDateTime(new Date(harness.clock.now().getTime() + minutes * minute));
const versionsOf = async (id: number, perPage = 100) =>
  (await harness.call(deliveryRoutes.listVersions, { params: { pid, id }, query: { perPage } }, admin)).body
    .versions;
const stateOf = async (id: number) =>
  (await versionsOf(id)).map(({ restoredFrom, state, version }) => [version, state, restoredFrom]);
const restore = async (id: number, version: number, body: object = {}, actor = admin) =>
  harness.refused(deliveryRoutes.restoreVersion, { params: { pid, id, version }, body }, actor);
const bytesFor = async (id: number) => {
  const { body } = await harness.call(fileRoutes.getDelivered, { params: { id } }, player);
  return (await harness.get(body.signedUrl)).text();
};
const update = async (id: number, body: object) =>
  harness.refused(fileRoutes.updateFile, { params: { pid, id }, body }, admin);
const reserve = async (id: number, body: { updateReservationAt: string }) =>
  harness.refused(fileRoutes.reserveUpdate, { params: { pid, id }, body }, admin);
const keep = async (versionsKept: number) =>
  harness.call(deliveryRoutes.updateDeliverySettings, { params: { pid }, body: { versionsKept } }, admin);
const used = async () => (await harness.call(fileRoutes.getStorageUse, { params: { pid } }, admin)).body;

async function send(upload: object, text: string): Promise<void> {
  if (!('uploadId' in upload && 'signedUrl' in upload)) throw new Error(JSON.stringify(upload));
  await harness.put(String(upload.signedUrl), someBytes(text));
  const uploadId = String(upload.uploadId);
  const done = await harness.refused(fileRoutes.completeUpload, { params: { uploadId }, body: {} }, admin);
  expect(done.body).toEqual({});
}

async function uploadNext(fileName: string, id: number, text: string, more: object = {}): Promise<void> {
  await send((await update(id, { fileName, fileSize: text.length, ...more })).body, text);
}

/** A file with so many versions, `bytes 1` and so on, that the group gets. */
async function fileOf(fileName: string, versions: number): Promise<number> {
  const id = await harness.upload({ fileName, bytes: someBytes('bytes 1') });
  await harness.assign(id, [3]);
  for (let at = 2; at <= versions; at += 1) await uploadNext(fileName, id, `bytes ${at}`);
  return id;
}

/** Until the jobs have handled what is due. */
const settled = async (found: () => Promise<unknown>, wanted: unknown) =>
  expect.poll(harness.afterJobs(found), { timeout: 10_000 }).toEqual(wanted);

describe('When a file gets new bytes', () => {
  it('then each completed upload is a version, with who made it, what they said, and since when it is live', async () => {
    const id = await fileOf('told.uap', 1);
    harness.clock.advance(minute);
    await uploadNext('told.uap', id, 'bytes 2', { versionNote: 'The second' });
    const [second, first, ...others] = await versionsOf(id);
    expect(others).toEqual([]);
    expect(first).toMatchObject({ version: 1, state: 'former', note: '', liveUntil: second?.liveFrom });
    expect(second).toMatchObject({
      version: 2,
      state: 'current',
      fileName: 'told.uap',
      fileSize: 7,
      note: 'The second',
      createdBy: { id: 1, name: 'Person 1' },
      liveUntil: null,
      restoredFrom: null,
    });
    const bytes = await Promise.all(
      [first, second].map(async (version) => (await harness.get(version?.signedUrl ?? '')).text()),
    );
    expect(bytes).toEqual(['bytes 1', 'bytes 2']);
    const page = await harness.call(
      deliveryRoutes.listVersions,
      { params: { pid, id }, query: { perPage: 1, page: 2 } },
      admin,
    );
    expect(page.body).toMatchObject({ totalCount: 2, totalPage: 2, versions: [{ version: 1 }] });
  });

  it('then an upload that is not complete is none, and what is said without bytes is of the current one', async () => {
    const id = await fileOf('notes.uap', 1);
    await update(id, { fileName: 'notes.uap', fileSize: 5 });
    await update(id, { versionNote: 'First of all' });
    expect(await versionsOf(id)).toMatchObject([{ version: 1, note: 'First of all' }]);
    await update(id, { versionNote: null });
    expect(await versionsOf(id)).toMatchObject([{ version: 1, note: '' }]);
    expect((await update(id, { versionNote: 'x'.repeat(2001) })).body).toMatchObject({
      code: 'E40002',
      errors: [{ field: 'version_note' }],
    });
    const created = await harness.call(
      fileRoutes.createFile,
      { params: { pid }, body: { name: 'n', fileName: 'said.uap', fileSize: 5, versionNote: 'Begin' } },
      admin,
    );
    await send(created.body, 'bytes');
    expect(await versionsOf(created.body.id)).toMatchObject([{ note: 'Begin' }]);
  });

  it('then a reserved one has the number that it will get, and leaves no trace when it is taken back', async () => {
    const id = await fileOf('ahead.uap', 1);
    const at = inMinutes(30);
    const opened = await harness.refused(
      fileRoutes.reserveUpdate,
      {
        params: { pid, id },
        body: { updateReservationAt: at, fileName: 'ahead.uap', fileSize: 4, versionNote: 'Later' },
      },
      admin,
    );
    await send(opened.body, 'late');
    expect((await versionsOf(id))[0]).toMatchObject({
      version: 2,
      state: 'reserved',
      liveFrom: at,
      note: 'Later',
    });
    await harness.call(
      fileRoutes.reserveUpdate,
      { params: { pid, id }, body: { updateReservationAt: at, versionNote: 'Soon' } },
      admin,
    );
    await uploadNext('ahead.uap', id, 'now');
    expect((await versionsOf(id)).map(({ note, state, version }) => [version, state, note])).toEqual([
      [3, 'reserved', 'Soon'],
      [2, 'current', ''],
      [1, 'former', ''],
    ]);
    await harness.call(fileRoutes.cancelUpdate, { params: { pid, id } }, admin);
    expect(await stateOf(id)).toEqual([
      [2, 'current', null],
      [1, 'former', null],
    ]);
  });

  it('then a reserved one is the current one from its time on, before anybody has written it down', async () => {
    const id = await fileOf('due.uap', 2);
    const at = inMinutes(20);
    expect((await restore(id, 1, { updateReservationAt: at })).body).toEqual({ version: 3 });
    harness.clock.advance(20 * minute);
    const [third, second] = await versionsOf(id);
    expect(third).toMatchObject({ version: 3, state: 'current', liveFrom: at, liveUntil: null });
    expect(second).toMatchObject({ version: 2, state: 'former', liveUntil: at });
    const events = async () =>
      (await harness.events('file.version_released')).filter(({ subject }) => subject === String(id)).length;
    await settled(events, 2);
    expect((await versionsOf(id))[0]).toEqual({ ...third, signedUrl: expect.any(String) });
  });
});

describe('When a former version is put back', () => {
  it('then its bytes are a new version at once, and no byte is copied', async () => {
    const id = await fileOf('back.uap', 2);
    const before = await used();
    expect(await bytesFor(id)).toBe('bytes 2');
    const { body: known } = await harness.call(fileRoutes.listDelivered, {}, player);
    const reply = await restore(id, 1, { versionNote: 'It worked' });
    expect([reply.status, reply.body]).toEqual([201, { version: 3 }]);
    expect(await bytesFor(id)).toBe('bytes 1');
    const { body: changed } = await harness.call(
      fileRoutes.listDelivered,
      { query: { since: known.cursor } },
      player,
    );
    expect(changed.files).toMatchObject([{ id, version: 3 }]);
    expect(await stateOf(id)).toEqual([
      [3, 'current', 1],
      [2, 'former', null],
      [1, 'former', null],
    ]);
    expect((await versionsOf(id))[0]).toMatchObject({ note: 'It worked', createdBy: { name: 'Person 1' } });
    expect(await used()).toEqual(before);
    const told = async (type: string) =>
      (await harness.events(type)).filter(({ subject }) => subject === String(id)).map(({ data }) => data);
    expect(await told('file.version_restored')).toEqual([
      { fileId: id, version: 3, restoredFrom: 1, updateReservationAt: null, fileSize: 7 },
    ]);
    expect(await told('file.version_released')).toEqual([
      { fileId: id, version: 2 },
      { fileId: id, version: 3 },
    ]);
  });

  it('then a reservation stays, and one that is put back at a time takes its place', async () => {
    const id = await fileOf('both.uap', 2);
    const at = inMinutes(30);
    await restore(id, 1, { updateReservationAt: at });
    await restore(id, 1);
    expect(await stateOf(id)).toEqual([
      [4, 'reserved', 1],
      [3, 'current', 1],
      [2, 'former', null],
      [1, 'former', null],
    ]);
    const later = inMinutes(60);
    expect((await restore(id, 2, { updateReservationAt: later })).body).toEqual({ version: 4 });
    expect((await versionsOf(id))[0]).toMatchObject({ restoredFrom: 2, liveFrom: later });
    // It is moved and taken back as one with bytes of its own.
    expect((await reserve(id, { updateReservationAt: at })).body).toEqual({});
    expect((await versionsOf(id))[0]).toMatchObject({ restoredFrom: 2, liveFrom: at });
    await harness.call(fileRoutes.cancelUpdate, { params: { pid, id } }, admin);
    expect((await stateOf(id)).length).toBe(3);
    // Whoever lets go of bytes that others hold leaves them where they are.
    harness.clock.advance(day);
    await settled(async () => (await used()).leavingBytes >= 0, true);
    expect((await restore(id, 2)).body).toEqual({ version: 4 });
    expect(await bytesFor(id)).toBe('bytes 2');
  });

  it('then what cannot be put back is refused', async () => {
    const id = await fileOf('refused.uap', 2);
    await restore(id, 1, { updateReservationAt: inMinutes(30) });
    for (const [version, code] of [
      [2, 'E40034'],
      [3, 'E40034'],
      [4, 'E40401'],
      [999, 'E40401'],
    ] as const) {
      expect([version, (await restore(id, version)).body.code]).toEqual([version, code]);
    }
    expect((await restore(999_999, 1)).body.code).toBe('E40405');
    expect((await restore(id, 1, {}, stranger)).body.code).toBe('E40402');
    expect((await restore(id, 1, {}, developer)).body.code).toBe('E40301');
    expect((await restore(id, 1, {}, pushSender)).body.code).toBe('E40301');
    for (const [minutes, code] of [
      [-1, 'E40002'],
      [5, 'E40002'],
    ] as const) {
      expect((await restore(id, 1, { updateReservationAt: inMinutes(minutes) })).body).toMatchObject({
        code,
        errors: [{ field: 'update_reservation_at' }],
      });
    }
    await update(id, { deliverReservationAt: null });
    const planned = await harness.upload({
      fileName: 'planned.uap',
      bytes: someBytes('bytes 1'),
      deliverReservationAt: inMinutes(120),
    });
    await uploadNext('planned.uap', planned, 'bytes 2');
    expect((await restore(planned, 1, { updateReservationAt: inMinutes(60) })).body).toMatchObject({
      code: 'E40025',
      errors: [{ field: 'update_reservation_at' }],
    });
    expect((await restore(id, 1, { versionNote: 'x'.repeat(2001) })).body).toMatchObject({
      code: 'E40002',
      errors: [{ field: 'version_note' }],
    });
    // A developer may where nobody gets it.
    expect((await restore(planned, 1, {}, developer)).body).toEqual({ version: 3 });
  });

  it('then two at once are two numbers', async () => {
    const id = await fileOf('race.uap', 3);
    const replies = await Promise.all([restore(id, 1), restore(id, 2), restore(id, 1), restore(id, 2)]);
    expect(replies.map(({ body }) => Object(body).version).sort()).toEqual([4, 5, 6, 7]);
    expect((await stateOf(id)).map(([version]) => version)).toEqual([7, 6, 5, 4, 3, 2, 1]);
  });
});

describe('When a file has more versions than are kept', () => {
  it('then the bytes of older ones go seven days later, and the row stays', async () => {
    const id = await fileOf('many.uap', 4);
    const before = await used();
    await keep(2);
    const after = await used();
    expect(after.usedBytes).toBe(before.usedBytes);
    expect(after.leavingBytes).toBeGreaterThanOrEqual(before.leavingBytes + 14);
    expect((await restore(id, 1)).body).toEqual({ version: 5 });
    harness.clock.advance(limits.formerBytesRetention - minute);
    expect((await stateOf(id)).map(([, state]) => state)).toEqual([
      'current',
      'former',
      'former',
      'former',
      'former',
    ]);
    harness.clock.advance(minute);
    // The third fell out when the fifth went live.
    expect((await stateOf(id)).map(([, state]) => state)).toEqual([
      'current',
      'former',
      'removed',
      'removed',
      'removed',
    ]);
    expect((await restore(id, 2)).body.code).toBe('E40034');
    expect((await versionsOf(id)).map(({ signedUrl }) => signedUrl === null)).toEqual([
      false,
      false,
      true,
      true,
      true,
    ]);
    const objects = async () => {
      const rows = await harness.sql<{ number: number; object_key: string }>(
        'SELECT number, object_key FROM versions WHERE file_id = $1 AND number IS NOT NULL ORDER BY number',
        id,
      );
      return Promise.all(
        rows.map(async ({ number, object_key: key }) => [
          number,
          (await harness.storage.head(key)) !== undefined,
        ]),
      );
    };
    await settled(
      async () => (await harness.sql('SELECT FROM versions WHERE file_id = $1 AND released', id)).length,
      3,
    );
    // An hour later no address that was given out is good any more.
    harness.clock.advance(limits.signedUrlLifetime);
    await settled(objects, [
      // The fifth holds the same bytes.
      [1, true],
      [2, false],
      [3, false],
      [4, true],
      [5, true],
    ]);
    expect(await bytesFor(id)).toBe('bytes 1');
    await keep(limits.versionsKept);
  });

  it('then a higher number keeps those again whose bytes are there', async () => {
    const id = await fileOf('again.uap', 3);
    await keep(1);
    harness.clock.advance(day);
    await keep(5);
    harness.clock.advance(limits.formerBytesRetention);
    expect((await stateOf(id)).map(([, state]) => state)).toEqual(['current', 'former', 'former']);
    await keep(limits.versionsKept);
  });

  it('then the bytes of a deleted file are there for seven days, and then of none of its versions', async () => {
    const id = await fileOf('deleted.uap', 2);
    await restore(id, 1);
    const keys = (
      await harness.sql<{ object_key: string }>(
        'SELECT DISTINCT object_key FROM versions WHERE file_id = $1 AND number IS NOT NULL',
        id,
      )
    ).map(({ object_key: key }) => key);
    expect(keys).toHaveLength(2);
    await harness.call(fileRoutes.deleteFile, { params: { pid, id } }, admin);
    const there = async () =>
      Promise.all(keys.map(async (key) => (await harness.storage.head(key)) !== undefined));
    expect(await there()).toEqual([true, true]);
    harness.clock.advance(limits.deletedBytesRetention);
    await settled(there, [false, false]);
    const gone = await harness.refused(deliveryRoutes.listVersions, { params: { pid, id } }, admin);
    expect(gone.body.code).toBe('E40405');
  });
});

describe('When somebody asks how many versions are kept', () => {
  it('then it is ten, or what a company admin has said, and nobody else may', async () => {
    const get = async (actor = admin) =>
      harness.refused(deliveryRoutes.getDeliverySettings, { params: { pid } }, actor);
    expect((await get()).body).toEqual({ versionsKept: 10, approvalRequired: false });
    await keep(50);
    expect((await get()).body).toEqual({ versionsKept: 50, approvalRequired: false });
    for (const versionsKept of [0, 51, 1.5]) {
      const refused = await harness.refused(
        deliveryRoutes.updateDeliverySettings,
        { params: { pid }, body: { versionsKept } },
        admin,
      );
      expect(refused.body).toMatchObject({ code: 'E40002', errors: [{ field: 'versions_kept' }] });
    }
    for (const actor of [developer, pushSender]) expect((await get(actor)).body.code).toBe('E40301');
    expect((await get(stranger)).body.code).toBe('E40402');
    await keep(limits.versionsKept);
  });
});
