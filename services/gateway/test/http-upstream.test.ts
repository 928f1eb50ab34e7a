import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLogger } from '@portal/kernel';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createHttpUpstream } from '../src/http-upstream.ts';

/** A real client before a real gateway server before a real service. */

let service: Server;
let front: Server;
let upstream: ReturnType<typeof createHttpUpstream>;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let origin: string;

const listen = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

beforeEach(async () => {
  service = createServer((incoming, response) => answer(incoming, response));
  const serviceOrigin = await listen(service);
  upstream = createHttpUpstream({ originOf: () => serviceOrigin, logger: createLogger({ level: 'silent' }) });
  front = createServer((incoming, response) => upstream.forward('file', incoming, response));
  origin = await listen(front);
});
afterEach(async () => {
  for (const server of [front, service]) {
    server.closeAllConnections();
    server.close();
  }
  await upstream.close();
});

test('When a service answers, then status, headers and body pass, but nothing that belongs to one connection', async () => {
  answer = (incoming, response) => {
    response.writeHead(201, { 'x-told': String(incoming.headers['x-asked']), 'keep-alive': 'timeout=1' });
    response.end(`${incoming.method} ${incoming.url}`);
  };
  const reply = await fetch(`${origin}/v1/x?y=1`, { headers: { 'x-asked': 'yes' } });
  expect([reply.status, reply.headers.get('x-told'), await reply.text()]).toEqual([
    201,
    'yes',
    'GET /v1/x?y=1',
  ]);
});

test('When a body is sent, then it streams: the service has its beginning before its end is written', async () => {
  const firstByte = Promise.withResolvers<void>();
  answer = (incoming, response) => {
    let bytes = 0;
    incoming.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      firstByte.resolve();
    });
    incoming.on('end', () => response.end(String(bytes)));
  };
  const reply = new Promise<string>((resolve, reject) => {
    const sending = request(`${origin}/storage`, { method: 'PUT' }, (response) => {
      response.on('data', (chunk: Buffer) => resolve(chunk.toString()));
    }).on('error', reject);
    sending.write(Buffer.alloc(70_000));
    void firstByte.promise.then(() => sending.end(Buffer.alloc(30_000)));
  });
  expect(await reply).toBe('100000');
});

test('When the service is away, then it is a 503 with its code at once', async () => {
  service.close();
  const begun = performance.now();
  const reply = await fetch(`${origin}/v1/x`, { headers: { 'accept-language': 'en' } });
  expect([reply.status, await reply.json()]).toEqual([503, expect.objectContaining({ code: 'E50301' })]);
  expect(performance.now() - begun).toBeLessThan(10_000);
});

test('When the client hangs up, then the service is told', async () => {
  const told = Promise.withResolvers<void>();
  answer = (incoming) => incoming.once('close', () => told.resolve());
  const leaving = new AbortController();
  const call = fetch(`${origin}/v1/slow`, { signal: leaving.signal }).catch(() => undefined);
  setTimeout(() => leaving.abort(), 50);
  await Promise.all([call, told.promise]);
});

test('When a read meets an instance on its way out, then another one answers it; a write is not repeated', async () => {
  let calls = 0;
  answer = (incoming, response) => {
    calls += 1;
    if (calls === 1) incoming.socket.destroy();
    else response.end('read');
  };
  expect(await (await fetch(`${origin}/v1/x`)).text()).toBe('read');
  calls = 0;
  expect((await fetch(`${origin}/v1/x`, { method: 'POST', body: 'x' })).status).toBe(503);
  expect(calls).toBe(1);
});
