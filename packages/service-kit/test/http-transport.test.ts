import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createHttpTransport } from '../src/transport/http-transport.ts';

/** Real servers that answer, hang up and go away. */

let server: Server;
let seen: string[];
let answer: (call: number) => 'ok' | 'hang-up' | 'nothing';
let transport: ReturnType<typeof createHttpTransport>;

beforeEach(async () => {
  seen = [];
  answer = () => 'ok';
  server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    const how = answer(seen.length);
    if (how === 'hang-up') return void request.socket.destroy();
    if (how === 'nothing') return;
    request.resume().on('end', () => response.writeHead(201).end(JSON.stringify({ call: seen.length })));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  transport = createHttpTransport({ originOf: () => origin, answerWithinMs: 1_000 });
});
afterEach(async () => {
  await transport.close();
  server.closeAllConnections();
  server.close();
});

const send = (method: string) =>
  transport.request('user', {
    method,
    url: '/internal/x',
    headers: {},
    body: method === 'GET' ? undefined : '{}',
  });

describe('When the connection breaks', () => {
  test('then a GET is sent a second time, and a POST, which may have taken effect, is not', async () => {
    answer = (call) => (call === 1 ? 'hang-up' : 'ok');
    expect(await send('GET')).toEqual({ status: 201, body: '{"call":2}' });
    seen = [];
    await expect(send('POST')).rejects.toMatchObject({ code: 'E50301' });
    expect(seen).toEqual(['POST /internal/x']);
  });
});

test('When no answer comes in time, then a GET is not sent a second time', async () => {
  answer = () => 'nothing';
  await expect(send('GET')).rejects.toMatchObject({ code: 'E50301' });
  expect(seen).toEqual(['GET /internal/x']);
});

describe('When the service is away', () => {
  test('then after five failures nobody waits for it, and when it is back it is used again', async () => {
    answer = () => 'hang-up';
    for (let call = 0; call < 5; call += 1)
      await expect(send('POST')).rejects.toMatchObject({ code: 'E50301' });
    expect(seen).toHaveLength(5);
    await expect(send('POST')).rejects.toMatchObject({ code: 'E50301' });
    expect(seen).toHaveLength(5);

    answer = () => 'ok';
    await new Promise((resolve) => setTimeout(resolve, 1_050));
    expect(await send('POST')).toMatchObject({ status: 201 });
    expect(await send('POST')).toMatchObject({ status: 201 });
  });
  test('then a call that cannot connect is tried twice and fails with E50301', async () => {
    const nowhere = createHttpTransport({ originOf: () => 'http://127.0.0.1:1' });
    await expect(
      nowhere.request('user', { method: 'POST', url: '/', headers: {}, body: '{}' }),
    ).rejects.toMatchObject({ code: 'E50301' });
    await nowhere.close();
  });
});
