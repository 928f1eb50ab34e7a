import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { newId } from '@portal/kernel';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AddressUse, MultipartUpload, ObjectContent, ObjectStorage } from './object-storage.ts';

/** A store under test, with its signed URLs reachable over HTTP. */
export interface StorageHarness {
  readonly storage: ObjectStorage;
  /** The least part size of the store, in bytes. */
  readonly partSize: number;
  /** Another instance on the same bytes, as after a restart. */
  reopen(): Promise<ObjectStorage>;
  /** The time of the store, and of whoever checks its signatures. */
  now(): Date;
  /** Lets time pass, by a clock that can be moved or by waiting. */
  passTime(ms: number): Promise<void>;
  /**
   * While it completes an upload the store may take a part for one that it has checked already. Versity's gateway does, which
   * opens its folder for the part before it is renamed; Amazon's S3 completes atomically.
   */
  readonly mayMixPartsThatComeMeanwhile?: true;
  close(): Promise<void>;
}

/** What every adapter of `ObjectStorage` must do. The tests share one store and use a key of their own each. */
export function describeObjectStorage(name: string, open: () => Promise<StorageHarness>): void {
  describe(`ObjectStorage: ${name}`, () => {
    let harness: StorageHarness;
    let storage: ObjectStorage;

    beforeAll(async () => {
      harness = await open();
      storage = harness.storage;
    });
    afterAll(() => harness.close());

    const newKey = () => `suite/${newId()}/v1`;
    const use: AddressUse = { purpose: 'export', sessionId: 'a session' };
    const inSeconds = (seconds: number) => new Date(harness.now().getTime() + seconds * 1000);

    /** An upload of two full parts and a last one of 5 bytes, with the bytes that belong into it. */
    async function beginThreeParts() {
      const bytes = randomBytes(2 * harness.partSize + 5);
      const upload = await storage.createMultipart(newKey(), {
        size: bytes.length,
        partSize: harness.partSize,
      });
      return { bytes, upload, part: (number: number) => bytesOfPart(bytes, upload, number) };
    }

    describe('single objects', () => {
      it('gives back the bytes that were put, with their size and ETag', async () => {
        const key = newKey();
        const bytes = randomBytes(300_000);
        const put = await storage.put(key, Readable.from(chunksOf(bytes, 7_000)));
        expect(put.size).toBe(bytes.length);
        expect(put.etag).toMatch(/^".+"$/);
        expect(await storage.head(key)).toEqual(put);
        const got = await found(storage.get(key));
        expect(got).toMatchObject({ size: put.size, etag: put.etag, lastModified: put.lastModified });
        expect(got.range).toBeUndefined();
        expect(hash(await buffer(got.body))).toBe(hash(bytes));
      });

      it('stores an empty object', async () => {
        const key = newKey();
        expect((await storage.put(key, Readable.from([]))).size).toBe(0);
        expect(await buffer((await found(storage.get(key))).body)).toHaveLength(0);
      });

      it('knows nothing of a key that was never put', async () => {
        expect(await storage.head(newKey())).toBeUndefined();
        expect(await storage.get(newKey())).toBeUndefined();
      });

      it('gives a replaced object another ETag, and an open reader the bytes that it opened', async () => {
        const key = newKey();
        const first = await storage.put(key, Readable.from([Buffer.from('first')]));
        const reader = await found(storage.get(key));
        const second = await storage.put(key, Readable.from([Buffer.from('again')]));
        expect(second.etag).not.toBe(first.etag);
        expect(String(await buffer(reader.body))).toBe('first');
        expect(await textOf(storage, key)).toBe('again');
      });

      it('stores nothing when the body fails, and keeps what was there', async () => {
        const fresh = newKey();
        const kept = newKey();
        await storage.put(kept, Readable.from([Buffer.from('kept')]));
        for (const key of [fresh, kept]) await expect(storage.put(key, failingBody())).rejects.toThrow('cut');
        expect(await storage.head(fresh)).toBeUndefined();
        expect(await textOf(storage, kept)).toBe('kept');
      });

      it('cuts a body that is longer than allowed', async () => {
        const key = newKey();
        const put = storage.put(key, Readable.from([Buffer.alloc(60), Buffer.alloc(41)]), { maxSize: 100 });
        await expect(put).rejects.toMatchObject({ reason: 'too-large' });
        expect(await storage.head(key)).toBeUndefined();
      });

      it.each([100, 3_000_000])(
        'takes the size of a body of %i bytes when told, and refuses another',
        async (size) => {
          const key = newKey();
          const bytes = randomBytes(size);
          const put = await storage.put(key, Readable.from(chunksOf(bytes, 70_000)), { size });
          expect(put.size).toBe(size);
          expect(await storage.head(key)).toEqual(put);
          const wrong = async (told: number) =>
            storage.put(key, Readable.from(chunksOf(randomBytes(size), 70_000)), { size: told });
          await expect(wrong(size + 1)).rejects.toMatchObject({ reason: 'wrong-size' });
          await expect(wrong(size - 1)).rejects.toMatchObject({ reason: 'too-large' });
          const allowed = { size, maxSize: size - 1 };
          await expect(storage.put(key, Readable.from([bytes]), allowed)).rejects.toMatchObject({
            reason: 'too-large',
          });
          expect(hash(await buffer((await found(storage.get(key))).body))).toBe(hash(bytes));
        },
      );

      it('stores a large body whose size is not told', async () => {
        const key = newKey();
        const bytes = randomBytes(12_000_000);
        const put = await storage.put(key, Readable.from(chunksOf(bytes, 100_000)), {
          maxSize: bytes.length,
        });
        expect(put.size).toBe(bytes.length);
        const more = Readable.from(chunksOf(bytes, 100_000));
        await expect(storage.put(key, more, { maxSize: bytes.length - 1 })).rejects.toMatchObject({
          reason: 'too-large',
        });
        expect(hash(await buffer((await found(storage.get(key))).body))).toBe(hash(bytes));
      });

      it('deletes, and deletes again', async () => {
        const key = newKey();
        await storage.put(key, Readable.from([Buffer.from('x')]));
        await storage.delete(key);
        expect(await storage.head(key)).toBeUndefined();
        await storage.delete(key);
      });

      it.each([
        '',
        '/etc/passwd',
        '../x',
        'a/../b',
        'a//b',
        'a/',
        './a',
        'a\0b',
        'a\\b',
        'C:/x',
        'あ',
        'x'.repeat(2000),
      ])('refuses the key %j', async (key) => {
        const refusal = { reason: 'invalid-key' };
        await expect(storage.put(key, Readable.from([]))).rejects.toMatchObject(refusal);
        await expect(storage.get(key)).rejects.toMatchObject(refusal);
        await expect(storage.head(key)).rejects.toMatchObject(refusal);
        await expect(storage.delete(key)).rejects.toMatchObject(refusal);
        await expect(storage.createMultipart(key, { size: 1, partSize: 1 })).rejects.toMatchObject(refusal);
        await expect(storage.presignGet(key, { use, expiresAt: inSeconds(60) })).rejects.toMatchObject(
          refusal,
        );
      });
    });

    describe('ranges and conditions', () => {
      it.each([
        [{ start: 0, end: 0 }, '0', { start: 0, end: 0 }],
        [{ start: 2, end: 4 }, '234', { start: 2, end: 4 }],
        [{ start: 7 }, '789', { start: 7, end: 9 }],
        [{ start: 8, end: 100 }, '89', { start: 8, end: 9 }],
      ])('gives the range %j', async (range, text, given) => {
        const key = newKey();
        await storage.put(key, Readable.from([Buffer.from('0123456789')]));
        const got = await found(storage.get(key, { range }));
        expect(got.range).toEqual(given);
        expect(got.size).toBe(10);
        expect(String(await buffer(got.body))).toBe(text);
      });

      it('refuses a range that starts past the end', async () => {
        const key = newKey();
        await storage.put(key, Readable.from([Buffer.from('0123456789')]));
        await expect(storage.get(key, { range: { start: 10 } })).rejects.toMatchObject({
          reason: 'bad-range',
        });
      });

      it('gives no bytes to whoever has them', async () => {
        const key = newKey();
        const { etag } = await storage.put(key, Readable.from([Buffer.from('x')]));
        expect(await storage.get(key, { ifNoneMatch: etag })).toBe('not-modified');
        expect(String(await buffer((await found(storage.get(key, { ifNoneMatch: '"other"' }))).body))).toBe(
          'x',
        );
      });
    });

    describe('uploads in parts', () => {
      it('makes one object of parts that came out of order and at once', async () => {
        const { bytes, upload, part } = await beginThreeParts();
        const stored = await Promise.all(
          [3, 1, 2].map((n) => storage.putPart(upload, n, Readable.from([part(n)]))),
        );
        expect(await storage.head(upload.key)).toBeUndefined();
        expect(await storage.listParts(upload)).toEqual(
          stored.toSorted((a, b) => a.partNumber - b.partNumber),
        );
        const { sha256, ...info } = await storage.completeMultipart(upload, stored);
        expect(info.size).toBe(bytes.length);
        // Not every store works it out.
        expect([undefined, hash(bytes)]).toContain(sha256);
        expect(await storage.head(upload.key)).toEqual(info);
        expect(hash(await buffer((await found(storage.get(upload.key))).body))).toBe(hash(bytes));
        await expect(storage.listParts(upload)).rejects.toMatchObject({ reason: 'unknown-upload' });
      });

      it('takes the last of the parts that were sent twice', async () => {
        const { bytes, upload, part } = await beginThreeParts();
        const put = (n: number, body: Buffer) => storage.putPart(upload, n, Readable.from([body]));
        const wrong = await put(1, randomBytes(harness.partSize));
        await put(1, randomBytes(harness.partSize));
        const parts = [await put(1, part(1)), await put(2, part(2)), await put(3, part(3))];
        const outdated = storage.completeMultipart(upload, [{ ...parts[0], ...wrong }, ...parts.slice(1)]);
        await expect(outdated).rejects.toMatchObject({ reason: 'wrong-etag' });
        await storage.completeMultipart(upload, parts);
        expect(hash(await buffer((await found(storage.get(upload.key))).body))).toBe(hash(bytes));
      });

      it('keeps the part that it has when sending it again fails', async () => {
        const { bytes, upload, part } = await beginThreeParts();
        const parts = [];
        for (const n of [1, 2, 3]) parts.push(await storage.putPart(upload, n, Readable.from([part(n)])));
        await expect(storage.putPart(upload, 2, failingBody())).rejects.toThrow('cut');
        expect(await storage.listParts(upload)).toEqual(parts);
        await storage.completeMultipart(upload, parts);
        expect(hash(await buffer((await found(storage.get(upload.key))).body))).toBe(hash(bytes));
      });

      it('refuses to complete without every part and its ETag, and goes on', async () => {
        const { upload, part } = await beginThreeParts();
        const put = (n: number) => storage.putPart(upload, n, Readable.from([part(n)]));
        const parts = [await put(1), await put(2)];
        const complete = (named: typeof parts) => storage.completeMultipart(upload, named);
        await expect(complete(parts)).rejects.toMatchObject({ reason: 'missing-part' });
        await expect(complete([])).rejects.toMatchObject({ reason: 'missing-part' });
        parts.push(await put(3));
        await expect(complete(parts.slice(1))).rejects.toMatchObject({ reason: 'missing-part' });
        const forged = parts.map((stored) => ({ ...stored, etag: '"forged"' }));
        await expect(complete(forged)).rejects.toMatchObject({ reason: 'wrong-etag' });
        expect(await storage.head(upload.key)).toBeUndefined();
        await complete(parts.map((stored) => ({ ...stored, etag: stored.etag.replaceAll('"', '') })));
      });

      it('refuses parts of another size, number or upload', async () => {
        const { upload, part } = await beginThreeParts();
        const put = (to: MultipartUpload, n: number, body: Buffer) =>
          storage.putPart(to, n, Readable.from([body]));
        await expect(put(upload, 1, part(1).subarray(1))).rejects.toMatchObject({ reason: 'wrong-size' });
        await expect(put(upload, 3, part(1))).rejects.toMatchObject({ reason: 'too-large' });
        for (const n of [0, 4, 1.5])
          await expect(put(upload, n, part(3))).rejects.toMatchObject({ reason: 'invalid-part' });
        expect(await storage.listParts(upload)).toEqual([]);
        const unknown = { reason: 'unknown-upload' };
        await expect(put({ ...upload, key: newKey() }, 3, part(3))).rejects.toMatchObject(unknown);
        await expect(put({ ...upload, uploadId: '../x' }, 3, part(3))).rejects.toMatchObject(unknown);
      });

      it('aborts, and aborts again', async () => {
        const { upload, part } = await beginThreeParts();
        await storage.putPart(upload, 1, Readable.from([part(1)]));
        await storage.abortMultipart(upload);
        await storage.abortMultipart(upload);
        await expect(storage.listParts(upload)).rejects.toMatchObject({ reason: 'unknown-upload' });
        expect(await storage.head(upload.key)).toBeUndefined();
      });

      it('completes or aborts when both are asked at the same moment, and never half of either', async () => {
        for (let round = 0; round < 12; round += 1) {
          const { bytes, upload, part } = await beginThreeParts();
          const parts = await Promise.all(
            [1, 2, 3].map((n) => storage.putPart(upload, n, Readable.from([part(n)]))),
          );
          const complete = () => storage.completeMultipart(upload, parts);
          const abort = () => storage.abortMultipart(upload);
          const asked = round % 2 ? [complete(), abort(), complete()] : [abort(), complete(), abort()];
          const answers = await Promise.allSettled(asked);
          const completed = answers.flatMap((answer) =>
            answer.status === 'fulfilled' && answer.value ? [answer.value] : [],
          );
          // A store may be caught in the middle of taking the parts away, or fail for it; what counts is what is there then.
          const refusals = ['unknown-upload', 'missing-part', 'wrong-etag', undefined];
          for (const answer of answers) {
            if (answer.status === 'rejected') expect(refusals).toContain(answer.reason.reason);
          }
          const stored = await storage.get(upload.key);
          if (completed.length > 0) expect(stored).toBeDefined();
          if (stored !== undefined && stored !== 'not-modified')
            expect(hash(await buffer(stored.body))).toBe(hash(bytes));
          // A store that was in the middle of one may keep the upload without its parts until it is told once more.
          await storage.abortMultipart(upload);
          await expect(storage.listParts(upload)).rejects.toMatchObject({ reason: 'unknown-upload' });
        }
      });

      it('completes what was named, whatever parts come meanwhile or later', async () => {
        const { bytes, upload, part } = await beginThreeParts();
        const put = (n: number, body: Buffer) => storage.putPart(upload, n, Readable.from([body]));
        const parts = [await put(1, part(1)), await put(2, part(2)), await put(3, part(3))];
        const late = () => put(2, randomBytes(harness.partSize));
        const meanwhile = harness.mayMixPartsThatComeMeanwhile ? [] : [late, late];
        const [completed, ...others] = await Promise.allSettled([
          storage.completeMultipart(upload, parts),
          ...meanwhile.map((send) => send()),
        ]);
        if (completed.status === 'rejected') {
          expect(completed.reason).toMatchObject({ reason: 'wrong-etag' });
          expect(others.some(({ status }) => status === 'fulfilled')).toBe(true);
          return;
        }
        // Some stores take a part that comes too late, and sweep it away with the others that nobody completes.
        await Promise.allSettled([late()]);
        expect(hash(await buffer((await found(storage.get(upload.key))).body))).toBe(hash(bytes));
      });

      it('goes on after a restart', async () => {
        const { bytes, upload, part } = await beginThreeParts();
        const first = await storage.putPart(upload, 2, Readable.from([part(2)]));
        const restarted = await harness.reopen();
        expect(await restarted.listParts(upload)).toEqual([first]);
        const parts = [
          await restarted.putPart(upload, 1, Readable.from([part(1)])),
          await restarted.putPart(upload, 2, Readable.from([part(2)])),
          await restarted.putPart(upload, 3, Readable.from([part(3)])),
        ];
        await restarted.completeMultipart(upload, parts);
        expect(hash(await buffer((await found(storage.get(upload.key))).body))).toBe(hash(bytes));
      });

      it('sweeps what was begun before a time and never completed, and nothing else', async () => {
        await storage.sweepOrphans({ olderThan: inSeconds(1) });
        const stale = await beginThreeParts();
        await storage.putPart(stale.upload, 1, Readable.from([stale.part(1)]));
        const kept = newKey();
        await storage.put(kept, Readable.from([Buffer.from('kept')]));
        await harness.passTime(2_000);
        const between = inSeconds(-1);
        const live = await beginThreeParts();
        expect(
          await storage.sweepOrphans({ olderThan: between, except: new Set([stale.upload.uploadId]) }),
        ).toBe(0);
        expect(await storage.listParts(stale.upload)).toHaveLength(1);
        expect(await storage.sweepOrphans({ olderThan: between })).toBe(1);
        await expect(storage.listParts(stale.upload)).rejects.toMatchObject({ reason: 'unknown-upload' });
        expect(await storage.listParts(live.upload)).toEqual([]);
        expect(await textOf(storage, kept)).toBe('kept');
        expect(await storage.sweepOrphans({ olderThan: between })).toBe(0);
      });
    });

    describe('signed URLs', () => {
      it('lets whoever has one get the object, whole, in part or not again', async () => {
        const key = newKey();
        const { etag } = await storage.put(key, Readable.from([Buffer.from('0123456789')]));
        const url = await storage.presignGet(key, {
          use,
          expiresAt: inSeconds(60),
          fileName: "設計 'A'.uap",
          contentType: 'application/zip',
        });
        const whole = await fetch(url);
        expect(whole.status).toBe(200);
        expect(whole.headers.get('etag')).toBe(etag);
        expect(whole.headers.get('content-type')).toBe('application/zip');
        expect(whole.headers.get('content-disposition')).toContain(
          "filename*=UTF-8''%E8%A8%AD%E8%A8%88%20%27A%27.uap",
        );
        expect(await whole.text()).toBe('0123456789');
        const part = await fetch(url, { headers: { range: 'bytes=3-5' } });
        expect([part.status, part.headers.get('content-range')]).toEqual([206, 'bytes 3-5/10']);
        expect(await part.text()).toBe('345');
        const again = await fetch(url, { headers: { 'if-none-match': etag } });
        expect(again.status).toBe(304);
      });

      it('takes an object and parts by PUT and answers their ETags', async () => {
        const key = newKey();
        const url = await storage.presignPut(key, { use, expiresAt: inSeconds(60), maxSize: 10 });
        const put = await fetch(url, { method: 'PUT', body: 'by URL' });
        expect(put.status).toBe(200);
        expect(put.headers.get('etag')).toBe((await storage.head(key))?.etag);
        expect(await textOf(storage, key)).toBe('by URL');

        const { bytes, upload, part } = await beginThreeParts();
        const parts = [];
        for (const partNumber of [1, 2, 3]) {
          const partUrl = await storage.presignPart(upload, partNumber, { use, expiresAt: inSeconds(60) });
          const answer = await fetch(partUrl, { method: 'PUT', body: new Uint8Array(part(partNumber)) });
          expect(answer.status).toBe(200);
          parts.push({ partNumber, etag: answer.headers.get('etag') ?? '' });
        }
        await storage.completeMultipart(upload, parts);
        expect(hash(await buffer((await found(storage.get(upload.key))).body))).toBe(hash(bytes));
      });

      it('refuses a URL that has expired', async () => {
        const key = newKey();
        await storage.put(key, Readable.from([Buffer.from('x')]));
        const get = await storage.presignGet(key, { use, expiresAt: inSeconds(2) });
        const put = await storage.presignPut(key, { use, expiresAt: inSeconds(2), maxSize: 10 });
        await harness.passTime(2_500);
        expect((await fetch(get)).status).toBe(403);
        expect((await fetch(put, { method: 'PUT', body: 'late' })).status).toBe(403);
        expect(await textOf(storage, key)).toBe('x');
      });

      it('refuses a URL for another method or another key', async () => {
        const key = newKey();
        const other = newKey();
        await storage.put(other, Readable.from([Buffer.from('secret')]));
        const get = await storage.presignGet(key, { use, expiresAt: inSeconds(60) });
        expect((await fetch(get, { method: 'PUT', body: 'x' })).status).toBe(403);
        expect((await fetch(get.replace(key, other))).status).toBe(403);
        const put = await storage.presignPut(key, { use, expiresAt: inSeconds(60), maxSize: 10 });
        expect((await fetch(put)).status).toBe(403);
        expect((await fetch(put.replace(key, other), { method: 'PUT', body: 'x' })).status).toBe(403);
        expect(await textOf(storage, other)).toBe('secret');
      });

      it('refuses a URL with any parameter changed, removed or added', async () => {
        const upload = await storage.createMultipart(newKey(), { size: 10, partSize: 10 });
        const urls = [
          await storage.presignGet(newKey(), {
            use,
            expiresAt: inSeconds(60),
            fileName: 'a.uap',
            contentType: 'a/b',
          }),
          await storage.presignPut(newKey(), { use, expiresAt: inSeconds(60), maxSize: 10 }),
          await storage.presignPart(upload, 1, { use, expiresAt: inSeconds(60) }),
        ];
        // S3 answers otherwise than by 403 where what is left makes no sense at all, or names a key that nobody has.
        const refusals = [400, 403, 404, 405];
        for (const url of urls) {
          const method = url === urls[0] ? 'GET' : 'PUT';
          const send = async (changed: URL) =>
            (await fetch(changed, { method, ...(method === 'PUT' ? { body: '0123456789' } : {}) })).status;
          for (const [name, value] of new URL(url).searchParams) {
            const changed = new URL(url);
            changed.searchParams.set(
              name,
              value.replace(/^./, (first) => (first === '1' ? '2' : '1')),
            );
            expect(refusals, `${name} changed`).toContain(await send(changed));
            changed.searchParams.delete(name);
            expect(refusals, `${name} removed`).toContain(await send(changed));
          }
          const longer = new URL(url);
          longer.searchParams.append('more', '1');
          expect(await send(longer), 'added').toBe(403);
        }
      });
    });
  });
}

function bytesOfPart(bytes: Buffer, upload: MultipartUpload, partNumber: number): Buffer {
  return bytes.subarray((partNumber - 1) * upload.partSize, partNumber * upload.partSize);
}

function* chunksOf(bytes: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

function failingBody(): Readable {
  return Readable.from(
    (async function* () {
      yield Buffer.from('half of it');
      throw new Error('cut');
    })(),
  );
}

async function found(answer: ReturnType<ObjectStorage['get']>): Promise<ObjectContent> {
  const content = await answer;
  if (content === undefined || content === 'not-modified') throw new Error('There is no content.');
  return content;
}

async function textOf(storage: ObjectStorage, key: string): Promise<string> {
  return String(await buffer((await found(storage.get(key))).body));
}

function hash(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
