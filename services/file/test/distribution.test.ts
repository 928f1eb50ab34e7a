import { fileRoutes, formatDateTime } from '@portal/contracts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { admin, developer, type FileHarness, someBytes, startFileHarness } from './file-harness.ts';

const pid = 1;

let harness: FileHarness;
beforeAll(async () => {
  harness = await startFileHarness();
  await harness.partner(1);
  await harness.group(3, 'Sales');
});
afterAll(async () => harness.stop());

const inMinutes = (minutes: number) =>
  formatDateTime(new Date(harness.clock.now().getTime() + minutes * 60_000));
const params = (id: number) => ({ params: { pid, id } });
const fileOf = async (id: number) => (await harness.call(fileRoutes.getFile, params(id), admin)).body;

let files = 0;
const nextName = () => `package${++files}.uap`;

async function update(id: number, body: object, actor = developer) {
  return harness.refused(fileRoutes.updateFile, { ...params(id), body }, actor);
}
async function reserve(
  id: number,
  body: { updateReservationAt: string; fileName?: string; fileSize?: number },
  actor = developer,
) {
  return harness.refused(fileRoutes.reserveUpdate, { ...params(id), body }, actor);
}
const versionOf = (fileName: string) => ({ fileName, fileSize: someBytes('new').length });

/** A file with a reserved delivery and a reserved update. */
async function reservedFile(groupIds: number[]) {
  const fileName = nextName();
  const id = await harness.upload({ fileName, deliverReservationAt: inMinutes(60) });
  const { body } = await reserve(id, { updateReservationAt: inMinutes(90), ...versionOf(fileName) }, admin);
  if (!('uploadId' in body)) throw new Error(JSON.stringify(body));
  await harness.assign(id, groupIds);
  return { id, fileName };
}

type Reserved = Awaited<ReturnType<typeof reservedFile>>;

/** What changes what players get of a file. */
const changes: Record<string, (file: Reserved) => Promise<{ status: number; body: object }>> = {
  'other bytes': ({ id, fileName }) => update(id, versionOf(fileName)),
  'another time of delivery': ({ id }) => update(id, { deliverReservationAt: inMinutes(30) }),
  'delivery at once': ({ id }) => update(id, { deliverReservationAt: null }),
  'another update': ({ id, fileName }) =>
    reserve(id, { updateReservationAt: inMinutes(90), ...versionOf(fileName) }),
  'another time of the update': ({ id }) => reserve(id, { updateReservationAt: inMinutes(120) }),
  'no update': ({ id }) => harness.refused(fileRoutes.cancelUpdate, params(id), developer),
  deletion: ({ id }) => harness.refused(fileRoutes.deleteFile, params(id), developer),
};

describe('When a developer changes what players get', () => {
  for (const [change, make] of Object.entries(changes)) {
    it(`then ${change} of a file that has groups is refused, and nothing is changed`, async () => {
      const file = await reservedFile([3]);
      const before = await fileOf(file.id);
      const refused = await make(file);
      expect(refused.status).toBe(403);
      expect(refused.body).toMatchObject({
        code: 'E40301',
        message: 'Administrator privileges are required',
      });
      expect({ ...(await fileOf(file.id)), signedUrl: '' }).toEqual({ ...before, signedUrl: '' });
    });

    it(`then ${change} of a file without groups is done`, async () => {
      expect((await make(await reservedFile([]))).status).toBe(200);
    });
  }

  it('then the name and note of a file that has groups are changed, with its times as they are', async () => {
    const { id } = await reservedFile([3]);
    const { deliverReservationAt, updateReservationAt } = await fileOf(id);
    if (updateReservationAt === null) throw new Error('No update is reserved');
    expect((await update(id, { name: 'Renamed', note: 'By a developer', deliverReservationAt })).status).toBe(
      200,
    );
    expect((await reserve(id, { updateReservationAt })).status).toBe(200);
    expect(await fileOf(id)).toMatchObject({ name: 'Renamed', deliverReservationAt, updateReservationAt });
  });
});

describe('When a file has groups', () => {
  const bytes = someBytes('new');

  /** A file with an open upload of a new version. */
  async function openVersion(actor = admin) {
    const fileName = nextName();
    const id = await harness.upload({ fileName, bytes: someBytes('old') });
    const { body } = await update(id, versionOf(fileName), actor);
    if (!('uploadId' in body && 'signedUrl' in body)) throw new Error(JSON.stringify(body));
    return { id, uploadId: String(body.uploadId), signedUrl: String(body.signedUrl) };
  }
  const complete = (uploadId: string, actor = developer) =>
    harness.refused(fileRoutes.completeUpload, { params: { uploadId }, body: {} }, actor);
  const contentOf = async (id: number) => (await harness.get((await fileOf(id)).signedUrl ?? '')).text();

  it('then a developer neither sends bytes of an upload of it nor ends it, and sees how far it is', async () => {
    const { id, uploadId, signedUrl } = await openVersion();
    await harness.assign(id, [3]);
    await harness.put(signedUrl, bytes);
    const refusals = await Promise.all([
      complete(uploadId),
      harness.refused(fileRoutes.signParts, { params: { uploadId }, body: { partNumbers: [1] } }, developer),
      harness.refused(fileRoutes.abortUpload, { params: { uploadId } }, developer),
    ]);
    for (const { status, body } of refusals) {
      expect([status, body]).toMatchObject([403, { code: 'E40301' }]);
    }
    const seen = await harness.call(fileRoutes.getUpload, { params: { uploadId } }, developer);
    expect(seen.body.status).toBe('uploading');
    expect((await complete(uploadId, admin)).status).toBe(200);
    expect(await contentOf(id)).toBe('new');
  });

  it('then one that a developer had opened before is completed by an administrator alone', async () => {
    const { id, uploadId, signedUrl } = await openVersion(developer);
    await harness.put(signedUrl, bytes);
    await harness.assign(id, [3]);
    expect((await complete(uploadId)).status).toBe(403);
    expect(await contentOf(id)).toBe('old');
    expect((await complete(uploadId, admin)).status).toBe(200);
    expect(await contentOf(id)).toBe('new');
  });

  it('then bytes that a developer completed just before do not take effect any more', async () => {
    const { id, uploadId, signedUrl } = await openVersion(developer);
    await harness.put(signedUrl, bytes);
    const { storage } = harness;
    const get = storage.get.bind(storage);
    vi.spyOn(storage, 'get').mockImplementationOnce(async (...asked) => {
      await harness.assign(id, [3]);
      return get(...asked);
    });
    expect((await complete(uploadId)).body).toMatchObject({ code: 'E40034' });
    expect(await contentOf(id)).toBe('old');
    const { body } = await harness.call(fileRoutes.getUpload, { params: { uploadId } }, developer);
    expect(body.status).toBe('aborted');
    const failed = (await harness.events('upload.failed')).find(({ subject }) => subject === String(id));
    expect(failed?.data).toMatchObject({ uploadId, openedBy: developer.id, reason: 'refused' });
  });
});
