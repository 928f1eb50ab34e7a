import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createLogger, systemClock } from '@portal/kernel';
import { afterEach, expect, test, vi } from 'vitest';
import { createStorageHandler, createUrlSigner, type ObjectStorage } from '../src/index.ts';
import { createS3Storage } from '../src/s3/s3-storage.ts';

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
  const content = () => {
    const body = new Readable({ read: () => undefined });
    body.push('a byte');
    return { ...info, body, sendTo: async (response: NodeJS.WritableStream) => pipeline(body, response) };
  };
  const storage = { head: async () => info, get: async () => content() } as unknown as ObjectStorage;
  const server = createServer();
  const publicUrl = await listen(server);
  const signer = createUrlSigner({ publicUrl, secret, clock });
  const handle = createStorageHandler({ storage, signer, logger, admit: async () => {} });
  server.on('request', (req, res) => void handle(req, res));

  const begin = async (sessionId: string): Promise<IncomingMessage> => {
    const use = { purpose: 'file', sessionId, fileId: 1 } as const;
    const grant = { action: 'get', use, key: 'partners/1/files/a' } as const;
    const url = signer.sign(grant, new Date(clock.now().getTime() + 60_000));
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
