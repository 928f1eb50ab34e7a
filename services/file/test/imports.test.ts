import { fileEvents, fileRoutes } from '@portal/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { admin, developer, type FileHarness, someBytes, startFileHarness, stranger } from './file-harness.ts';

let harness: FileHarness;

beforeAll(async () => {
  harness = await startFileHarness();
  await harness.partner(1);
  await harness.partner(2);
});
afterAll(async () => harness.stop());

const params = { pid: 1 };
const open = async (body: { fileName?: string; fileSize?: number; preview?: boolean } = {}, actor = admin) =>
  harness.call(fileRoutes.createUserImport, { params, body: { fileName: 'users.csv', ...body } }, actor);
const complete = async (uploadId: string, actor = admin) =>
  harness.refused(fileRoutes.completeUpload, { params: { uploadId }, body: {} }, actor);
const completed = async () => harness.events(fileEvents.uploadCompleted.type);

describe('When a file of users is to be imported', () => {
  it('then its upload is opened, and its completion is published', async () => {
    const { body, status } = await open();
    expect([status, body]).toEqual([
      201,
      {
        id: body.batchProcessId,
        batchProcessId: expect.any(Number),
        uploadId: expect.any(String),
        signedUrl: expect.any(String),
        partSize: expect.any(Number),
        expiresAt: '2026-11-21T10:00:00Z',
        storage: expect.objectContaining({ bucketDir: `partners/1/imports/${body.batchProcessId}` }),
      },
    ]);
    const bytes = someBytes('name\n');
    await harness.put(body.signedUrl, bytes);
    expect((await complete(body.uploadId)).status).toBe(200);

    const [event] = (await completed()).slice(-1);
    const data = event?.data as { objectKey: string } | undefined;
    expect(event).toMatchObject({
      partnerid: 1,
      subject: body.uploadId,
      data: {
        uploadId: body.uploadId,
        purpose: 'users_csv',
        importId: body.batchProcessId,
        size: bytes.length,
      },
    });
    const stored = await harness.storage.head(data?.objectKey ?? '');
    expect(stored?.size).toBe(bytes.length);
    // Completing twice is completing once, and it is no file.
    expect((await complete(body.uploadId)).status).toBe(200);
    expect((await completed()).filter(({ subject }) => subject === body.uploadId)).toHaveLength(1);
    const list = await harness.call(fileRoutes.listFiles, { params, query: {} }, admin);
    expect(list.body).toMatchObject({ files: [] });
  });

  it('then its bytes go away after a day', async () => {
    const { body } = await open();
    await harness.put(body.signedUrl, someBytes());
    await complete(body.uploadId);
    const [event] = (await completed()).slice(-1);
    const { objectKey } = event?.data as { objectKey: string };
    harness.clock.advance(24 * 3_600_000 + 1000);
    await expect
      .poll(
        harness.afterJobs(async () => harness.storage.head(objectKey)),
        { timeout: 15_000 },
      )
      .toBeUndefined();
  });

  it('then it may be sent in parts if its size was declared', async () => {
    const bytes = someBytes('in parts');
    const { body } = await open({ fileSize: bytes.length });
    const { uploadId } = body;
    const signed = await harness.call(
      fileRoutes.signParts,
      { params: { uploadId }, body: { partNumbers: [1] } },
      admin,
    );
    const sent = await harness.put(signed.body.parts[0]?.signedUrl ?? '', bytes);
    const etag = sent.headers.get('etag') ?? '';
    const { status } = await harness.call(
      fileRoutes.completeUpload,
      { params: { uploadId }, body: { parts: [{ partNumber: 1, etag }] } },
      admin,
    );
    expect(status).toBe(200);
    expect((await completed()).at(-1)?.subject).toBe(uploadId);
  });

  it('then a new one takes the place of one that never got its file', async () => {
    const first = await open();
    await open();
    expect((await complete(first.body.uploadId)).body).toMatchObject({ code: 'E40034' });
  });

  it('then an empty one is handed on as well, so that the import fails at once', async () => {
    const { body } = await open();
    await harness.put(body.signedUrl, new Uint8Array());
    expect((await complete(body.uploadId)).status).toBe(200);
    expect((await completed()).at(-1)).toMatchObject({
      subject: body.uploadId,
      data: { importId: body.batchProcessId, size: 0 },
    });
  });

  it.each([
    ['another kind of file', { fileName: 'users.xlsx' }, 'Specify a .csv file.'],
    ['an empty one', { fileSize: 0 }, 'The file is empty.'],
    ['one that is too large', { fileSize: 512 * 1024 ** 2 + 1 }, expect.stringContaining('exceeds')],
  ])('then %s is refused', async (_, body, message) => {
    const request = { params, body: { fileName: 'users.csv', ...body } };
    const refused = await harness.refused(fileRoutes.createUserImport, request, admin);
    expect(refused.body).toMatchObject({ code: 'E40002', errors: [{ field: 'file', message }] });
  });

  it('then nobody but an admin does it, nor touches its upload', async () => {
    const { body } = await open();
    const request = { params, body: { fileName: 'users.csv' } };
    const refused = async (actor: typeof admin) =>
      (await harness.refused(fileRoutes.createUserImport, request, actor)).body.code;
    expect(await refused(developer)).toBe('E40301');
    expect(await refused(stranger)).toBe('E40402');
    expect((await complete(body.uploadId, developer)).body.code).toBe('E40401');
    expect((await complete(body.uploadId, stranger)).body.code).toBe('E40401');
  });

  it('then the user service refuses a second one', async () => {
    harness.busy.add(1);
    const refused = await harness.refused(
      fileRoutes.createUserImport,
      { params, body: { fileName: 'users.csv' } },
      admin,
    );
    harness.busy.delete(1);
    expect(refused.body.code).toBe('E40010');
  });
});
