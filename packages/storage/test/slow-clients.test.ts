import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { createLogger, systemClock } from '@portal/kernel';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { createUrlSigner } from '../src/index.ts';
import { createS3Storage } from '../src/s3/s3-storage.ts';
import { openLocalDisk } from './local-disk-harness.ts';

/** Clients and stores that leave connections open. */

const clock = systemClock();
const logger = createLogger({ level: 'silent' });
const secret = Buffer.alloc(32, 1);
const info = { size: 1_000_000, etag: '"e"', lastModified: new Date(0) };
const servers: Server[] = [];

async function listen(server: Server): Promise<string> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

test('One session cannot take all downloads: what is beyond its hundred is a 429, until one of them ends', async () => {
  const disk = await openLocalDisk();
  onTestFinished(disk.close);
  const key = 'partners/1/files/a';
  // More than connections take of it while nobody reads.
  await disk.storage.put(key, Readable.from([Buffer.alloc(32 * 1024 * 1024)]));

  const begin = async (sessionId: string): Promise<IncomingMessage> => {
    const use = { purpose: 'file', sessionId, fileId: 1 } as const;
    const url = await disk.storage.presignGet(key, {
      use,
      expiresAt: new Date(disk.now().getTime() + 60_000),
    });
    return new Promise((resolve, reject) => {
      request(url, { agent: false }, (answer) => resolve(answer.on('error', () => undefined)))
        .on('error', reject)
        .end();
    });
  };
  const hundred = await Promise.all(Array.from({ length: 100 }, async () => begin('greedy')));
  expect(new Set(hundred.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
  const refused = await begin('greedy');
  expect(refused.statusCode).toBe(429);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect((await begin('another')).statusCode).toBe(200);
  hundred[0]?.destroy();
  await vi.waitFor(async () => expect((await begin('greedy')).statusCode).toBe(200));
}, 30_000);

test('What moves no object does not wait behind objects whose readers take their time', async () => {
  const store = createServer((asked, answer) => {
    answer.writeHead(200, {
      'content-length': info.size,
      etag: info.etag,
      'last-modified': info.lastModified.toUTCString(),
    });
    if (asked.method === 'HEAD') answer.end();
    else answer.write('a byte');
  });
  const storage = createS3Storage({
    endpoint: await listen(store),
    region: 'local',
    bucket: 'bucket',
    accessKeyId: 'id',
    secretAccessKey: 'secret',
    portalUrl: 'http://127.0.0.1',
    clock,
    logger,
    signer: createUrlSigner({ publicUrl: 'http://127.0.0.1', secret, clock }),
    readsAtOnce: 2,
  });
  const read = async () => storage.get('partners/1/files/a');
  expect(await Promise.all([read(), read()])).toMatchObject([{ size: info.size }, { size: info.size }]);
  expect(await storage.head('partners/1/files/a')).toMatchObject({ size: info.size });
  storage.close();
});
