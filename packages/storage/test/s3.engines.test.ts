import { createHash, randomBytes } from 'node:crypto';
import { createServer, request } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger, newId } from '@portal/kernel';
import type { S3Engine } from '@portal/testing/engines';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { describeObjectStorage } from '../src/contract-suite.ts';
import { createUrlSigner } from '../src/index.ts';
import { createS3Storage } from '../src/s3/s3-storage.ts';
import { openS3, type S3Harness } from './s3-harness.ts';

describeObjectStorage('S3, its URLs through the product', () => openS3({ isPublic: false }));
describeObjectStorage('S3, its URLs straight to the store', () => openS3({ isPublic: true }));

it('A part whose sender breaks off in the middle is none, whatever the store makes of its bytes', async () => {
  const { close, partSize, storage } = await openS3({ isPublic: false });
  onTestFinished(close);
  const key = `suite/${newId()}`;
  const upload = await storage.createMultipart(key, { size: partSize, partSize });
  const bytes = randomBytes(partSize);
  const brokenOff = async function* () {
    for (let at = 0; at < partSize * 0.9; at += 65_536) yield bytes.subarray(at, at + 65_536);
    // They are with the store by then.
    await sleep(500);
    throw new Error('cut');
  };
  await expect(storage.putPart(upload, 1, Readable.from(brokenOff()))).rejects.toThrow('cut');
  // The store hears of it a moment later.
  await sleep(500);
  expect(await storage.listParts(upload)).toEqual([]);
  const part = await storage.putPart(upload, 1, Readable.from([bytes]));
  await storage.completeMultipart(upload, [part]);
  const stored = await storage.get(key);
  if (stored === undefined || stored === 'not-modified') throw new Error('It is not there.');
  expect((await buffer(stored.body)).equals(bytes)).toBe(true);
});

it('A body that comes in pieces smaller than S3 takes them arrives whole', async () => {
  const { close, storage } = await openS3({ isPublic: false });
  onTestFinished(close);
  const bytes = randomBytes(100_000);
  const inPieces = () =>
    Readable.from(Array.from({ length: 100 }, (_, n) => bytes.subarray(n * 1_000, n * 1_000 + 1_000)));
  const stored = async (key: string) => {
    const found = await storage.get(key);
    if (found === undefined || found === 'not-modified') throw new Error('It is not there.');
    return (await buffer(found.body)).equals(bytes);
  };
  const whole = `suite/${newId()}`;
  await storage.put(whole, inPieces());
  expect(await stored(whole)).toBe(true);
  const inParts = `suite/${newId()}`;
  const upload = await storage.createMultipart(inParts, { size: bytes.length, partSize: bytes.length });
  await storage.completeMultipart(upload, [await storage.putPart(upload, 1, inPieces())]);
  expect(await stored(inParts)).toBe(true);
});

describe('S3', () => {
  let s3: S3Harness;
  beforeAll(async () => {
    s3 = await openS3({ isPublic: true });
  });
  afterAll(() => s3.close());

  const someKey = () => `suite/${newId()}`;
  const aMinute = () => ({
    use: { purpose: 'export', sessionId: 'a session' } as const,
    expiresAt: new Date(s3.now().getTime() + 60_000),
  });

  it('When the server is away, then everything says so in time, and goes on when it is back', async () => {
    const key = someKey();
    const upload = await s3.storage.createMultipart(someKey(), { size: 10, partSize: 10 });
    await s3.storage.put(key, Readable.from([Buffer.from('kept')]));
    await s3.engine.kill();
    const begun = performance.now();
    const large = () => Readable.from([Buffer.alloc(3_000_000)]);
    const answers = await Promise.allSettled([
      s3.storage.put(key, Readable.from([Buffer.from('x')])),
      s3.storage.put(key, large()),
      s3.storage.put(key, large(), { size: 3_000_000 }),
      s3.storage.head(key),
      s3.storage.get(key),
      s3.storage.delete(key),
      s3.storage.createMultipart(key, { size: 10, partSize: 10 }),
      s3.storage.putPart(upload, 1, Readable.from([Buffer.alloc(10)])),
      s3.storage.listParts(upload),
      s3.storage.completeMultipart(upload, []),
      s3.storage.abortMultipart(upload),
      s3.storage.sweepOrphans({ olderThan: s3.now() }),
    ]);
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 'rejected', reason: { reason: 'unavailable' } });
    }
    expect(performance.now() - begun).toBeLessThan(10_000);
    // Signing needs no store.
    expect(await s3.storage.presignGet(key, aMinute())).toContain(key);

    const waiting = s3.storage.checkBucket();
    await s3.engine.start();
    await waiting;
    const part = await s3.storage.putPart(upload, 1, Readable.from([Buffer.alloc(10)]));
    await s3.storage.completeMultipart(upload, [part]);
    expect(await s3.storage.head(key)).toMatchObject({ size: 4 });
  });

  it('sends a stream whole where the store closes connections that were used before', async () => {
    const place = await closingUsedConnections(s3.engine.endpoint);
    const storage = openAccount(s3, { endpoint: place.url });
    onTestFinished(() => {
      storage.close();
      place.close();
    });
    // From 2 MiB on the SDK takes a new connection by itself, up to 1 MiB an object is no stream.
    const bytes = randomBytes(1_500_000);
    for (let turn = 0; turn < 3; turn += 1) {
      const upload = await storage.createMultipart(someKey(), { size: bytes.length, partSize: bytes.length });
      await storage.completeMultipart(upload, [await storage.putPart(upload, 1, Readable.from([bytes]))]);
      const whole = await storage.put(someKey(), Readable.from([bytes]), { size: bytes.length });
      expect(whole.size).toBe(bytes.length);
    }
    expect(place.closed()).toBeGreaterThan(0);
  });

  it('When it waits for a server that never comes, then it can be stopped', async () => {
    const away = openAccount(s3, { endpoint: 'http://127.0.0.1:1' });
    const stop = new AbortController();
    const waiting = away.checkBucket({ signal: stop.signal });
    stop.abort();
    await expect(waiting).rejects.toThrow('abort');
    away.close();
  });

  it.each([
    ['S3_BUCKET', { bucket: 'no-such-bucket' }],
    ['S3_ACCESS_KEY_ID', { accessKeyId: 'nobody' }],
    ['S3_SECRET_ACCESS_KEY', { secretAccessKey: 'wrong' }],
    ['S3_REGION', { region: 'eu-north-1' }],
  ])('When %s is wrong, then the check says so in one line', async (name, wrong) => {
    const storage = openAccount(s3, wrong);
    await expect(storage.checkBucket()).rejects.toThrow(new RegExp(`^${name}: [^\\n]+$`));
    storage.close();
  });

  it('lets the web client use signed URLs, and keeps the rules of others', async () => {
    const url = await s3.storage.presignPut(someKey(), { ...aMinute(), maxSize: 10 });
    const preflight = await fetch(url, {
      method: 'OPTIONS',
      headers: { origin: s3.portalUrl, 'access-control-request-method': 'PUT' },
    });
    expect(preflight.headers.get('access-control-allow-origin')).toBe(s3.portalUrl);
    const put = await fetch(url, { method: 'PUT', body: 'x', headers: { origin: s3.portalUrl } });
    expect(put.headers.get('access-control-expose-headers')).toMatch(/etag/i);
    await openAccount(s3, {}, 'http://other.test').checkBucket();
    await s3.storage.checkBucket();
    const stillAllowed = await fetch(url, {
      method: 'OPTIONS',
      headers: { origin: 'http://other.test', 'access-control-request-method': 'PUT' },
    });
    expect(stillAllowed.headers.get('access-control-allow-origin')).toBe('http://other.test');
  });

  it('refuses a part of another size by its URL', async () => {
    const upload = await s3.storage.createMultipart(someKey(), { size: 10, partSize: 10 });
    const url = await s3.storage.presignPart(upload, 1, aMinute());
    expect((await fetch(url, { method: 'PUT', body: 'too short' })).status).toBe(403);
    expect(await s3.storage.listParts(upload)).toEqual([]);
  });

  it('does not let a signed PUT copy what belongs to someone else', async () => {
    const secret = someKey();
    const mine = someKey();
    await s3.storage.put(secret, Readable.from([Buffer.from('secret')]));
    const url = await s3.storage.presignPut(mine, { ...aMinute(), maxSize: 10 });
    await fetch(url, { method: 'PUT', headers: { 'x-amz-copy-source': `/${s3.engine.bucket}/${secret}` } });
    const stored = await s3.storage.get(mine);
    if (stored !== undefined && stored !== 'not-modified') expect(await text(stored.body)).not.toBe('secret');
  });

  it('takes the requests of clients that have them signed', async () => {
    const key = someKey();
    const unsigned = canonicalPut(s3, key, 'signed remotely');
    const signed = s3.storage.remoteSigning?.sign(unsigned);
    if (typeof signed !== 'object') throw new Error('It was not signed.');
    expect(signed.key).toBe(key);
    const { accessKeyId, bucket, endpoint, region } = s3.engine;
    const scope = `${accessKeyId}/${unsigned.datetime.slice(0, 8)}/${region}/s3/aws4_request`;
    const headers = {
      'x-amz-date': unsigned.datetime,
      'x-amz-content-sha256': unsigned.payload,
      authorization: `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host;x-amz-content-sha256;x-amz-date, Signature=${signed.signature}`,
    };
    const send = async (body: string) =>
      fetch(`${endpoint}/${bucket}/${key}`, { method: 'PUT', headers, body });
    expect((await send('signed remotely')).status).toBe(200);
    expect(await s3.storage.head(key)).toMatchObject({ size: 15 });
  });
});

function openAccount(s3: S3Harness, changed: Partial<S3Engine>, portalUrl = s3.portalUrl) {
  const { accessKeyId, bucket, endpoint, region, secretAccessKey } = { ...s3.engine, ...changed };
  const clock = { now: s3.now };
  return createS3Storage({
    accessKeyId,
    bucket,
    endpoint,
    region,
    secretAccessKey,
    publicUrl: endpoint,
    portalUrl,
    clock,
    signer: createUrlSigner({ publicUrl: portalUrl, secret: Buffer.alloc(32, 1), clock }),
    logger: createLogger({ level: 'silent' }),
  });
}

/** A way to the store that keeps connections open and breaks off when a second request comes on one, as stores may after a while. */
async function closingUsedConnections(endpoint: string) {
  const { hostname, port } = new URL(endpoint);
  const used = new WeakSet<Socket>();
  let closed = 0;
  const server = createServer((req, res) => {
    if (used.has(req.socket)) {
      closed += 1;
      req.socket.resetAndDestroy();
      return;
    }
    used.add(req.socket);
    const { expect: _, ...headers } = req.headers;
    const onward = request({ hostname, port, method: req.method, path: req.url, headers }, (answer) => {
      const { connection, ...more } = answer.headers;
      res.writeHead(answer.statusCode ?? 502, more);
      answer.pipe(res);
    });
    onward.on('error', () => res.destroy());
    req.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    closed: () => closed,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function canonicalPut({ engine, now }: S3Harness, key: string, body: string) {
  const datetime = now()
    .toISOString()
    .replace(/[-:]|\.\d{3}/g, '');
  const payload = createHash('sha256').update(body).digest('hex');
  const toSign = [
    'PUT',
    `/${engine.bucket}/${key}`,
    '',
    `host:${new URL(engine.endpoint).host}`,
    `x-amz-content-sha256:${payload}`,
    `x-amz-date:${datetime}`,
    '',
    'host;x-amz-content-sha256;x-amz-date',
    payload,
  ].join('\n');
  return { toSign, datetime, payload };
}
