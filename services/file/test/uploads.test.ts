import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { fileRoutes, limits } from '@portal/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { admin, type FileHarness, someBytes, startFileHarness } from './file-harness.ts';

let harness: FileHarness;
const pid = 1;
const mib = 1024 * 1024;

beforeAll(async () => {
  harness = await startFileHarness();
  await harness.partner(1);
});
afterAll(async () => harness.stop());

const create = async (fileName: string, fileSize: number) => {
  const created = await harness.call(
    fileRoutes.createFile,
    { params: { pid }, body: { name: fileName, fileName, fileSize } },
    admin,
  );
  expect(created.status).toBe(201);
  return created.body;
};
const complete = async (uploadId: string, parts: { partNumber: number; etag: string }[] = []) =>
  harness.refused(fileRoutes.completeUpload, { params: { uploadId }, body: { parts } }, admin);
const fileOf = async (id: number) =>
  (await harness.call(fileRoutes.getFile, { params: { pid, id } }, admin)).body;
const uploadOf = async (uploadId: string) =>
  (await harness.call(fileRoutes.getUpload, { params: { uploadId } }, admin)).body;

async function sendPart(uploadId: string, partNumber: number, bytes: Uint8Array): Promise<string> {
  const signed = await harness.call(
    fileRoutes.signParts,
    { params: { uploadId }, body: { partNumbers: [partNumber] } },
    admin,
  );
  const reply = await harness.put(signed.body.parts[0]?.signedUrl ?? '', bytes);
  expect(reply.status).toBe(200);
  return reply.headers.get('etag') ?? '';
}

describe('When a file is sent in parts', () => {
  it('then it can be resumed from what is stored, and is identical', async () => {
    const bytes = randomBytes(8 * mib + 1000);
    const { id, partSize, uploadId } = await create('parts.uap', bytes.length);
    expect(partSize).toBe(8 * mib);
    const etag = await sendPart(uploadId, 2, bytes.subarray(partSize));
    expect(await uploadOf(uploadId)).toEqual({
      status: 'uploading',
      partSize,
      parts: [{ partNumber: 2, size: 1000, etag }],
    });

    const early = await complete(uploadId, [{ partNumber: 2, etag }]);
    expect(early.status).toBe(400);
    expect(early.body).toMatchObject({ code: 'E40002', errors: [{ field: 'file' }] });

    const first = await sendPart(uploadId, 1, bytes.subarray(0, partSize));
    const wrong = await complete(uploadId, [
      { partNumber: 1, etag: 'wrong' },
      { partNumber: 2, etag },
    ]);
    expect(wrong.body).toMatchObject({ code: 'E40002', errors: [{ field: 'parts' }] });
    const parts = [
      { partNumber: 1, etag: first },
      { partNumber: 2, etag },
    ];
    // Twice at once, and once more: all the same.
    const both = await Promise.all([complete(uploadId, parts), complete(uploadId, parts)]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect((await complete(uploadId, parts)).body).toEqual({});
    const file = await fileOf(id);
    expect(file.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect(Buffer.from(await (await harness.get(file.signedUrl ?? '')).arrayBuffer())).toEqual(bytes);
    expect(await uploadOf(uploadId)).toEqual({ status: 'complete', partSize, parts: [] });
    expect(
      (await harness.events('file.uploaded')).filter(({ subject }) => subject === String(id)),
    ).toHaveLength(1);
  });

  it('then parts beyond its end are refused', async () => {
    const { uploadId } = await create('beyond.uap', 10);
    const refused = await harness.refused(
      fileRoutes.signParts,
      { params: { uploadId }, body: { partNumbers: [2] } },
      admin,
    );
    expect(refused.body).toMatchObject({ code: 'E40002', errors: [{ field: 'part_numbers' }] });
  });

  it('then an upload that does not exist is not found', async () => {
    for (const uploadId of ['nothing', '019a9f0e-5a3e-7c41-8a53-1f2d3c4b5a69', '%00']) {
      const refused = await harness.raw({ method: 'GET', url: `/v1/uploads/${uploadId}`, actor: admin });
      expect([refused.status, refused.body.code]).toEqual([404, 'E40401']);
    }
  });
});

describe('When what arrived is not what was declared', () => {
  it('then it is refused, and the upload goes on', async () => {
    const { signedUrl, uploadId } = await create('short.uap', 10);
    const nothing = await complete(uploadId);
    expect(nothing.body).toMatchObject({ code: 'E40002', errors: [{ field: 'file' }] });
    await harness.put(signedUrl, someBytes('short'));
    const short = await complete(uploadId);
    expect(short.body).toMatchObject({
      code: 'E40002',
      errors: [{ field: 'file', message: 'The size of the uploaded file does not match.' }],
    });
    expect((await harness.put(signedUrl, someBytes('longer than ten'))).status).toBe(413);
    await harness.put(signedUrl, someBytes('ten bytes!'));
    expect((await complete(uploadId)).status).toBe(200);
  });
});

describe('When a file is registered as a single one', () => {
  it('then its upload is completed without a call', async () => {
    const created = await harness.call(
      fileRoutes.createSingleFile,
      { params: { pid }, body: { name: 'single.ufpz' } },
      admin,
    );
    expect(created.status).toBe(201);
    const { partnerFileId, signedUrl } = created.body;
    await harness.put(signedUrl, someBytes('alone'));
    await expect
      .poll(
        harness.afterJobs(async () => (await fileOf(partnerFileId)).uploadStatus),
        { timeout: 10_000 },
      )
      .toBe('complete');
    expect(await fileOf(partnerFileId)).toMatchObject({
      name: 'single.ufpz',
      fileName: 'single.ufpz',
      fileSize: 5,
    });
  });

  it('then the rules of names are the same', async () => {
    const wrong = await harness.refused(
      fileRoutes.createSingleFile,
      { params: { pid }, body: { name: 'single.zip' } },
      admin,
    );
    expect(wrong.body).toMatchObject({ code: 'E40002', errors: [{ field: 'file' }] });
    const taken = await harness.refused(
      fileRoutes.createSingleFile,
      { params: { pid }, body: { name: 'SINGLE.ufpz' } },
      admin,
    );
    expect(taken.body).toMatchObject({ code: 'E40026', errors: [{ field: 'name' }] });
  });
});

describe('When an upload is aborted', () => {
  it('then a file that never got its bytes goes with it, and the name is free', async () => {
    const { id, uploadId } = await create('aborted.uap', 5);
    await sendPart(uploadId, 1, someBytes('bytes'));
    const abort = async () => harness.refused(fileRoutes.abortUpload, { params: { uploadId } }, admin);
    expect((await abort()).body).toEqual({});
    expect((await abort()).body).toEqual({});
    expect((await uploadOf(uploadId)).status).toBe('aborted');
    expect((await complete(uploadId)).body.code).toBe('E40034');
    const gone = await harness.refused(fileRoutes.getFile, { params: { pid, id } }, admin);
    expect(gone.body.code).toBe('E40405');
    await create('aborted.uap', 5);
  });

  it('then a complete one is not', async () => {
    await harness.upload({ fileName: 'done.uap' });
    const [row] = await harness.sql<{ upload_id: string }>(
      'SELECT upload_id FROM versions ORDER BY id DESC LIMIT 1',
    );
    const refused = await harness.refused(
      fileRoutes.abortUpload,
      { params: { uploadId: row?.upload_id ?? '' } },
      admin,
    );
    expect([refused.status, refused.body.code]).toEqual([400, 'E40034']);
  });

  it('then a day without bytes does the same, and nothing stays stored', async () => {
    const { id, signedUrl, uploadId } = await create('slow.uap', 20);
    await harness.put(signedUrl, someBytes('half'));
    await sendPart(uploadId, 1, randomBytes(20));
    const [row] = await harness.sql<{ incoming_key: string }>(
      'SELECT * FROM versions WHERE file_id = $1',
      id,
    );
    harness.clock.advance(limits.uploadLifetime + 1000);
    await expect
      .poll(
        harness.afterJobs(async () => (await uploadOf(uploadId)).status),
        { timeout: 10_000 },
      )
      .toBe('aborted');
    await expect
      .poll(
        harness.afterJobs(async () => harness.storage.head(row?.incoming_key ?? '')),
        { timeout: 10_000 },
      )
      .toBeUndefined();
    expect((await harness.events('file.deleted')).map(({ subject }) => subject)).toContain(String(id));
  });
});

describe('When the process dies while it verifies', () => {
  async function arrived(fileName: string) {
    const { id, uploadId } = await create(fileName, 5);
    const [row] = await harness.sql<{ id: number; incoming_key: string }>(
      'SELECT * FROM versions WHERE file_id = $1',
      id,
    );
    if (!row) throw new Error('There is no version');
    await harness.storage.put(row.incoming_key, Readable.from([someBytes('bytes')]));
    return { id, uploadId, versionId: row.id };
  }

  it('then the next one continues it, and a repeated completion waits for that', async () => {
    const { id, uploadId, versionId } = await arrived('crash.uap');
    // As it stands in the database when the process is killed right then.
    await harness.sql(
      `INSERT INTO messaging.task (queue, id, partner_id, payload, added_at, due_at, lease)
       VALUES ('verify-uploads', $1::integer, $2, jsonb_build_object('id', $1::integer, 'partnerId', $2::integer), $3::timestamptz,
         $3::timestamptz + interval '10 s', gen_random_uuid())`,
      versionId,
      pid,
      harness.clock.now(),
    );
    await harness.sql(`UPDATE versions SET status = 'verifying' WHERE id = $1`, versionId);
    const again = complete(uploadId);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect((await uploadOf(uploadId)).status).toBe('uploading');
    harness.clock.advance(11_000);
    expect((await again).status).toBe(200);
    expect((await uploadOf(uploadId)).status).toBe('complete');
    expect((await fileOf(id)).sha256).toBe(createHash('sha256').update('bytes').digest('hex'));
  });

  it('then one that the earlier version has left is continued as well', async () => {
    const { id, versionId } = await arrived('before.uap');
    await harness.sql(
      `UPDATE versions SET status = 'verifying', verifying_at = $2 WHERE id = $1`,
      versionId,
      harness.clock.now(),
    );
    await expect
      .poll(
        harness.afterJobs(async () => (await fileOf(id)).sha256),
        { timeout: 10_000 },
      )
      .toHaveLength(64);
  });
});
