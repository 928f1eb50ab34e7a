import { randomBytes } from 'node:crypto';
import { readdir, readlink } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { AppError } from '@portal/kernel';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type AddressUse, createUrlSigner, type ObjectInfo, type StorageGrant } from '../src/index.ts';
import { openLocalDisk } from './local-disk-harness.ts';

describe('storage over HTTP', () => {
  let disk: Awaited<ReturnType<typeof openLocalDisk>>;
  let info: ObjectInfo;
  let url: string;
  const key = 'partners/1/files/a/v1';
  const use: AddressUse = { purpose: 'file', sessionId: 'a session', fileId: 1 };

  beforeAll(async () => {
    disk = await openLocalDisk();
    info = await disk.storage.put(key, Readable.from([Buffer.from('0123456789')]));
    url = await disk.storage.presignGet(key, { use, expiresAt: inAMinute() });
  });
  afterAll(() => disk.close());

  const inAMinute = () => new Date(disk.now().getTime() + 60_000);
  const get = (headers: Record<string, string>, method = 'GET') => fetch(url, { method, headers });
  const leftovers = async () => [
    ...(await readdir(join(disk.directory, 'incoming'))),
    ...(await readdir(join(disk.directory, 'objects'))).filter((name) => name !== 'partners'),
  ];

  it('serves an object with headers that keep it from running or being shared', async () => {
    const answer = await get({});
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'accept-ranges': 'bytes',
      'cache-control': 'private',
      'content-length': '10',
      'content-security-policy': "default-src 'none'; sandbox",
      'content-type': 'application/octet-stream',
      etag: info.etag,
      'last-modified': info.lastModified.toUTCString(),
      'x-content-type-options': 'nosniff',
    });
    expect(await answer.text()).toBe('0123456789');
  });

  it('tells when the last byte was sent: of the whole, or of a range up to the end, and not when it was only asked about', async () => {
    disk.transfers.length = 0;
    for (const headers of [{}, { range: 'bytes=4-' }, { range: 'bytes=0-8' }]) {
      const known = disk.transfers.length;
      await (await get(headers)).text();
      await vi.waitFor(() => expect(disk.transfers).toHaveLength(known + 1));
    }
    for (const headers of [{ 'if-none-match': '*' }, { range: 'bytes=10-' }])
      await (await get(headers)).text();
    await get({}, 'HEAD');
    expect(disk.transfers.map(({ bytes, reachedEnd }) => [bytes, reachedEnd])).toEqual([
      [10, true],
      [6, true],
      [9, false],
    ]);
  });

  it('does not tell of the last byte to who has gone before it', async () => {
    const size = 64 * 1024 * 1024;
    await disk.storage.put('partners/1/large', Readable.from([Buffer.alloc(size)]));
    const large = await disk.storage.presignGet('partners/1/large', { use, expiresAt: inAMinute() });
    disk.transfers.length = 0;
    await new Promise<void>((resolve, reject) => {
      const asked = request(large, (answer) =>
        answer.once('data', () => {
          answer.destroy();
          resolve();
        }),
      );
      asked.once('error', reject).end();
    });
    await vi.waitFor(() => expect(disk.transfers).toMatchObject([{ reachedEnd: false }]));
  });

  it('answers HEAD with the headers alone', async () => {
    const answer = await get({}, 'HEAD');
    expect([answer.status, answer.headers.get('content-length'), await answer.text()]).toEqual([
      200,
      '10',
      '',
    ]);
  });

  it.each([
    ['bytes=0-0', 206, 'bytes 0-0/10', '0'],
    ['bytes=5-', 206, 'bytes 5-9/10', '56789'],
    ['bytes=-3', 206, 'bytes 7-9/10', '789'],
    ['bytes=-30', 206, 'bytes 0-9/10', '0123456789'],
    ['bytes=8-99', 206, 'bytes 8-9/10', '89'],
    ['bytes=5-4', 200, null, '0123456789'],
    ['bytes=0-1,3-4', 200, null, '0123456789'],
    ['lines=0-1', 200, null, '0123456789'],
    ['bytes=-', 200, null, '0123456789'],
  ])('answers Range: %s', async (range, status, contentRange, body) => {
    const answer = await get({ range });
    expect([answer.status, answer.headers.get('content-range')]).toEqual([status, contentRange]);
    expect(answer.headers.get('content-length')).toBe(String(body.length));
    expect(await answer.text()).toBe(body);
  });

  it.each(['bytes=10-', 'bytes=10-20', 'bytes=-0'])('answers 416 to Range: %s', async (range) => {
    const answer = await get({ range });
    expect([answer.status, answer.headers.get('content-range')]).toEqual([416, 'bytes */10']);
    expect(await answer.json()).toMatchObject({ code: 'E40001', errors: [], request_id: 'request-1' });
  });

  it('gives a range only of the object that If-Range names', async () => {
    const statusWith = async (condition: string) =>
      (await get({ range: 'bytes=1-2', 'if-range': condition })).status;
    expect(await statusWith(info.etag)).toBe(206);
    expect(await statusWith(info.lastModified.toUTCString())).toBe(206);
    expect(await statusWith('"other"')).toBe(200);
    expect(await statusWith(`W/${info.etag}`)).toBe(200);
    expect(await statusWith(new Date(0).toUTCString())).toBe(200);
  });

  it('answers 304 to a client that has the object', async () => {
    expect((await get({ 'if-none-match': `"x", W/${info.etag}` })).status).toBe(304);
    expect((await get({ 'if-none-match': '*' })).status).toBe(304);
    expect((await get({ 'if-none-match': '"x"' })).status).toBe(200);
    expect((await get({ 'if-modified-since': info.lastModified.toUTCString() })).status).toBe(304);
    expect((await get({ 'if-modified-since': new Date(0).toUTCString() })).status).toBe(200);
  });

  it('tells errors in the language of the reader', async () => {
    const missing = await disk.storage.presignGet('no/such', {
      use,
      expiresAt: inAMinute(),
      fileName: 'x.uap',
    });
    const answer = await fetch(missing, { headers: { 'accept-language': 'en-US,ja;q=0.5' } });
    expect([answer.status, answer.headers.get('content-disposition')]).toEqual([404, null]);
    expect(await answer.json()).toEqual({
      code: 'E40405',
      message: 'The file was not found.',
      errors: [],
      request_id: 'request-1',
    });
    const unsigned = await fetch(new URL('/storage/partners/1/files/a/v1', url));
    expect(unsigned.status).toBe(403);
    expect(await unsigned.json()).toMatchObject({
      code: 'E40301',
      message: 'この操作を行う権限がありません。',
    });
    for (const path of ['/storage/%', '/storage/', '/elsewhere']) {
      expect((await fetch(new URL(path, url))).status, path).toBe(403);
    }
  });

  it('refuses a signature of another secret', async () => {
    const clock = { now: disk.now };
    const other = createUrlSigner({ publicUrl: new URL(url).origin, secret: randomBytes(32), clock });
    expect((await fetch(other.sign({ action: 'get', use, key }, inAMinute()))).status).toBe(403);
    expect(() => createUrlSigner({ publicUrl: 'http://x', secret: randomBytes(31), clock })).toThrow(
      RangeError,
    );
  });

  it('refuses an address with anything changed, before a byte is read', async () => {
    const upload = await disk.storage.createMultipart('partners/1/y', { size: 10, partSize: 10 });
    const expiresAt = inAMinute();
    const signed = [
      await disk.storage.presignGet(key, { use, expiresAt, fileName: 'a.uap', contentType: 'a/b' }),
      await disk.storage.presignGet(key, {
        use: {
          purpose: 'delivery',
          sessionId: 's',
          accountId: 12,
          fileId: 3,
          receiver: { platformUuid: 'a & b', version: 2 },
        },
        expiresAt,
      }),
      await disk.storage.presignPut('partners/1/z', {
        use: { purpose: 'upload', sessionId: 's', uploadId: 'u' },
        expiresAt,
        maxSize: 10,
      }),
      await disk.storage.presignPart(upload, 1, { use: { purpose: 'export', sessionId: 's' }, expiresAt }),
    ];
    const methods = ['GET', 'GET', 'PUT', 'PUT'];
    const text = (address: string) => address.slice(new URL(address).origin.length);
    for (const [index, address] of signed.entries())
      expect(disk.signer.verify(methods[index] ?? '', text(address))).toMatchObject({
        use: expect.anything(),
      });
    expect(disk.signer.verify('GET', text(signed[1] ?? ''))?.use).toEqual({
      purpose: 'delivery',
      sessionId: 's',
      accountId: 12,
      fileId: 3,
      receiver: { platformUuid: 'a & b', version: 2 },
    });

    const change = fc.oneof(
      fc.record({ at: fc.nat(), text: fc.string({ maxLength: 6 }), take: fc.nat({ max: 6 }) }),
      fc.record({
        at: fc.nat(),
        text: fc.constantFrom(
          '%2F',
          '/../',
          '%2e%2e/',
          '%00',
          '\0',
          '//',
          '\\',
          '&for=export',
          '&session=t',
          '&device=d',
          '&version=3',
          '=',
          '+',
          '%',
        ),
        take: fc.constant(0),
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 3 }), change, async (index, { at, take, text: added }) => {
        const good = text(signed[index] ?? '');
        const start = at % (good.length + 1);
        const changed = good.slice(0, start) + added + good.slice(start + take);
        fc.pre(changed !== good && meaningOf(changed) !== meaningOf(good));
        expect(disk.signer.verify(methods[index] ?? '', changed), changed).toBeUndefined();
      }),
      { numRuns: 2_000 },
    );
    for (const [index, address] of signed.entries()) {
      for (const more of ['&for=export', '&session=s', '&more=1', `&pad=${'x'.repeat(5_000)}`]) {
        const answer = await fetch(address + more, {
          method: methods[index] ?? '',
          ...(methods[index] === 'PUT' ? { body: '0123456789' } : {}),
        });
        expect([answer.status, await answer.json()]).toEqual([
          403,
          expect.objectContaining({ code: 'E40301' }),
        ]);
      }
    }
  });

  it('signs no key that leads elsewhere, and reads none', async () => {
    const strange = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc
        .array(fc.constantFrom('..', '.', 'a', '', '%2e%2e', '%2f', '\0', '\\', 'C:', 'etc'), {
          maxLength: 6,
        })
        .map((parts) => parts.join('/')),
    );
    const plain = /^(?:[\w-][\w.-]{0,199}\/)*[\w-][\w.-]{0,199}$/;
    await fc.assert(
      fc.asyncProperty(strange, async (path) => {
        if (plain.test(path)) return;
        const refusal = { reason: 'invalid-key' };
        await expect(disk.storage.get(path)).rejects.toMatchObject(refusal);
        await expect(disk.storage.put(path, Readable.from([]))).rejects.toMatchObject(refusal);
        await expect(disk.storage.presignGet(path, { use, expiresAt: inAMinute() })).rejects.toMatchObject(
          refusal,
        );
        // Were it signed all the same, it would not be taken.
        const forced = disk.signer.sign({ action: 'get', use, key: path }, inAMinute());
        expect(disk.signer.verify('GET', forced.slice(new URL(url).origin.length))).toBeUndefined();
      }),
      { numRuns: 300 },
    );
    expect(await leftovers()).toEqual([]);
  });

  it('asks whether what it was given for holds, before it looks for the object', async () => {
    const asked: StorageGrant[] = [];
    const closed = await openLocalDisk(async (grant) => {
      asked.push(grant);
      throw new AppError(grant.action === 'get' ? 'E40405' : 'E40301');
    });
    const expiresAt = inAMinute();
    const get = await closed.storage.presignGet('no/such', { use, expiresAt, fileName: 'x.uap' });
    const put = await closed.storage.presignPut('a/b', { use, expiresAt, maxSize: 10 });
    const refused = await fetch(get, { headers: { 'accept-language': 'en', range: 'bytes=0-1' } });
    expect([refused.status, await refused.json()]).toEqual([
      404,
      { code: 'E40405', message: 'The file was not found.', errors: [], request_id: 'request-1' },
    ]);
    expect((await fetch(get, { method: 'HEAD' })).status).toBe(404);
    expect((await fetch(put, { method: 'PUT', body: 'x' })).status).toBe(403);
    expect(await closed.storage.head('a/b')).toBeUndefined();
    expect(asked.map((grant) => grant.use)).toEqual([use, use, use]);
    await closed.close();
  });

  it('cuts the older of two writers of one thing, so that many take the room of one', async () => {
    const put = await disk.storage.presignPut('partners/1/twice', {
      use,
      expiresAt: inAMinute(),
      maxSize: 1e9,
    });
    const cut: Promise<unknown>[] = [];
    for (let n = 0; n < 6; n += 1) {
      const req = request(put, { method: 'PUT', headers: { 'content-length': 1e8 } });
      cut.push(new Promise((resolve) => req.once('error', resolve)));
      req.write(Buffer.alloc(300_000));
      await vi.waitFor(async () => expect((await readdir(join(disk.directory, 'incoming'))).length).toBe(1), {
        timeout: 15_000,
      });
    }
    const last = await fetch(put, { method: 'PUT', body: 'the last' });
    expect(last.status).toBe(200);
    await Promise.all(cut);
    expect(await readdir(join(disk.directory, 'incoming'))).toEqual([]);
    const content = await disk.storage.get('partners/1/twice');
    if (content === undefined || content === 'not-modified') throw new Error('There is no object.');
    expect(await text(content.body)).toBe('the last');
  });

  it('refuses at once a body that is declared too large', async () => {
    const put = await disk.storage.presignPut('refused/a', { use, expiresAt: inAMinute(), maxSize: 100 });
    const req = request(put, { method: 'PUT', headers: { 'content-length': 1e9 } });
    req.flushHeaders();
    const answer = await answerOf(req);
    expect(answer.statusCode).toBe(413);
    expect(JSON.parse(await text(answer))).toMatchObject({ code: 'E40001' });
    req.destroy();
    expect(await leftovers()).toEqual([]);
  });

  it('cuts a body that is longer than allowed and keeps nothing of it', async () => {
    const put = await disk.storage.presignPut('refused/b', { use, expiresAt: inAMinute(), maxSize: 100_000 });
    const req = request(put, { method: 'PUT', headers: { 'transfer-encoding': 'chunked' } });
    req.on('error', () => {}); // The server may close while the excess is being sent.
    const answered = answerOf(req);
    for (let n = 0; n < 4; n += 1) req.write(Buffer.alloc(64 * 1024));
    const answer = await answered;
    expect(answer.statusCode).toBe(413);
    req.destroy();
    expect(await leftovers()).toEqual([]);
  });

  it('stores nothing of an upload whose client disconnects', async () => {
    const put = await disk.storage.presignPut('gone/a', { use, expiresAt: inAMinute(), maxSize: 1e9 });
    const req = request(put, { method: 'PUT', headers: { 'content-length': 1e6 } });
    req.on('error', () => {});
    req.write(Buffer.alloc(500_000));
    await vi.waitFor(async () => expect(await leftovers()).toHaveLength(1), { timeout: 15_000 });
    req.destroy();
    await vi.waitFor(async () => expect(await leftovers()).toEqual([]), { timeout: 15_000 });
  });

  it('answers 400 to a part that is too short, and 404 for an upload that is over', async () => {
    const upload = await disk.storage.createMultipart('partners/1/x', { size: 10, partSize: 10 });
    const put = await disk.storage.presignPart(upload, 1, { use, expiresAt: inAMinute() });
    expect((await fetch(put, { method: 'PUT', body: 'short' })).status).toBe(400);
    await disk.storage.abortMultipart(upload);
    expect((await fetch(put, { method: 'PUT', body: '0123456789' })).status).toBe(404);
  });

  it('survives readers that stop in the middle, and closes their files', async () => {
    const large = 'partners/1/large';
    const bytes = randomBytes(8 * 1024 * 1024);
    await disk.storage.put(large, Readable.from([bytes]));
    const largeUrl = await disk.storage.presignGet(large, { use, expiresAt: inAMinute() });
    for (let n = 0; n < 5; n += 1) {
      const controller = new AbortController();
      const answer = await fetch(largeUrl, { signal: controller.signal });
      await answer.body?.getReader().read();
      controller.abort();
    }
    if (process.platform === 'linux') {
      await vi.waitFor(async () => expect(await openFilesNamed('@large')).toBe(0), { timeout: 15_000 });
    }
    expect(Buffer.from(await (await fetch(largeUrl)).arrayBuffer()).equals(bytes)).toBe(true);
    const range = await fetch(largeUrl, { headers: { range: 'bytes=1000001-3000000' } });
    expect(Buffer.from(await range.arrayBuffer()).equals(bytes.subarray(1_000_001, 3_000_001))).toBe(true);
  });
});

/** What an address says, however it is written: parameters may be escaped in more than one way. */
function meaningOf(address: string): string {
  const [path = '', query = ''] = address.split(/\?(.*)/s);
  return JSON.stringify([path.slice(path.indexOf('/storage/')), [...new URLSearchParams(query)]]);
}

function answerOf(req: ReturnType<typeof request>): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    req.once('response', resolve);
    req.once('error', reject);
  });
}

async function openFilesNamed(name: string): Promise<number> {
  const targets = (await readdir('/proc/self/fd')).map((fd) =>
    readlink(`/proc/self/fd/${fd}`).catch(() => ''),
  );
  return (await Promise.all(targets)).filter((target) => target.endsWith(name)).length;
}
