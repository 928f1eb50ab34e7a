import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { errorCatalogue, route } from '@portal/contracts';
import { createLogger, manualClock } from '@portal/kernel';
import { createInProcessEventBus } from '@portal/messaging';
import { followRevocations, tokenAlgorithm, tokenIssuer } from '@portal/service-kit';
import { createLocalDiskStorage, createStorageHandler, createUrlSigner } from '@portal/storage';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { patchPerson } from '../../../packages/contracts/test/wire-routes.ts';
import { buildGateway } from '../src/gateway.ts';

/** The gateway on a real port, before a service that tells what reached it. */

const clock = manualClock(new Date());
const lines: string[] = [];
const logger = createLogger({ level: 'info' }, { write: (line) => void lines.push(line) });
const shared = { service: 'user', summary: '', response: z.object({}) } as const;
const routes = [
  route({
    ...shared,
    id: 'open',
    method: 'POST',
    path: '/v2/open',
    access: { kind: 'public' },
  }),
  route({
    ...shared,
    id: 'named',
    method: 'PUT',
    path: '/v1/things/:name',
    params: z.object({ name: z.string() }),
    access: { kind: 'anyToken' },
  }),
  route({
    ...shared,
    id: 'publishable',
    method: 'GET',
    path: '/v2/publishable',
    access: { kind: 'apiKey', publishable: true },
  }),
  route({ ...shared, id: 'keyed', method: 'GET', path: '/v2/keyed', access: { kind: 'apiKey' } }),
  patchPerson,
  route({
    ...shared,
    id: 'documents',
    method: 'GET',
    path: '/api/v2/documents',
    access: [{ kind: 'partner', roles: 0 }, { kind: 'tenantKey' }],
  }),
  route({ ...shared, id: 'own', method: 'GET', path: '/v1/own', access: { kind: 'anyToken' } }),
  route({
    ...shared,
    id: 'inner',
    method: 'POST',
    path: '/internal/x',
    access: { kind: 'internal', callers: [] },
  }),
];

let app: Awaited<ReturnType<typeof buildGateway>>;
let origin: string;
let token: string;
let signedPut: string;
let serviceIsUp = true;
let timesAsked = 0;
const ends: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'portal-gateway-'));
  ends.push(() => rm(folder, { recursive: true }));
  const web = join(folder, 'web');
  await mkdir(join(web, 'assets'), { recursive: true });
  await writeFile(
    join(web, 'index.html'),
    '<!doctype html><title>Portal</title><meta name="version" content="0123456789abcdef"><script>alert(1)</script><script src="/a.js"></script>',
  );
  const script = 'console.log("portal");'.repeat(100);
  await writeFile(join(web, 'assets', 'app-1a2b.js'), script);
  await writeFile(join(web, 'assets', 'app-1a2b.js.br'), brotliCompressSync(script));

  const keys = await generateKeyPair('EdDSA');
  const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'k', alg: tokenAlgorithm };
  const bus = createInProcessEventBus({ logger });
  const revocations = await followRevocations({
    bus,
    clock,
    read: async () => ({ sessions: [], roles: [] }),
  });
  token = await new SignJWT({ sid: 's', role: 0, partner: 9, client: 'portal', platform: null })
    .setProtectedHeader({ alg: tokenAlgorithm, kid: 'k' })
    .setIssuer(tokenIssuer)
    .setAudience('tenant')
    .setSubject('1')
    .setExpirationTime('1h')
    .sign(keys.privateKey);

  const signer = createUrlSigner({ publicUrl: 'http://portal.test', secret: Buffer.alloc(32, 1), clock });
  const storage = await createLocalDiskStorage({ directory: join(folder, 'objects'), clock, signer });
  const expiresAt = new Date(clock.now().getTime() + 60_000);
  signedPut = new URL(
    await storage.presignPut('a/b', { expiresAt, maxSize: 10, use: { purpose: 'export', sessionId: 's' } }),
  ).href.replace('http://portal.test', '');

  app = await buildGateway({
    routes,
    upstream: {
      forward({ service }, request, response) {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ service, url: request.url, headers: request.headers }));
      },
    },
    tokens: { keys: async () => ({ keys: [jwk] }), revocations, clock },
    apiKeys: { apiKey: 'the-right-api-key', signUpKey: 'the-sign-up-key' },
    publicUrl: 'http://localhost:8080',
    storage: createStorageHandler({ storage, signer, logger, admit: async () => {} }),
    webDirectory: web,
    readiness: {
      user: async () => {
        timesAsked += 1;
        if (!serviceIsUp) throw new Error('down');
      },
    },
    counts: 'off',
    clock,
    trustedProxies: ['10.0.0.0/8'],
    logger,
  });
  ends.push(() => app.close());
  await app.listen({ host: '127.0.0.1', port: 0 });
  origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

const get = (path: string, headers: Record<string, string> = {}) => fetch(origin + path, { headers });
const codeOf = async (reply: Response) => [reply.status, ((await reply.json()) as { code: string }).code];

describe('When a call has a token', () => {
  test('then it reaches its service with a request id, a trace and the true address', async () => {
    const reply = await get('/v1/own?x=1', {
      authorization: `Bearer ${token}`,
      'x-forwarded-for': '6.6.6.6',
    });
    const told = (await reply.json()) as { service: string; url: string; headers: Record<string, string> };
    expect(told).toMatchObject({ service: 'user', url: '/v1/own?x=1' });
    expect(told.headers['x-request-id']).toBe(reply.headers.get('x-request-id'));
    expect(told.headers['x-forwarded-for']).toMatch(/127\.0\.0\.1$/);
    expect(told.headers.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
    expect(reply.headers.get('cache-control')).toBe('no-store');
  });
  test('then a bad one is turned away in the language of the caller', async () => {
    expect(await codeOf(await get('/v1/own'))).toEqual([401, 'E40101']);
    const reply = await get('/v1/own', { authorization: 'Bearer nonsense', 'accept-language': 'en' });
    expect(await reply.json()).toMatchObject({
      code: 'E40102',
      message: 'Invalid token. Please sign in again.',
    });
  });
  test('then the log has a line for it, with its tenant and trace but no token and no query', async () => {
    await expect
      .poll(() => lines.find((line) => line.includes('"path":"/v1/own"') && line.includes('200')))
      .toBeDefined();
    expect(lines.join()).toContain('"partnerId":9');
    expect(lines.join()).not.toContain(token);
    expect(lines.join()).not.toContain('x=1');
  });
});

test.each(['/v1/own/', '/v2/own', '/v2/own/'])('The same route answers at %s', async (path) => {
  expect(await codeOf(await get(path))).toEqual([401, 'E40101']);
  expect((await get(path, { authorization: `Bearer ${token}` })).status).toBe(200);
});

describe('When a call comes by a proxy', () => {
  const open = async (proxy: string, named: string) => {
    const headers = { 'x-forwarded-for': named };
    const reply = await app.inject({ method: 'POST', url: '/v2/open', remoteAddress: proxy, headers });
    const told = reply.json<{ headers?: Record<string, string> }>();
    return told.headers?.['x-forwarded-for'];
  };

  test('then services get the client address that a trusted proxy names, and other callers cannot set it', async () => {
    expect(await open('10.0.0.5', '203.0.113.1')).toBe('203.0.113.1');
    expect(await open('10.0.0.5', '6.6.6.6, 203.0.113.2, 10.0.0.9')).toBe('203.0.113.2');
    expect(await open('203.0.113.3', '6.6.6.6')).toBe('203.0.113.3');
  });
});

test('HEAD is no method of a call, whatever its GET does', async () => {
  const headers = { authorization: `Bearer ${token}` };
  const { status } = await fetch(`${origin}/v1/own`, { method: 'HEAD', headers });
  expect(status).toBe(404);
  expect((await fetch(`${origin}/`, { method: 'HEAD' })).status).toBe(200);
});

test('An API key is the right one or none', async () => {
  expect((await get('/v2/keyed', { 'x-api-key': 'the-right-api-key' })).status).toBe(200);
  expect(await codeOf(await get('/v2/keyed', { 'x-api-key': 'wrong' }))).toEqual([400, 'E40033']);
  // The key that everybody may know opens the routes alone that are for it, which take the other as well.
  expect(await codeOf(await get('/v2/keyed', { 'x-api-key': 'the-sign-up-key' }))).toEqual([400, 'E40033']);
  expect((await get('/v2/publishable', { 'x-api-key': 'the-sign-up-key' })).status).toBe(200);
  expect((await get('/v2/publishable', { 'x-api-key': 'the-right-api-key' })).status).toBe(200);
  expect(await codeOf(await get('/v2/publishable', { 'x-api-key': 'wrong' }))).toEqual([400, 'E40033']);
  expect(await codeOf(await get('/v2/keyed'))).toEqual([400, 'E40033']);
});

test("A tenant's own key is for the service to know, where the route takes one", async () => {
  expect((await get('/api/v2/documents', { 'x-api-key': 'whatever' })).status).toBe(200);
  expect(await codeOf(await get('/api/v2/documents'))).toEqual([401, 'E40101']);
  const both = { 'x-api-key': 'whatever', authorization: 'Bearer nonsense' };
  expect(await codeOf(await get('/api/v2/documents', both))).toEqual([401, 'E40102']);
  expect(await codeOf(await get('/v1/own', { 'x-api-key': 'whatever' }))).toEqual([401, 'E40101']);
});

test('A refusal at the door has the form that the route has for errors', async () => {
  const patch = async (headers: Record<string, string>, length: number) =>
    fetch(`${origin}/scim/v2/1/Users/7`, { method: 'PATCH', headers, body: ' '.repeat(length) });
  const refused = await patch({}, 1);
  expect([refused.status, refused.headers.get('content-type')]).toEqual([
    401,
    'application/scim+json; charset=utf-8',
  ]);
  expect(await refused.json()).toMatchObject({ status: '401', detail: expect.any(String) });
  expect(refused.headers.get('x-request-id')).toBeTruthy();
  const authorization = `Bearer ${token}`;
  const large = await patch({ authorization }, 1_048_577);
  expect([large.status, await large.json()]).toMatchObject([413, { status: '413' }]);
  const passed = await patch({ authorization }, 1);
  expect(await passed.json()).toMatchObject({ url: '/scim/v2/1/Users/7' });
});

test('What is not there has the form of the routes beside it; a method that is not names those that are', async () => {
  const wrongMethod = await fetch(`${origin}/scim/v2/1/Users/7`, { method: 'DELETE' });
  expect([wrongMethod.status, wrongMethod.headers.get('allow'), await wrongMethod.json()]).toEqual([
    405,
    'PATCH',
    expect.objectContaining({ status: '405' }),
  ]);
  const nowhere = await fetch(`${origin}/scim/v2/1/Nothing`);
  expect([nowhere.status, nowhere.headers.get('content-type'), await nowhere.json()]).toEqual([
    404,
    'application/scim+json; charset=utf-8',
    expect.objectContaining({ status: '404' }),
  ]);
});

test('Internal routes and unknown ones do not exist', async () => {
  expect(await codeOf(await fetch(`${origin}/internal/x`, { method: 'POST' }))).toEqual([404, 'E40401']);
  expect(await codeOf(await get('/internal/x'))).toEqual([404, 'E40401']);
  expect(await codeOf(await get('/v1/open'))).toEqual([404, 'E40401']);
  expect(await codeOf(await get('/dev/mailbox'))).toEqual([404, 'E40401']);
});

describe('When a browser comes', () => {
  test('then every screen is the page, never from a cache, under a strict policy', async () => {
    for (const path of ['/', '/partner/files/edit/?id=1&pn=x', '/admin/login']) {
      const reply = await get(path);
      expect(reply.status).toBe(200);
      expect(await reply.text()).toContain('<title>Portal</title>');
      expect(reply.headers.get('cache-control')).toBe('no-cache');
      expect(reply.headers.get('content-security-policy')).toContain(
        "script-src 'self' 'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI=';",
      );
    }
  });
  test('then assets are compressed and cached for ever, and missing ones are missing', async () => {
    const reply = await get('/assets/app-1a2b.js', { 'accept-encoding': 'br' });
    expect(reply.headers.get('content-encoding')).toBe('br');
    expect(reply.headers.get('cache-control')).toContain('immutable');
    expect((await get('/assets/gone-ffff.js')).status).toBe(404);
  });
  test('then no path leads out of the folder', async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      httpRequest(`${origin}`, { path: '/assets/..%2f..%2fobjects' }, (reply) => {
        reply.resume();
        resolve(reply.statusCode);
      })
        .on('error', reject)
        .end();
    });
    expect([403, 404, 400]).toContain(status);
  });
  test.each([
    ['127.0.0.1:8080', 'http://localhost:8080/partner/files?page=2'],
    ['[::1]:8080', 'http://localhost:8080/partner/files?page=2'],
    ['localhost:8080', undefined],
    ['127.0.0.1:9090', undefined],
    ['portal.example:8080', undefined],
    ['127.0.0.1.evil.example:8080', undefined],
  ])(
    'then a page that is opened at %s leads to the public address where it is the same machine',
    async (host, to) => {
      const page = await app.inject({ url: '/partner/files?page=2', headers: { host } });
      expect([page.statusCode, page.headers.location]).toEqual(
        to === undefined ? [200, undefined] : [307, to],
      );
      const call = await app.inject({ url: '/v1/own', headers: { host } });
      expect(call.statusCode).toBe(401);
    },
  );
  test('then every answer has the version of the page, from the gateway and from services', async () => {
    const answers = await Promise.all(
      [
        '/',
        '/assets/app-1a2b.js',
        '/assets/gone-ffff.js',
        '/healthz',
        '/docs',
        '/v1/none',
        '/%',
        '/storage/none',
      ].map(async (path) => get(path)),
    );
    const call = await get('/v1/own', { authorization: `Bearer ${token}` });
    for (const { headers, url } of [...answers, call]) {
      expect([url, headers.get('x-version')]).toEqual([url, '0123456789abcdef']);
    }
  });
  test('then the version is the one that the page was built as', async () => {
    const reply = await get('/version.json?1');
    expect(reply.headers.get('cache-control')).toBe('no-store');
    expect(await reply.json()).toMatchObject({
      version: '0123456789abcdef',
      built_at: expect.stringMatching(/Z$/),
    });
  });
});

test('Signed addresses store and refuse as signed', async () => {
  const put = await fetch(origin + signedPut, { method: 'PUT', body: '0123456789' });
  expect(put.status).toBe(200);
  const tampered = await fetch(`${origin}${signedPut}&x=1`, { method: 'PUT', body: '0' });
  expect(tampered.status).toBe(403);
  expect(lines.join()).not.toContain('signature');
});

test('Health and readiness tell what is missing', async () => {
  expect((await get('/healthz')).status).toBe(200);
  expect(await (await get('/readyz')).json()).toEqual({ status: 'ok', checks: { user: 'ok' } });
  serviceIsUp = false;
  const down = { status: 503, body: { status: 'down', checks: { user: 'down' } } };
  await expect
    .poll(
      async () => {
        const reply = await get('/readyz');
        return { status: reply.status, body: await reply.json() };
      },
      { timeout: 5_000 },
    )
    .toEqual(down);
});

test('However many ask whether it is ready, the services are asked now and then', async () => {
  const before = timesAsked;
  await Promise.all(Array.from({ length: 100 }, () => get('/readyz')));
  for (let n = 0; n < 50; n++) await get('/readyz?only=others');
  // Once, and again for each second that this takes.
  expect(timesAsked - before).toBeLessThan(50);
});

test('Asked for itself alone, the gateway is ready while a service is away', async () => {
  serviceIsUp = false;
  const reply = await get('/readyz?only=self');
  expect([reply.status, await reply.json()]).toEqual([200, { status: 'ok', checks: {} }]);
});

test('The contracts can be read', async () => {
  const openApi = (await (await get('/openapi.json')).json()) as { paths: object };
  expect(Object.keys(openApi.paths).sort()).toEqual([
    '/api/v2/documents',
    '/scim/v2/{pid}/Users/{userId}',
    '/v1/own',
    '/v1/things/{name}',
    '/v2/keyed',
    '/v2/open',
    '/v2/publishable',
  ]);
  expect((await (await get('/asyncapi.json')).json()) as object).toMatchObject({ asyncapi: '3.0.0' });
  const page = await get('/docs');
  expect(await page.text()).toContain('/docs/reference.js');
  // Whole: an answer that nobody reads keeps its connection, for which the end of the gateway waits.
  const script = await get('/docs/reference.js');
  expect([script.status, await script.text()]).toEqual([200, expect.stringContaining('function')]);
});

test.each(['/openapi.json', '/asyncapi.json', '/docs', '/docs/start.js', '/docs/reference.js'])(
  '%s is compressed as its reader can read it, and told of once',
  async (path) => {
    const plain = await get(path, { 'accept-encoding': 'identity' });
    const content = await plain.text();
    expect([plain.headers.get('content-encoding'), plain.headers.get('vary')]).toEqual([
      null,
      'accept-encoding',
    ]);
    for (const coding of ['br', 'gzip']) {
      const reply = await get(path, { 'accept-encoding': `${coding}, x;q=0.5` });
      expect(reply.headers.get('content-encoding')).toBe(coding);
      expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
      expect((await reply.text()) === content).toBe(true);
      const etag = reply.headers.get('etag') ?? '';
      expect(etag).not.toBe(plain.headers.get('etag'));
      const again = await get(path, { 'accept-encoding': coding, 'if-none-match': etag });
      expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
    }
  },
);

describe('When the address or the method is wrong', () => {
  const raw = async (method: string, path: string, headers: Record<string, string> = {}) =>
    new Promise<{ status: number; headers: IncomingHttpHeaders; body: string }>((resolve, reject) => {
      httpRequest(origin, { method, path, headers: { 'accept-language': 'en', ...headers } }, (reply) => {
        const chunks: Buffer[] = [];
        reply.on('data', (chunk: Buffer) => chunks.push(chunk));
        reply.on('end', () =>
          resolve({
            status: reply.statusCode ?? 0,
            headers: reply.headers,
            body: Buffer.concat(chunks).toString(),
          }),
        );
      })
        .on('error', reject)
        .end();
    });
  const long = 'x'.repeat(600);
  test.each<[string, string, number, string]>([
    ['GET', '/%zz', 400, 'E40001'],
    ['GET', '/v1/own/%', 400, 'E40001'],
    ['PUT', '/v1/things/%zz', 400, 'E40001'],
    ['POST', '/storage/%c0%80%zz', 400, 'E40001'],
    ['PUT', `/v1/things/${long}`, 404, 'E40401'],
    ['GET', `/storage/${long}`, 403, 'E40301'],
    ['GET', '/storage/a?signature=x', 403, 'E40301'],
    ['POST', '/storage/a', 404, 'E40401'],
    ['PROPFIND', '/v1/own', 404, 'E40401'],
    ['TRACE', '/', 404, 'E40401'],
    ['OPTIONS', '/v1/own', 404, 'E40401'],
    ['QUERY', '/v1/own', 404, 'E40401'],
    ['DELETE', '/', 404, 'E40401'],
    ['GET', '/assets/', 404, 'E40401'],
    ['GET', '/assets/%2e%2e/%2e%2e/objects', 404, 'E40401'],
    ['GET', '/assets/app-1a2b.js.gz', 404, 'E40401'],
    ['GET', '/internal/x', 404, 'E40401'],
  ])('as in %s %s, then it is an error as any other', async (method, path, status, code) => {
    const reply = await raw(method, path);
    expect(reply.status).toBe(status);
    expect(reply.headers).toMatchObject({
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.any(String),
    });
    expect(JSON.parse(reply.body)).toEqual({
      code,
      message: errorCatalogue[code as 'E40001'].en,
      errors: [],
      request_id: reply.headers['x-request-id'],
    });
  });
  test('as a range that a file has not, then it is 416', async () => {
    const reply = await raw('GET', '/assets/app-1a2b.js', { range: 'bytes=99999999-' });
    expect([reply.status, (JSON.parse(reply.body) as { code: string }).code]).toEqual([416, 'E40001']);
  });
});

describe('When a body is larger than its route takes', () => {
  /** Each from an address of its own, for which nothing is counted yet. */
  let callers = 0;
  const send = async (url: string, bytes: number, authorization = '') => {
    const reply = await app.inject({
      method: url.includes('things') ? 'PUT' : 'POST',
      url,
      remoteAddress: `203.0.113.${++callers}`,
      headers: { 'content-length': String(bytes), ...(authorization ? { authorization } : {}) },
      payload: Buffer.alloc(bytes, ' '),
    });
    return [reply.statusCode, reply.json<{ code?: string }>().code];
  };
  test('then it is refused before a service hears of it, however it is signed', async () => {
    expect(await send('/v1/open', 65_536)).toEqual([200, undefined]);
    expect(await send('/v1/open', 65_537)).toEqual([413, 'E40001']);
    expect(await send('/v1/open', 65_537, `Bearer ${token}`)).toEqual([413, 'E40001']);
    expect(await send('/v1/things/a', 1_048_576, `Bearer ${token}`)).toEqual([200, undefined]);
    expect(await send('/v1/things/a', 1_048_577, `Bearer ${token}`)).toEqual([413, 'E40001']);
    expect(await send('/v1/things/a', 1_048_577, 'Bearer x')).toEqual([401, 'E40102']);
  });
});
