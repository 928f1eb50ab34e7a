import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { identityRoutes, type RouteContract } from '@portal/contracts';
import { createLogger } from '@portal/kernel';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { importLines } from '../../../packages/contracts/test/wire-routes.ts';
import { createHttpUpstream } from '../src/http-upstream.ts';

/** A real client before a real gateway server before a real service. */

let service: Server;
let front: Server;
let upstream: ReturnType<typeof createHttpUpstream>;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let origin: string;
let contract: RouteContract;

const answerWithinMs = 1_500;

const listen = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

beforeEach(async () => {
  contract = identityRoutes.jwks;
  service = createServer((incoming, response) => answer(incoming, response));
  const serviceOrigin = await listen(service);
  upstream = createHttpUpstream({
    originOf: () => serviceOrigin,
    logger: createLogger({ level: 'silent' }),
    answerWithinMs,
  });
  front = createServer((incoming, response) =>
    upstream.forward(contract, incoming, response, ({ code, status }) =>
      response.writeHead(status).end(code),
    ),
  );
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
  const reply = await fetch(`${origin}/v1/x`);
  expect([reply.status, await reply.text()]).toEqual([503, 'E50301']);
  expect(performance.now() - begun).toBeLessThan(10_000);
});

test('When the client disconnects, then the service notices', async () => {
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

test('When a service does not answer a read in time, then it is not asked again', async () => {
  let calls = 0;
  answer = () => {
    calls += 1;
  };
  expect((await fetch(`${origin}/v1/x`)).status).toBe(503);
  expect(calls).toBe(1);
});

test('When an answer breaks off in the middle, then the connection of its reader is closed', async () => {
  answer = (_, response) => {
    response.writeHead(200).write('a part');
    setTimeout(() => response.destroy(), 50);
  };
  const reply = await fetch(`${origin}/v1/x`);
  expect(reply.status).toBe(200);
  await expect(reply.text()).rejects.toThrow();
});

describe('When a route reads its body as a stream', () => {
  /** Sends a body for longer than an answer may take. */
  const slowly = async () =>
    new Promise<{ status: number | undefined; ms: number }>((resolve, reject) => {
      let sent = 0;
      const sending = request(`${origin}/v1/x`, { method: 'POST' }, (response) => {
        response.resume();
        resolve({ status: response.statusCode, ms: performance.now() - sent });
      }).on('error', reject);
      const timer = setInterval(() => sending.write('x'), answerWithinMs / 10);
      setTimeout(() => {
        clearInterval(timer);
        sent = performance.now();
        sending.end();
      }, answerWithinMs * 2);
    });

  test('then the time for the answer begins at the end of the body', async () => {
    contract = importLines;
    answer = (incoming, response) => incoming.resume().on('end', () => response.end());
    expect(await slowly()).toMatchObject({ status: 200 });
    answer = (incoming) => incoming.resume();
    const { ms, status } = await slowly();
    expect(status).toBe(503);
    expect(ms).toBeGreaterThan(answerWithinMs - 100);
  }, 15_000);
});
