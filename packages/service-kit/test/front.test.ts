import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCatalogue } from '@portal/contracts';
import { freePort } from '@portal/testing/product';
import Fastify from 'fastify';
import { afterAll, describe, expect, test } from 'vitest';
import { type Front, type FrontOptions, frontTimes, openFront } from '../src/host/front.ts';

/** The listening side of a process before clients that are slow, wrong or many, each on a socket of its own. */

const quick = { headers: 700, body: 1_200, silence: 1_000 };
const farMs = 10_000;
const ends: (() => Promise<unknown> | void)[] = [];

// At the end of all: tests that wait run side by side.
afterAll(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const open = async (options: Partial<FrontOptions> = {}): Promise<number> => (await openBoth(options)).port;

async function openBoth(options: Partial<FrontOptions> = {}): Promise<{ port: number; front: Front }> {
  const app = Fastify({ bodyLimit: 1000 });
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.post('/echo', async (request) => ({ got: request.body }));
  app.get('/slow', async () => {
    await sleep(quick.silence * 2);
    return 'late';
  });
  app.get('/large', (_request, reply) => {
    reply.hijack();
    const piece = Buffer.alloc(64 * 1024);
    Readable.from(Array.from({ length: 1024 }, () => piece)).pipe(reply.raw);
  });
  app.post('/lost', (request, reply) => {
    reply.hijack();
    // As undici does with a body that it cannot pass on.
    Object.assign(request.raw, { socket: null });
    request.raw.destroy();
    setTimeout(() => reply.raw.end('answered'), quick.silence);
  });
  app.put('/storage/file', (request, reply) => {
    reply.hijack();
    let bytes = 0;
    request.raw.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    request.raw.on('end', () => reply.raw.end(String(bytes)));
  });
  await app.ready();
  const port = await freePort();
  const front: Front = await openFront({ host: '127.0.0.1', port, times: quick, ...options });
  front.serve(app);
  ends.push(() => app.close());
  ends.push(() => front.close());
  return { front, port };
}

interface Client {
  readonly socket: Socket;
  readonly closed: Promise<unknown>;
  /** All that was answered so far. */
  told(): string;
}

async function client(port: number, first = ''): Promise<Client> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  ends.push(() => void socket.destroy());
  await Promise.race([once(socket, 'connect'), closed]);
  if (first !== '') socket.write(first);
  return { socket, closed, told: () => Buffer.concat(chunks).toString() };
}

/** Sends `text` again and again until the connection is gone. */
function drip({ socket }: Client, text: string): void {
  const timer = setInterval(() => socket.write(text), 100);
  socket.once('close', () => clearInterval(timer));
}

async function closedInTime({ closed }: Client): Promise<boolean> {
  return Promise.race([closed.then(() => true), sleep(farMs, false, { ref: false })]);
}

const isHealthy = async (port: number) => (await fetch(`http://127.0.0.1:${port}/healthz`)).status === 200;

const post = 'POST /echo HTTP/1.1\r\nHost: x\r\nAccept-Language: en\r\nContent-Type: application/json\r\n';
const put = 'PUT /storage/file HTTP/1.1\r\nHost: x\r\n';

describe.concurrent('When a client', () => {
  test.each<[string, string, { drip?: string; told: number | undefined }]>([
    ['says nothing', '', { told: 408 }],
    ['sends half a line', 'GET /healt', { told: 408 }],
    ['sends half its headers', 'GET /healthz HTTP/1.1\r\nHost: x\r\n', { told: 408 }],
    [
      'sends a byte of its headers now and then',
      'GET /healthz HTTP/1.1\r\nHost: x\r\nX: ',
      { drip: 'x', told: 408 },
    ],
    ['sends headers and no body', `${post}Content-Length: 100\r\n\r\n`, { told: 408 }],
    ['sends half a body', `${post}Content-Length: 100\r\n\r\n{"a":`, { told: 408 }],
    ['sends a byte of its body now and then', `${post}Content-Length: 100\r\n\r\n`, { drip: ' ', told: 408 }],
    [
      'sends a piece of its body now and then',
      `${post}Transfer-Encoding: chunked\r\n\r\n`,
      { drip: '1\r\n \r\n', told: 408 },
    ],
    [
      'sends a body that nobody reads',
      'GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n',
      { drip: ' ', told: 200 },
    ],
    ['stops in the middle of a file', `${put}Content-Length: 100\r\n\r\nabc`, { told: 408 }],
  ])(
    '%s, then its connection ends in time, and others are answered',
    async (_, first, { drip: more, told }) => {
      const port = await open();
      const slow = await client(port, first);
      if (more) drip(slow, more);
      expect(await isHealthy(port)).toBe(true);
      expect(await closedInTime(slow)).toBe(true);
      expect(Number(/^HTTP\/1\.1 (\d+)/.exec(slow.told())?.[1])).toBe(told);
      expect(await isHealthy(port)).toBe(true);
    },
  );

  test('never reads its answer, then its connection ends in time', async () => {
    const port = await open();
    const slow = await client(port);
    slow.socket.pause();
    slow.socket.write('GET /large HTTP/1.1\r\nHost: x\r\n\r\n');
    // A client that does not read notices the closed connection only when it writes.
    const probing = setInterval(() => slow.socket.write('\r\n'), 200);
    slow.socket.once('close', () => clearInterval(probing));
    expect(await isHealthy(port)).toBe(true);
    expect(await closedInTime(slow)).toBe(true);
    expect(slow.told().length).toBeLessThan(64 * 1024 ** 2);
  });

  test('reads a large answer, then it gets all of it', async () => {
    const port = await open();
    const reply = await fetch(`http://127.0.0.1:${port}/large`);
    expect((await reply.arrayBuffer()).byteLength).toBe(64 * 1024 ** 2);
  });

  test('sends a file slowly, then it may, as long as its bytes move', async () => {
    const port = await open();
    const slow = await client(port, `${put}Connection: close\r\nContent-Length: 20\r\n\r\n`);
    for (let n = 0; n < 20; n++) {
      await sleep(100);
      slow.socket.write('x');
    }
    await slow.closed;
    expect(slow.told()).toMatch(/^HTTP\/1\.1 200[\s\S]*\b20\b/);
  });

  test('waits for an answer that takes longer than silence may, then it gets it', async () => {
    const port = await open();
    expect(await (await fetch(`http://127.0.0.1:${port}/slow`)).text()).toBe('late');
  });
});

test('The times are those that were decided', () => {
  expect(frontTimes).toEqual({ headers: 15_000, body: 60_000, silence: 60_000 });
});

test('When the headers of a HEAD are too large, then the refusal has no body', async () => {
  const port = await open();
  const wrong = await client(port, `HEAD / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`);
  await wrong.closed;
  expect(wrong.told()).toMatch(/^HTTP\/1\.1 431 .*\r\n\r\n$/s);
});

describe('When what comes is no request', () => {
  test.each<[string, string, number]>([
    ['is no HTTP', 'hello\r\n\r\n', 400],
    ['has an unknown method', 'WHAT / HTTP/1.1\r\nHost: x\r\n\r\n', 404],
    ['has half of an unknown method', 'WH/AT / HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['names no host', 'GET /healthz HTTP/1.1\r\nAccept-Language: en\r\n\r\n', 400],
    ['has headers too large', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['has an address too long', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
    ['has two lengths', `${post}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`, 400],
    ['has a broken piece of a body', `${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, 400],
  ])('because it %s, then the refusal has the form and the headers of any other', async (_, text, status) => {
    const port = await open({ secure: true });
    const wrong = await client(port, text);
    await wrong.closed;
    const [head = '', body = ''] = wrong.told().split('\r\n\r\n');
    const headers = new Map(
      head
        .split('\r\n')
        .slice(1)
        .map((line) => line.split(': ') as [string, string]),
    );
    expect(Number(head.split(' ')[1])).toBe(status);
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      connection: 'close',
      'content-length': String(Buffer.byteLength(body)),
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'content-type': 'application/json; charset=utf-8',
      'strict-transport-security': 'max-age=31536000',
      'x-content-type-options': 'nosniff',
    });
    const inEnglish = text.includes('Accept-Language') && !text.includes('Content-Length: 2');
    expect(JSON.parse(body)).toEqual({
      code: status === 404 ? 'E40401' : 'E40001',
      message: errorCatalogue[status === 404 ? 'E40401' : 'E40001'][inEnglish ? 'en' : 'ja'],
      errors: [],
      request_id: headers.get('x-request-id'),
    });
  });

  test('but a request with an unknown expectation, then it is answered like others', async () => {
    const port = await open();
    const strange = await client(
      port,
      'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\nConnection: close\r\n\r\n',
    );
    await strange.closed;
    expect(strange.told()).toMatch(/^HTTP\/1\.1 200 /);
  });
});

test('When an answer is given before the body has come, then its reader gets it though the rest is cut off', async () => {
  const port = await open();
  const sender = await client(port, `${post}Content-Length: 100000000\r\n\r\n`);
  drip(sender, 'x'.repeat(1000));
  expect(await closedInTime(sender)).toBe(true);
  expect(sender.told()).toMatch(/^HTTP\/1\.1 413 /);
});

test('Every answer tells browsers not to guess, and where the portal is secure alone, to stay there', async () => {
  const secure = await fetch(`http://127.0.0.1:${await open({ secure: true })}/healthz`);
  expect(secure.headers.get('x-content-type-options')).toBe('nosniff');
  expect(secure.headers.get('strict-transport-security')).toBe('max-age=31536000');
  const plain = await fetch(`http://127.0.0.1:${await open()}/none`);
  expect([plain.status, plain.headers.get('x-content-type-options')]).toEqual([404, 'nosniff']);
  expect(plain.headers.get('strict-transport-security')).toBeNull();
});

describe('When one address opens many connections', () => {
  const half = 'GET /healthz HTTP/1.1\r\n';
  const stillOpen = async (clients: readonly Client[]) => {
    await sleep(200);
    return clients.filter(({ socket }) => !socket.closed && !socket.readableEnded).length;
  };
  const openMany = async (port: number, count: number) => {
    const clients: Client[] = [];
    for (let n = 0; n < count; n++) clients.push(await client(port, half));
    return clients;
  };
  const times = { ...quick, headers: 30_000, silence: 30_000 };

  test('then it has no more than its share, and gets room when some end', async () => {
    const port = await open({ times, connections: { inAll: 100, perAddress: 5 } });
    const clients = await openMany(port, 12);
    expect(await stillOpen(clients)).toBe(5);
    for (const { closed, socket } of clients) {
      socket.destroy();
      await closed;
    }
    await expect.poll(() => isHealthy(port).catch(() => false)).toBe(true);
  });

  test('then a proxy that calls for others may', async () => {
    const connections = { inAll: 100, perAddress: 5, proxies: ['127.0.0.0/8'] };
    const port = await open({ times, connections });
    expect(await stillOpen(await openMany(port, 12))).toBe(12);
  });

  test('then their number is limited, and another address still gets an answer about the health', async () => {
    const port = await open({ times, host: '0.0.0.0', connections: { inAll: 8 } });
    expect(await stillOpen(await openMany(port, 12))).toBe(8);
    const other = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' });
    ends.push(() => void other.destroy());
    const told = once(other, 'data');
    other.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(String(await told)).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('then connections that rest make room', async () => {
    const port = await open({ times, connections: { inAll: 4 } });
    const resting = await Promise.all(
      [1, 2, 3, 4].map(() => client(port, 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')),
    );
    for (const one of resting) await expect.poll(() => one.told()).toMatch(/^HTTP\/1\.1 200 /);
    const refused = await client(port, half);
    await refused.closed;
    await Promise.all(resting.map(({ closed }) => closed));
    expect(await isHealthy(port)).toBe(true);
  });
});

test('When a request loses its connection before it is answered, then the others are looked after', async () => {
  const port = await open();
  const { told } = await client(port, 'POST /lost HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello');
  await sleep(quick.silence / 2);
  expect(await isHealthy(port)).toBe(true);
  await expect.poll(told, { timeout: farMs }).toContain('answered');
});

test('When it closes while a client keeps a connection that it has not used yet, then that ends soon, and one that is about to be used is answered', async () => {
  const { front, port } = await openBoth({ times: frontTimes });
  const [unused, about] = [await client(port), await client(port)];
  const begun = performance.now();
  const closed = front.close();
  await sleep(200);
  about.socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
  await closed;
  expect(performance.now() - begun).toBeLessThan(5_000);
  await unused.closed;
  expect(unused.told()).toBe('');
  expect(about.told()).toMatch(/^HTTP\/1\.1 200 /);
});
