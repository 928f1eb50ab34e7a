import { fileRoutes, formatDateTime, limits } from '@portal/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { admin, developer, type FileHarness, someBytes, startFileHarness, stranger } from './file-harness.ts';

let harness: FileHarness;
const pid = 1;
const minute = 60_000;
const hour = 60 * minute;
const mebibyte = 1024 * 1024;
/** Two parts, of which the last is small. */
const size = 8 * mebibyte + 1_000;
const fingerprint = 'ab'.repeat(32);
let made = 0;

beforeAll(async () => {
  harness = await startFileHarness();
  await harness.partner(1);
  await harness.partner(2);
  await harness.group(3, 'Sales');
  await harness.user(1, [3]);
});
afterAll(async () => harness.stop());

const nameOfNext = () => {
  made += 1;
  return `state-${made}.uap`;
};
const later = (ms: number) => formatDateTime(new Date(harness.clock.now().getTime() + ms));

async function fileOf(id: number) {
  return (await harness.call(fileRoutes.getFile, { params: { pid, id } }, admin)).body;
}

async function idsIn(query: Record<string, string>): Promise<number[]> {
  const { body } = await harness.call(
    fileRoutes.listFiles,
    { params: { pid }, query: { perPage: '100', ...query } },
    admin,
  );
  return body.files.map(({ id }) => id);
}

/** The state is what both the detail and the filter of the list say. */
async function expectState(id: number, state: fileRoutes.FileState): Promise<void> {
  expect((await fileOf(id)).state).toBe(state);
  const found = await Promise.all(
    fileRoutes.fileStates.map(async (one) => ((await idsIn({ state: one })).includes(id) ? [one] : [])),
  );
  expect(found.flat()).toEqual([state]);
}

async function open(actor = admin) {
  const fileName = nameOfNext();
  const body = { name: fileName, fileName, fileSize: size, fingerprint };
  const created = await harness.call(fileRoutes.createFile, { params: { pid }, body }, actor);
  return { id: created.body.id, uploadId: created.body.uploadId, fileName };
}

async function sendPart(uploadId: string, partNumber: number, actor = admin) {
  const { body } = await harness.call(
    fileRoutes.signParts,
    { params: { uploadId }, body: { partNumbers: [partNumber] } },
    actor,
  );
  const bytes = new Uint8Array(partNumber === 1 ? 8 * mebibyte : 1_000).fill(partNumber);
  const reply = await harness.put(body.parts[0]?.signedUrl ?? '', bytes);
  expect(reply.status).toBe(200);
  return { partNumber, etag: reply.headers.get('etag') ?? '' };
}

describe('When a file goes from its registration to its delivery', () => {
  it('then each of its states is told, by the detail and by the filter', async () => {
    const { id, uploadId } = await open();
    await expectState(id, 'draft');
    const parts = [await sendPart(uploadId, 1)];
    await expectState(id, 'uploading');
    harness.clock.advance(2 * minute - 1_000);
    await expectState(id, 'uploading');
    harness.clock.advance(1_000);
    await expectState(id, 'interrupted');
    parts.push(await sendPart(uploadId, 2));
    await expectState(id, 'uploading');
    await harness.call(fileRoutes.completeUpload, { params: { uploadId }, body: { parts } }, admin);
    await expectState(id, 'nobody');

    const at = later(hour);
    const params = { pid, id };
    await harness.call(fileRoutes.updateFile, { params, body: { deliverReservationAt: at } }, admin);
    await expectState(id, 'nobody');
    await harness.assign(id, [3]);
    await expectState(id, 'reserved');
    harness.clock.advance(hour);
    await expectState(id, 'delivered');
    await harness.assign(id, []);
    await expectState(id, 'nobody');
  });

  it('then an update is reserved once its bytes are complete, and until its time', async () => {
    const fileName = nameOfNext();
    const id = await harness.upload({ fileName });
    await harness.assign(id, [0]);
    const { body } = await harness.call(
      fileRoutes.reserveUpdate,
      { params: { pid, id }, body: { updateReservationAt: later(hour), fileName, fileSize: 3 } },
      admin,
    );
    if (!('uploadId' in body)) throw new Error('No upload was opened');
    await expectState(id, 'delivered');
    await harness.put(body.signedUrl, someBytes('new'));
    expect((await fileOf(id)).upload).toMatchObject({ uploadId: body.uploadId, storedBytes: 3 });
    await expectState(id, 'delivered');
    const { uploadId } = body;
    await harness.call(fileRoutes.completeUpload, { params: { uploadId }, body: { parts: [] } }, admin);
    await expectState(id, 'update_reserved');
    expect((await fileOf(id)).upload).toBeNull();
    harness.clock.advance(hour);
    await expectState(id, 'delivered');
  });

  it('then an upload of one PUT that was never completed is interrupted too', async () => {
    const fileName = nameOfNext();
    const { body } = await harness.call(
      fileRoutes.createFile,
      { params: { pid }, body: { name: fileName, fileName, fileSize: 3 } },
      admin,
    );
    await harness.put(body.signedUrl, someBytes('abc'));
    await expectState(body.id, 'uploading');
    harness.clock.advance(limits.uploadPause);
    await expectState(body.id, 'interrupted');
  });

  it('then several states can be asked for, and only known ones', async () => {
    const [draft, nobody] = [(await open()).id, await harness.upload({ fileName: nameOfNext() })];
    const found = await idsIn({ state: 'nobody,draft,nobody' });
    expect(found).toContain(draft);
    expect(found).toContain(nobody);
    expect(found).not.toContain((await harness.upload({ fileName: nameOfNext() })) + 1);
    for (const state of ['delivered,gone', 'Draft', ',', 'draft, nobody']) {
      const refused = await harness.refused(
        fileRoutes.listFiles,
        { params: { pid }, query: { state } },
        admin,
      );
      expect([refused.status, refused.body.code]).toEqual([400, 'E40002']);
      expect(refused.body.errors).toMatchObject([{ field: 'state' }]);
    }
  });

  it('then the files of a group can be asked for, with their state', async () => {
    const id = await harness.upload({ fileName: nameOfNext() });
    await harness.assign(id, [3]);
    expect(await idsIn({ group: '3', state: 'delivered' })).toContain(id);
    expect(await idsIn({ group: '3', state: 'nobody' })).toEqual([]);
    expect(await idsIn({ group: '4' })).toEqual([]);
  });
});

describe('When an upload is not complete', () => {
  it('then its file tells of it, with what the client needs to go on', async () => {
    const { fileName, id, uploadId } = await open();
    const upload = { uploadId, fileName, fileSize: size, storedBytes: 0, lastPartAt: null, fingerprint };
    expect((await fileOf(id)).upload).toEqual(upload);
    await sendPart(uploadId, 1);
    const lastPartAt = formatDateTime(harness.clock.now());
    const begun = { ...upload, storedBytes: 8 * mebibyte, lastPartAt };
    expect((await fileOf(id)).upload).toEqual(begun);
    // The same part again is no more than it was.
    harness.clock.advance(5_000);
    await sendPart(uploadId, 1);
    const again = { ...begun, lastPartAt: formatDateTime(harness.clock.now()) };
    const { body } = await harness.call(fileRoutes.listFiles, { params: { pid } }, admin);
    expect(body.files.find((file) => file.id === id)).toMatchObject({ upload: again });
    await harness.call(fileRoutes.abortUpload, { params: { uploadId } }, admin);
    expect(await idsIn({})).not.toContain(id);
  });

  it('then every admin and developer of the tenant can go on with it, and nobody of another', async () => {
    const { id, uploadId } = await open(admin);
    const first = await sendPart(uploadId, 1, admin);
    const { body } = await harness.call(fileRoutes.getUpload, { params: { uploadId } }, developer);
    expect(body).toMatchObject({
      status: 'uploading',
      partSize: 8 * mebibyte,
      parts: [{ partNumber: 1 }],
    });
    const parts = [first, await sendPart(uploadId, 2, developer)];
    for (const route of [fileRoutes.getUpload, fileRoutes.abortUpload] as const) {
      const foreign = await harness.refused(route, { params: { uploadId } }, stranger);
      expect([foreign.status, foreign.body.code]).toEqual([404, 'E40401']);
    }
    await harness.call(fileRoutes.completeUpload, { params: { uploadId }, body: { parts } }, developer);
    await expectState(id, 'nobody');

    const other = await open(developer);
    const { status } = await harness.call(
      fileRoutes.abortUpload,
      { params: { uploadId: other.uploadId } },
      admin,
    );
    expect(status).toBe(200);
    expect(await idsIn({})).not.toContain(other.id);
  });

  it('then that of an import stays with company admins', async () => {
    const { body } = await harness.call(
      fileRoutes.createUserImport,
      { params: { pid }, body: { fileName: 'users.csv', fileSize: 5, fingerprint } },
      admin,
    );
    const refused = await harness.refused(
      fileRoutes.getUpload,
      { params: { uploadId: body.uploadId } },
      developer,
    );
    expect([refused.status, refused.body.code]).toEqual([404, 'E40401']);
  });

  it.each(['', 'ab', 'g'.repeat(64), 'a'.repeat(65), 7])('then %j is no fingerprint', async (wrong) => {
    const refused = await harness.raw({
      method: 'POST',
      url: '/v1/partner/partners/1/files',
      actor: admin,
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify({ name: 'x', file_name: nameOfNext(), file_size: 3, fingerprint: wrong }),
    });
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({ code: 'E40002', errors: [{ field: 'fingerprint' }] });
  });

  it('then every call that opens one takes a fingerprint', async () => {
    const fileName = nameOfNext();
    const id = await harness.upload({ fileName });
    const params = { pid, id };
    const upper = fingerprint.toUpperCase();
    await harness.call(
      fileRoutes.updateFile,
      { params, body: { fileName, fileSize: 3, fingerprint: upper } },
      admin,
    );
    expect((await fileOf(id)).upload?.fingerprint).toBe(fingerprint);
    const other = 'cd'.repeat(32);
    const body = { updateReservationAt: later(hour), fileName, fileSize: 3, fingerprint: other };
    await harness.call(fileRoutes.reserveUpdate, { params, body }, admin);
    expect((await fileOf(id)).upload?.fingerprint).toBe(other);
    const single = await harness.call(
      fileRoutes.createSingleFile,
      { params: { pid }, body: { name: nameOfNext(), fingerprint } },
      admin,
    );
    expect((await fileOf(single.body.id)).upload).toMatchObject({ fileSize: null, fingerprint });
  });

  it('then it ends 24 hours after its last part, and a file that never had bytes goes with it', async () => {
    const { id, uploadId } = await open();
    const silent = await open();
    const fileName = nameOfNext();
    const complete = await harness.upload({ fileName });
    const update = await harness.call(
      fileRoutes.updateFile,
      { params: { pid, id: complete }, body: { fileName, fileSize: 3 } },
      admin,
    );
    expect(update.status).toBe(200);
    harness.clock.advance(20 * hour);
    await sendPart(uploadId, 1);
    harness.clock.advance(4 * hour + 1_000);
    await harness.runJobs();
    const listed = await idsIn({});
    expect(listed).toContain(id);
    expect(listed).not.toContain(silent.id);
    expect(await fileOf(complete)).toMatchObject({ state: 'nobody', upload: null });
    harness.clock.advance(20 * hour - 2_000);
    await harness.runJobs();
    await expectState(id, 'interrupted');
    harness.clock.advance(2_000);
    await harness.runJobs();
    expect(await idsIn({})).not.toContain(id);
    const gone = await harness.refused(
      fileRoutes.signParts,
      { params: { uploadId }, body: { partNumbers: [2] } },
      admin,
    );
    expect([gone.status, gone.body.code]).toEqual([400, 'E40034']);
    // Whoever began it is told; a file with bytes stays.
    const failed = new Map(
      (await harness.events('upload.failed')).map(({ data, subject }) => [Number(subject), data]),
    );
    const told = { openedBy: admin.id, reason: 'expired' };
    expect(failed.get(id)).toMatchObject({ ...told, uploadId, fileDeleted: true });
    expect(failed.get(complete)).toMatchObject({ ...told, fileDeleted: false });
  });

  it('then who began it is told that somebody else gave it up, and nobody of what they gave up themselves', async () => {
    const own = await open(developer);
    const other = await open(developer);
    const abort = async (uploadId: string, actor: typeof admin) =>
      harness.call(fileRoutes.abortUpload, { params: { uploadId } }, actor);
    await abort(own.uploadId, developer);
    await abort(other.uploadId, admin);
    const failed = (await harness.events('upload.failed')).map(({ data }) => data);
    expect(failed).toContainEqual({
      fileId: other.id,
      uploadId: other.uploadId,
      name: other.fileName,
      fileName: other.fileName,
      fileDeleted: true,
      openedBy: developer.id,
      reason: 'given_up',
    });
    expect(failed).not.toContainEqual(expect.objectContaining({ uploadId: own.uploadId }));
  });

  it('then what the store has of it outlives the sweep of what nobody knows', async () => {
    const { id, uploadId } = await open();
    await sendPart(uploadId, 1);
    for (let day = 0; day < 3; day += 1) {
      harness.clock.advance(23 * hour);
      await sendPart(uploadId, 1);
    }
    await harness.runJobs();
    await harness.runJobs();
    const { body } = await harness.call(fileRoutes.getUpload, { params: { uploadId } }, admin);
    expect(body.parts).toHaveLength(1);
    await expectState(id, 'uploading');
  });
});

describe('When something is looked for', () => {
  let ids: number[] = [];

  beforeAll(async () => {
    const names = [
      ['The tour of 100%', 'alpha-q.uap'],
      ['Tour', 'beta-q.uap'],
      ['A_b', 'tour-q.uap'],
      ['axb', 'gamma-q.uap'],
    ];
    ids = [];
    for (const [name = '', fileName = ''] of names) ids.push(await harness.upload({ name, fileName }));
  });

  const found = async (q: string) => (await idsIn({ q, order: 'asc' })).map((id) => ids.indexOf(id));

  it('then what begins with it comes first, in either field and in the order of the list', async () => {
    expect(await found('TOUR')).toEqual([1, 2, 0]);
    expect((await idsIn({ q: 'tour' })).map((id) => ids.indexOf(id))).toEqual([2, 1, 0]);
    expect(await found('-Q.UAP')).toEqual([0, 1, 2, 3]);
  });

  it('then % and _ are letters', async () => {
    expect(await found('%')).toEqual([0]);
    expect(await found('a_b')).toEqual([2]);
    expect(await found("o'r")).toEqual([]);
    expect(await found('\\')).toEqual([]);
  });

  it('then an id is found as a whole, before the others', async () => {
    const id = ids[1] ?? 0;
    expect(await idsIn({ q: String(id) })).toContain(id);
    expect((await idsIn({ q: String(id) }))[0]).toBe(id);
    expect(await found(`0${id}`)).toEqual([]);
    expect(await found('99999999999999999999')).toEqual([]);
  });

  it('then it joins the other filters, and pickers look for it in the same way', async () => {
    expect(await idsIn({ q: 'tour', name: '100%', state: 'nobody' })).toEqual([ids[0]]);
    const { body } = await harness.call(
      fileRoutes.listFiles,
      { params: { pid }, query: { all: 'true', q: 'tour', order: 'asc' } },
      admin,
    );
    expect(body.files.map(({ id }) => ids.indexOf(id))).toEqual([1, 2, 0]);
  });

  it('then more than 255 characters are refused', async () => {
    expect(await found('x'.repeat(255))).toEqual([]);
    const refused = await harness.refused(
      fileRoutes.listFiles,
      { params: { pid }, query: { q: 'x'.repeat(256) } },
      admin,
    );
    expect(refused.body).toMatchObject({ code: 'E40002', errors: [{ field: 'q' }] });
  });
});

describe('When the overview is asked for', () => {
  const overview = async (tz?: string, partnerId = 2, actor = stranger) =>
    (
      await harness.call(
        fileRoutes.getFilesOverview,
        { params: { pid: partnerId }, query: tz === undefined ? {} : { tz } },
        actor,
      )
    ).body;
  const upload = async (deliverReservationAt?: string) =>
    harness.upload(
      { fileName: nameOfNext(), ...(deliverReservationAt ? { deliverReservationAt } : {}) },
      stranger,
    );
  const assign = async (id: number, groupIds = [0]) => {
    const { status } = await harness.call(
      fileRoutes.assignGroups,
      { params: { pid: 2, id }, body: { groupIds } },
      stranger,
    );
    expect(status).toBe(200);
  };
  const dayAfter = 24 * hour;
  const none = { deliveredToday: 0, deliveredWeek: 0, reservedWeek: 0, nobody: 0, interrupted: 0 };

  beforeEach(async () => {
    await harness.sql('UPDATE files SET deleted = true, live_file_name = NULL WHERE partner_id = 2');
    const now = harness.clock.now().getTime();
    // Noon in Tokyo.
    harness.clock.advance(dayAfter - ((now - 3 * hour) % dayAfter));
  });

  it('then files that wait for somebody are counted', async () => {
    expect(await overview()).toEqual(none);
    await upload();
    const { body } = await harness.call(
      fileRoutes.createFile,
      { params: { pid: 2 }, body: { name: 'x', fileName: nameOfNext(), fileSize: size } },
      stranger,
    );
    await sendPart(body.uploadId, 1, stranger);
    expect(await overview()).toEqual({ ...none, nobody: 1 });
    harness.clock.advance(limits.uploadPause);
    expect(await overview()).toEqual({ ...none, nobody: 1, interrupted: 1 });
  });

  it('then a file counts from the moment on at which it is complete, assigned and due', async () => {
    const id = await upload();
    harness.clock.advance(dayAfter);
    await assign(id);
    expect(await overview()).toEqual({ ...none, deliveredToday: 1, deliveredWeek: 1 });
    // From noon to the midnight of Tokyo; by UTC the day goes on.
    harness.clock.advance(12 * hour);
    expect(await overview()).toEqual({ ...none, deliveredWeek: 1 });
    expect(await overview('UTC')).toEqual({ ...none, deliveredToday: 1, deliveredWeek: 1 });
    harness.clock.advance(6 * dayAfter - 1_000);
    expect((await overview()).deliveredWeek).toBe(1);
    // Other groups than before: it was delivered without a break.
    await assign(id, []);
    await assign(id);
    expect((await overview()).deliveredToday).toBe(1);
  });

  it('then reservations of the next seven days are counted, with those of updates', async () => {
    const soon = await upload(later(7 * dayAfter));
    const late = await upload(later(7 * dayAfter + minute));
    await upload(later(hour));
    await assign(soon);
    await assign(late);
    expect(await overview()).toEqual({ ...none, reservedWeek: 1, nobody: 1 });

    const fileName = nameOfNext();
    const id = await harness.upload({ fileName }, stranger);
    await assign(id);
    const { body } = await harness.call(
      fileRoutes.reserveUpdate,
      { params: { pid: 2, id }, body: { updateReservationAt: later(dayAfter), fileName, fileSize: 3 } },
      stranger,
    );
    if (!('uploadId' in body)) throw new Error('No upload was opened');
    await harness.put(body.signedUrl, someBytes('new'));
    const { uploadId } = body;
    await harness.call(fileRoutes.completeUpload, { params: { uploadId }, body: { parts: [] } }, stranger);
    expect(await overview()).toEqual({
      ...none,
      reservedWeek: 2,
      nobody: 1,
      deliveredToday: 1,
      deliveredWeek: 1,
    });
  });

  it('then the list finds the same files by their times', async () => {
    const soon = await upload(later(dayAfter));
    const late = await upload(later(8 * dayAfter));
    await upload(later(hour));
    const yesterdays = await upload();
    await assign(yesterdays);
    // The midnight of Tokyo.
    harness.clock.advance(12 * hour);
    const today = await upload();
    for (const id of [soon, late, today]) await assign(id);
    const found = async (query: Record<string, string>) => {
      const { body } = await harness.call(fileRoutes.listFiles, { params: { pid: 2 }, query }, stranger);
      return body.files.map(({ id }) => id);
    };
    expect(await overview()).toEqual({
      ...none,
      deliveredToday: 1,
      deliveredWeek: 2,
      reservedWeek: 1,
      nobody: 1,
    });
    const midnight = later(0);
    expect(await found({ deliveredAtStart: midnight })).toEqual([today]);
    expect(await found({ deliveredAtEnd: later(-hour) })).toEqual([yesterdays]);
    expect(await found({ deliveredAtStart: later(-12 * hour) })).toEqual([today, yesterdays]);
    const weekAhead = later(7 * dayAfter);
    expect(await found({ dueAtEnd: weekAhead })).toEqual([soon]);
    expect(await found({ dueAtStart: later(7 * dayAfter + minute) })).toEqual([late]);
    expect(await found({ dueAtStart: midnight, deliveredAtStart: midnight })).toEqual([]);
  });

  it('then groups that change from one to another are no break', async () => {
    const id = await harness.upload({ fileName: nameOfNext() });
    await harness.assign(id, [0]);
    const before = (await overview('Asia/Tokyo', 1, admin)).deliveredToday;
    harness.clock.advance(dayAfter);
    await harness.assign(id, [3]);
    expect(before).toBeGreaterThan(0);
    expect((await overview('Asia/Tokyo', 1, admin)).deliveredToday).toBe(0);
  });

  it('then a developer may ask, a push sender may not', async () => {
    expect(await overview('UTC', 1, developer)).toHaveProperty('nobody');
    const pushSender = { ...developer, role: 1 };
    const refused = await harness.refused(fileRoutes.getFilesOverview, { params: { pid } }, pushSender);
    expect([refused.status, refused.body.code]).toEqual([403, 'E40301']);
    const foreign = await harness.refused(fileRoutes.getFilesOverview, { params: { pid: 2 } }, admin);
    expect([foreign.status, foreign.body.code]).toEqual([404, 'E40402']);
  });

  it.each(['Nowhere/City', '+09:00', 'x'.repeat(65), "UTC'"])('then %s is no time zone', async (tz) => {
    const refused = await harness.refused(
      fileRoutes.getFilesOverview,
      { params: { pid }, query: { tz } },
      admin,
    );
    expect([refused.status, refused.body.code]).toEqual([400, 'E40002']);
    expect(refused.body.errors).toMatchObject([{ field: 'tz' }]);
  });
});
