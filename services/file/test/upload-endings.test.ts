import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { fileRoutes, formatDateTime, limits } from '@portal/contracts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { admin, type FileHarness, startFileHarness } from './file-harness.ts';

let harness: FileHarness;
const pid = 1;
let made = 0;

beforeAll(async () => {
  harness = await startFileHarness();
  await harness.partner(1);
});
afterAll(async () => harness.stop());

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const complete = async ({ parts, uploadId }: Sent) =>
  harness.refused(fileRoutes.completeUpload, { params: { uploadId }, body: { parts } }, admin);
const abort = async ({ uploadId }: Sent) =>
  harness.refused(fileRoutes.abortUpload, { params: { uploadId } }, admin);
const fileOf = async (id: number) => harness.call(fileRoutes.getFile, { params: { pid, id } }, admin);

/** An upload whose bytes are there. */
interface Sent {
  readonly uploadId: string;
  readonly parts: { partNumber: number; etag: string }[];
  readonly bytes: Buffer;
  readonly again: string;
  /** Null for an import. */
  readonly fileId: number | null;
}

const kinds = ['new file', 'new version', 'reserved version', 'import'] as const;

async function open(kind: (typeof kinds)[number], size: number) {
  made += 1;
  const fileName = `ending-${made}.uap`;
  if (kind === 'import') {
    const body = { fileName: 'users.csv', fileSize: size };
    const { body: opened } = await harness.call(
      fileRoutes.createUserImport,
      { params: { pid }, body },
      admin,
    );
    return { uploadId: opened.uploadId, signedUrl: opened.signedUrl, fileId: null };
  }
  if (kind === 'new file') {
    const body = { name: fileName, fileName, fileSize: size };
    const { body: opened } = await harness.call(fileRoutes.createFile, { params: { pid }, body }, admin);
    return { uploadId: opened.uploadId, signedUrl: opened.signedUrl, fileId: opened.id };
  }
  const fileId = await harness.upload({ fileName });
  const params = { pid, id: fileId };
  const updateReservationAt = formatDateTime(new Date(harness.clock.now().getTime() + 3_600_000));
  const { body: opened } =
    kind === 'new version'
      ? await harness.call(fileRoutes.updateFile, { params, body: { fileName, fileSize: size } }, admin)
      : await harness.call(
          fileRoutes.reserveUpdate,
          { params, body: { updateReservationAt, fileName, fileSize: size } },
          admin,
        );
  if (!('uploadId' in opened)) throw new Error('No upload was opened');
  return { uploadId: opened.uploadId, signedUrl: opened.signedUrl, fileId };
}

async function sendBytes(kind: (typeof kinds)[number], inParts: boolean): Promise<Sent> {
  const bytes = kind === 'import' ? Buffer.from('name\nsomebody\n') : randomBytes(50_000);
  const { fileId, signedUrl, uploadId } = await open(kind, bytes.length);
  if (!inParts) {
    expect((await harness.put(signedUrl, bytes)).status).toBe(200);
    return { uploadId, parts: [], bytes, again: signedUrl, fileId };
  }
  const { body } = await harness.call(
    fileRoutes.signParts,
    { params: { uploadId }, body: { partNumbers: [1] } },
    admin,
  );
  const again = body.parts[0]?.signedUrl ?? '';
  const reply = await harness.put(again, bytes);
  expect(reply.status).toBe(200);
  return {
    uploadId,
    parts: [{ partNumber: 1, etag: reply.headers.get('etag') ?? '' }],
    bytes,
    again,
    fileId,
  };
}

const acts = ['complete', 'abort', 'send again', 'delete file', 'take back reservation'] as const;
type Act = (typeof acts)[number];

async function perform(act: Act, sent: Sent): Promise<{ act: Act; status: number; code?: string }> {
  const { again, bytes, fileId } = sent;
  if (act === 'send again') {
    // Of two at once the older is cut.
    const reply = await harness.put(again, bytes).catch(() => undefined);
    await reply?.arrayBuffer();
    return { act, status: reply?.status ?? 0 };
  }
  const params = { pid, id: fileId ?? 0 };
  const call = {
    complete: async () => complete(sent),
    abort: async () => abort(sent),
    'delete file': async () => harness.refused(fileRoutes.deleteFile, { params }, admin),
    'take back reservation': async () => harness.refused(fileRoutes.cancelUpdate, { params }, admin),
  }[act];
  const { body, status } = await call();
  return { act, status, code: body.code };
}

const pause = async (turns: number) => {
  for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
};

async function statusInDatabase({ uploadId }: Sent) {
  const [row] = await harness.sql<{ status: string; object_key: string; sha256: string | null }>(
    'SELECT status, object_key, sha256 FROM versions WHERE upload_id = $1',
    uploadId,
  );
  return row;
}

/** What is stored is what its row says: nothing that was acknowledged is gone. */
async function expectKept(sent: Sent): Promise<void> {
  const row = await statusInDatabase(sent);
  expect(row).toMatchObject({ status: 'complete', sha256: sha256(sent.bytes) });
  expect((await harness.storage.head(row?.object_key ?? ''))?.size).toBe(sent.bytes.length);
}

/** The store has no object under any key of the upload. */
async function leftOf({ uploadId }: Sent): Promise<string[]> {
  const [row] = await harness.sql<{ object_key: string; incoming_key: string }>(
    'SELECT object_key, incoming_key FROM versions WHERE upload_id = $1',
    uploadId,
  );
  const left: string[] = [];
  for (const key of [row?.object_key ?? '', row?.incoming_key ?? '']) {
    if (await harness.storage.head(key)) left.push(key);
  }
  return left;
}

it('When an upload is ended in several ways at the same moment, then one succeeds, the others are refused, and the result does not change', {
  timeout: 120_000,
}, async () => {
  const takenBack: Sent[] = [];
  const kept: Sent[] = [];
  const step = fc.record({ act: fc.constantFrom(...acts), turns: fc.integer({ min: 0, max: 40 }) });
  const both = [
    { act: 'complete', turns: 0 },
    { act: 'abort', turns: 0 },
  ] as const;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...kinds),
      fc.boolean(),
      fc.nat({ max: 30 }),
      fc.array(step, { maxLength: 3 }),
      async (kind, inParts, turns, more) => {
        const sent = await sendBytes(kind, inParts);
        const possible = more.filter(
          ({ act }) =>
            (act !== 'delete file' || kind !== 'import') &&
            (act !== 'take back reservation' || kind === 'reserved version'),
        );
        // Completing and aborting, either of them first, with other steps in between: not both may succeed.
        const [first, second] = turns % 2 ? both : both.toReversed();
        const answers = await Promise.all(
          [first, { ...second, turns }, ...possible].map(async (one) => {
            if (!one) throw new Error('There are two');
            await pause(one.turns);
            return perform(one.act, sent);
          }),
        );
        const answered = (act: Act, status: number) =>
          answers.some((answer) => answer.act === act && answer.status === status);
        const completed = answered('complete', 200);
        const aborted = answered('abort', 200);
        const dropped = answered('delete file', 200) || answered('take back reservation', 200);
        const story = JSON.stringify(answers);
        expect(completed && aborted, story).toBe(false);
        expect(completed || aborted || dropped, story).toBe(true);
        for (const { act, code, status } of answers) {
          expect(status, story).toBeLessThan(500);
          if (status === 200 || act === 'send again') continue;
          // A part that was sent again has another ETag than the one that is named.
          const told =
            act === 'complete' && answers.some((other) => other.act === 'send again' && other.status === 200)
              ? ['E40034', 'E40002']
              : ['E40034', ...(act === 'delete file' || act === 'take back reservation' ? ['E40405'] : [])];
          expect(told, story).toContain(code);
        }

        // A repeat gets the same answer.
        const [againCompleted, againAborted] = [await complete(sent), await abort(sent)];
        if (completed && !dropped) {
          expect([againCompleted.status, againAborted.body.code], story).toEqual([200, 'E40034']);
          kept.push(sent);
          await expectKept(sent);
        }
        if (aborted) {
          expect([againCompleted.body.code, againAborted.status], story).toEqual(['E40034', 200]);
          takenBack.push(sent);
        }
        if (aborted && kind === 'new file') {
          expect((await fileOf(sent.fileId ?? 0)).status, story).toBe(404);
        }
      },
    ),
    {
      numRuns: 20,
      interruptAfterTimeLimit: 60_000,
      // So long after each other that the first wins, however slow the machine is.
      examples: [
        ['new file', false, 10_001, []],
        ['new file', false, 10_000, []],
      ],
    },
  );
  expect(kept.length).toBeGreaterThan(0);
  expect(takenBack.length).toBeGreaterThan(0);
  await expect
    .poll(
      harness.afterJobs(async () => (await Promise.all(takenBack.map(leftOf))).flat()),
      {
        timeout: 20_000,
      },
    )
    .toEqual([]);
  for (const sent of kept) await expectKept(sent);
});

it('When parts were put together and the process died before it said so, then the upload can be completed or taken back', async () => {
  for (const end of ['complete', 'abort'] as const) {
    const sent = await sendBytes('new file', true);
    const [row] = await harness.sql<{ object_key: string; incoming_key: string }>(
      'SELECT object_key, incoming_key FROM versions WHERE upload_id = $1',
      sent.uploadId,
    );
    // As the store is left then: the object is there, the upload is not.
    const [upload] = await harness.sql<{ storage_upload_id: string }>(
      'SELECT storage_upload_id FROM versions WHERE upload_id = $1',
      sent.uploadId,
    );
    await harness.storage.completeMultipart(
      {
        key: row?.object_key ?? '',
        uploadId: upload?.storage_upload_id ?? '',
        size: sent.bytes.length,
        partSize: 8 * 1024 * 1024,
      },
      sent.parts,
    );
    expect((await perform(end, sent)).status).toBe(200);
    if (end === 'complete') await expectKept(sent);
    else
      await expect
        .poll(
          harness.afterJobs(async () => leftOf(sent)),
          { timeout: 15_000 },
        )
        .toEqual([]);
  }
});

it('When an upload is over by time at the moment at which it is completed, then either counts, and not both', {
  timeout: 120_000,
}, async () => {
  const uploads: Sent[] = [];
  for (let n = 0; n < 14; n += 1)
    uploads.push(await sendBytes(n % 2 ? 'new file' : 'new version', n % 3 === 0));
  // After a run the next comes some seconds later by itself.
  await harness.runJobs();
  harness.clock.advance(limits.uploadLifetime + 1_000);
  // Some are completed before the job that ends them, some while it is at work, and the last one after it.
  const answers: { sent: Sent; status: number; code: string }[] = [];
  let running: Promise<void> | undefined;
  for (const [n, sent] of uploads.entries()) {
    if (n === 6) running = harness.runJobs();
    if (n === uploads.length - 1) {
      await running;
      await harness.runJobs();
    }
    const { body, status } = await complete(sent);
    answers.push({ sent, status, code: body.code });
  }
  for (const { code, sent, status } of answers) {
    if (status === 200) await expectKept(sent);
    else {
      expect(code).toBe('E40034');
      expect(await statusInDatabase(sent)).toMatchObject({ status: 'aborted' });
    }
  }
  expect([answers.at(0)?.status, answers.at(-1)?.status]).toEqual([200, 400]);
});

it('When a newer upload takes the place of one that is being completed, then what was acknowledged stays', {
  timeout: 60_000,
}, async () => {
  for (let round = 0; round < 10; round += 1) {
    const sent = await sendBytes('new version', round % 2 === 0);
    const params = { pid, id: sent.fileId ?? 0 };
    const [row] = await harness.sql<{ file_name: string }>(
      'SELECT file_name FROM files WHERE id = $1',
      params.id,
    );
    const body = { fileName: row?.file_name ?? '', fileSize: 10 };
    const replace = async () => {
      await pause(round * 5);
      return harness.refused(fileRoutes.updateFile, { params, body }, admin);
    };
    const [completed, replaced] = await Promise.all([complete(sent), replace()]);
    if (completed.status === 200) {
      await expectKept(sent);
      // While it is verified nothing takes its place; when it is there it is one version, and the next comes after it.
      if (replaced.status !== 200) expect(replaced.body.code).toBe('E40019');
    } else {
      expect([completed.body.code, replaced.status]).toEqual(['E40034', 200]);
    }
  }
});

it('When a tenant has as many open uploads as it may, then another is refused until one has ended', async () => {
  await harness.partner(7);
  const them = { ...admin, partnerId: 7 } as typeof admin;
  const create = async (name: string) =>
    harness.refused(
      fileRoutes.createFile,
      { params: { pid: 7 }, body: { name, fileName: `${name}.ufpz`, fileSize: 5 } },
      them,
    );
  const first = await create('first');
  expect(first.status).toBe(201);
  await harness.sql(
    `INSERT INTO versions (partner_id, upload_id, slot, status, unattended, object_key, incoming_key, opened_at, urls_expire_at)
     SELECT 7, gen_random_uuid()::text, 'current', 'uploading', false, 'partners/7/x' || n, 'partners/7/y' || n, $1, $1
     FROM generate_series(2, $2) n`,
    harness.clock.now(),
    limits.maxOpenUploads,
  );
  const refused = await create('second');
  expect([refused.status, refused.body]).toMatchObject([
    400,
    { code: 'E40019', errors: [{ field: 'file', message: expect.stringContaining('100') }] },
  ]);
  if (!('uploadId' in first.body)) throw new Error(JSON.stringify(first.body));
  const uploadId = String(first.body.uploadId);
  await harness.call(fileRoutes.abortUpload, { params: { uploadId } }, them);
  expect((await create('second')).status).toBe(201);
  // Other tenants are not kept from theirs.
  expect((await sendBytes('new file', false)).uploadId).toBeDefined();
});

it('When the bytes that arrived are replaced while they are read, then what is complete is what was hashed', async () => {
  const sent = await sendBytes('new file', false);
  const [row] = await harness.sql<{ incoming_key: string }>(
    'SELECT incoming_key FROM versions WHERE upload_id = $1',
    sent.uploadId,
  );
  const replace = async (size: number) =>
    harness.storage.put(row?.incoming_key ?? '', Readable.from([randomBytes(size)]));
  const [completed] = await Promise.all([complete(sent), replace(sent.bytes.length), replace(7)]);
  const kept = await statusInDatabase(sent);
  if (completed.status === 200) {
    const content = await harness.storage.get(kept?.object_key ?? '');
    if (content === undefined || content === 'not-modified')
      throw new Error('It was acknowledged and is not there');
    const hash = createHash('sha256');
    for await (const chunk of content.body) hash.update(chunk);
    expect(hash.digest('hex')).toBe(kept?.sha256);
  } else {
    expect(completed.body).toMatchObject({ code: 'E40002', errors: [{ field: 'file' }] });
    expect(kept?.status).toBe('uploading');
  }
});
