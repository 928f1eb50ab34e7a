import { fileRoutes, limits } from '@portal/contracts';
import { partnerActor } from '@portal/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { config } from '../src/config.ts';
import { admin, type FileHarness, someBytes, startFileHarness, stranger } from './file-harness.ts';

const pid = 1;
const gibibyte = 1024 ** 3;
const day = 24 * 3_600_000;

let harness: FileHarness;
beforeAll(async () => {
  harness = await startFileHarness({ STORAGE_QUOTAS: 'enterprise=1' });
  await harness.partner(1);
});
afterAll(async () => harness.stop());

const use = async () => (await harness.call(fileRoutes.getStorageUse, { params: { pid } }, admin)).body;
const open = async (fileName: string, fileSize: number) =>
  harness.refused(
    fileRoutes.createFile,
    { params: { pid }, body: { name: fileName, fileName, fileSize } },
    admin,
  );
const storageFull = { code: 'E40002', errors: [{ field: 'file' }] };

function uploadIdOf(body: object): string {
  if (!('uploadId' in body)) throw new Error(JSON.stringify(body));
  return String(body.uploadId);
}

describe('When a contract rank has a storage quota', () => {
  it('then what is stored, being uploaded and not gone yet counts', async () => {
    expect(await use()).toEqual({ quotaBytes: gibibyte, usedBytes: 0, leavingBytes: 0 });
    const bytes = someBytes('ten bytes!');
    const id = await harness.upload({ fileName: 'stored.uap', bytes });
    const opened = await open('opened.uap', 1000);
    expect(await use()).toMatchObject({ usedBytes: 1010, leavingBytes: 0 });

    await harness.call(fileRoutes.deleteFile, { params: { pid, id } }, admin);
    expect(await use()).toMatchObject({ usedBytes: 1010, leavingBytes: 10 });
    const uploadId = uploadIdOf(opened.body);
    await harness.call(fileRoutes.abortUpload, { params: { uploadId } }, admin);
    expect(await use()).toMatchObject({ usedBytes: 10, leavingBytes: 10 });

    harness.clock.advance(limits.deletedBytesRetention + day);
    await expect.poll(harness.afterJobs(use)).toMatchObject({ usedBytes: 0, leavingBytes: 0 });
  });

  it('then nothing is opened over it: files, new versions, reserved updates, imports', async () => {
    const id = await harness.upload({ fileName: 'first.uap', bytes: someBytes('ten bytes!') });
    const version = { fileName: 'first.uap', fileSize: gibibyte };
    const updateReservationAt = new Date(harness.clock.now().getTime() + day).toISOString().slice(0, 19);
    const refused = await Promise.all([
      open('second.uap', gibibyte - 9),
      harness.refused(fileRoutes.updateFile, { params: { pid, id }, body: version }, admin),
      harness.refused(
        fileRoutes.reserveUpdate,
        { params: { pid, id }, body: { updateReservationAt: `${updateReservationAt}Z`, ...version } },
        admin,
      ),
    ]);
    for (const { status, body } of refused) {
      expect(status).toBe(400);
      expect(body).toMatchObject(storageFull);
    }
    expect((await open('second.uap', gibibyte - 10)).status).toBe(201);
    const users = { fileName: 'users.csv', fileSize: 1 };
    const imported = await harness.refused(
      fileRoutes.createUserImport,
      { params: { pid }, body: users },
      admin,
    );
    expect(imported.body).toMatchObject(storageFull);
  });

  it('then bytes of undeclared size are counted when they are stored', async () => {
    await harness.partner(3);
    const actor = partnerActor({ partnerId: 3, accountId: 30 });
    const filling = { name: 'fill.uap', fileName: 'fill.uap', fileSize: gibibyte - 1 };
    await harness.call(fileRoutes.createFile, { params: { pid: 3 }, body: filling }, actor);
    const single = await harness.call(
      fileRoutes.createSingleFile,
      { params: { pid: 3 }, body: { name: 'single.uap' } },
      actor,
    );
    const { id, signedUrl, uploadId } = single.body;
    await harness.put(signedUrl, someBytes('too many'));
    const completed = await harness.refused(
      fileRoutes.completeUpload,
      { params: { uploadId }, body: {} },
      actor,
    );
    // The service looks for the bytes by itself as well, and takes such an upload back.
    expect(['E40002', 'E40034']).toContain((completed.body as { code: string }).code);
    const find = async () =>
      (await harness.refused(fileRoutes.getFile, { params: { pid: 3, id } }, actor)).status;
    await expect.poll(harness.afterJobs(find)).toBe(404);
  });

  it('then one of two uploads at the same moment gets the last place, whatever other tenants store', async () => {
    await harness.partner(2);
    const openElsewhere = async (fileName: string) =>
      harness.refused(
        fileRoutes.createFile,
        { params: { pid: 2 }, body: { name: fileName, fileName, fileSize: gibibyte } },
        stranger,
      );
    const answers = await Promise.all([openElsewhere('one.uap'), openElsewhere('two.uap')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400]);
  });
});

describe('The setting of the quotas', () => {
  const read = (STORAGE_QUOTAS?: string) => config.safeParse({ STORAGE_QUOTAS });

  it('names ranks with whole GiB', () => {
    expect(read().data?.storageQuotas).toBeUndefined();
    expect(read('free=1, trial=5').data?.storageQuotas).toMatchObject({
      free: gibibyte,
      trial: 5 * gibibyte,
      entry: 0,
    });
  });

  it.each(['free', 'free=', 'gold=1', 'free=1GiB', 'free=-1', 'free=1=2', 'free=1,,trial=2'])(
    'is refused as %s',
    (value) => expect(read(value).success).toBe(false),
  );
});
