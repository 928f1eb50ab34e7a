import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createMetadataFetcher, type FetchOptions } from '../src/identity-provider/http/fetch-metadata.ts';
import { serverCertificate } from './server-certificate.ts';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
});

async function listen(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return (server.address() as AddressInfo).port;
}
const http = async (handle: RequestListener) =>
  `http://127.0.0.1:${await listen(createHttpServer(handle))}/metadata`;

const faultOf = async (url: string, options: Partial<FetchOptions> = {}) =>
  createMetadataFetcher({ acceptsLoopback: true, ...options })(url).then(
    (content) => content.toString(),
    (error: { fault?: string }) => error.fault ?? error,
  );
const standsFor =
  (...addresses: string[]) =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

describe('An address is not asked', () => {
  test.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '198.18.0.1',
    '::1',
    '::',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '::ffff:169.254.169.254',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    'fe80::1',
    'fc00::1',
    'fec0::1',
    'ff02::1',
  ])('whose name stands for %s', async (address) => {
    const options = { acceptsLoopback: false, resolve: standsFor(address) };
    expect(await faultOf('https://idp.example.com/metadata', options)).toBe('address');
    expect(
      await faultOf('https://idp.example.com/', { ...options, resolve: standsFor('93.184.216.34', address) }),
    ).toBe('address');
  });

  test.each([
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://017700000001/',
    'https://[::1]/',
    'https://[::ffff:7f00:1]/',
    'https://10.0.0.1/',
    'https://169.254.169.254/latest/meta-data/',
  ])('that is %s', async (url) => {
    const resolve = vi.fn(standsFor('93.184.216.34'));
    expect(await faultOf(url, { acceptsLoopback: false, resolve })).toBe('address');
    expect(resolve).not.toHaveBeenCalled();
  });

  test.each([
    'http://idp.example.com/',
    'https://a:b@idp.example.com/',
    'file:///etc/passwd',
    'ftp://idp.example.com/',
    'x',
  ])('that is no https address: %s', async (url) => {
    expect(await faultOf(url)).toBe('address');
  });

  test('without encryption on this machine, unless it is a demo', async () => {
    const url = await http((_, reply) => reply.end('<a/>'));
    expect(await faultOf(url)).toBe('<a/>');
    expect(await faultOf(url, { acceptsLoopback: false })).toBe('address');
    // A private network is none of this machine in a demo either.
    expect(await faultOf('https://idp.example.com/', { resolve: standsFor('10.0.0.1') })).toBe('address');
  });
});

test('A name is looked up once, and just the host that was looked at is asked, which has to prove its name', async () => {
  const { ca, cert, key } = await serverCertificate('idp.example.com');
  const port = await listen(createHttpsServer({ cert, key }, (_, reply) => reply.end('<a/>')));
  // The second answer would be another host: what rebinding does.
  const answers = ['127.0.0.1', '10.0.0.1'];
  const resolve = vi.fn(async () => standsFor(answers.shift() ?? '')());
  expect(await faultOf(`https://idp.example.com:${port}/`, { ca, resolve })).toBe('<a/>');
  expect(resolve).toHaveBeenCalledTimes(1);
  expect(await faultOf(`https://other.example.com:${port}/`, { ca, resolve: standsFor('127.0.0.1') })).toBe(
    'unreachable',
  );
  expect(await faultOf(`https://idp.example.com:${port}/`, { resolve: standsFor('127.0.0.1') })).toBe(
    'unreachable',
  );
});

describe('What is no answer', () => {
  test.each([301, 302, 307, 308, 404, 500, 204])(
    'is the status %d, and no redirect is followed',
    async (status) => {
      const asked: string[] = [];
      const url = await http((request, reply) => {
        asked.push(request.url ?? '');
        reply.writeHead(status, { location: '/elsewhere' }).end('<a/>');
      });
      expect(await faultOf(url)).toBe('unreachable');
      expect(asked).toEqual(['/metadata']);
    },
  );

  test('is more than 1 MiB, whether it says so or not', async () => {
    const url = await http((_, reply) => {
      const write = () => {
        while (!reply.destroyed && reply.write(Buffer.alloc(64 * 1024)));
      };
      reply.on('drain', write);
      write();
    });
    expect(await faultOf(url)).toBe('tooLarge');
  });

  test('is a compressed one', async () => {
    const url = await http((_, reply) => reply.writeHead(200, { 'content-encoding': 'gzip' }).end('x'));
    expect(await faultOf(url)).toBe('unreachable');
  });

  test.each([
    [
      'comes byte by byte',
      (reply: Parameters<RequestListener>[1]) => setInterval(() => reply.write('x'), 20),
    ],
    ['never begins', () => undefined],
  ])('is one that %s', async (_, answer) => {
    let timer: NodeJS.Timeout | undefined;
    const url = await http((__, reply) => {
      timer = answer(reply);
    });
    const began = Date.now();
    expect(await faultOf(url, { timeoutMs: 300 })).toBe('unreachable');
    expect(Date.now() - began).toBeLessThan(3_000);
    clearInterval(timer);
  });

  test('is a name that nobody looks up in time, or that is none', async () => {
    const never = async () => new Promise<never>(() => {});
    expect(await faultOf('https://idp.example.com/', { timeoutMs: 50, resolve: never })).toBe('unreachable');
    expect(await faultOf('https://idp.example.com/', { resolve: standsFor() })).toBe('unreachable');
  });

  test('is the 33rd at the same time', async () => {
    const url = await http(() => undefined);
    const fetchMetadata = createMetadataFetcher({ acceptsLoopback: true, timeoutMs: 500 });
    const faults = await Promise.all(
      Array.from({ length: 33 }, async () =>
        fetchMetadata(url).catch((error: { fault: string }) => error.fault),
      ),
    );
    expect(faults.filter((fault) => fault === 'busy')).toHaveLength(1);
  });
});
