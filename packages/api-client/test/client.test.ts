import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { documentRoutes, identityRoutes, type Language, tenantRoutes, userRoutes } from '@portal/contracts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as wireRoutes from '../../contracts/test/wire-routes.ts';
import { type ApiClientOptions, ApiError, createApiClient, newTraceId } from '../src/index.ts';
import { queryKey, queryOptions } from '../src/query.ts';

interface Seen {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingMessage['headers'];
  body: string;
}

interface Answer {
  status: number;
  body: string;
  headers?: Record<string, string>;
  /** Milliseconds before the answer. */
  delay?: number;
}

let server: Server;
let baseUrl: string;
let seen: Seen[];
let answer: Answer;

const json = (status: number, body: unknown): Answer => ({ status, body: JSON.stringify(body) });

beforeEach(async () => {
  seen = [];
  answer = json(200, {});
  const reply = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method, url, headers } = request;
    seen.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
    const { status, body, delay = 0, headers: extra } = answer;
    await new Promise((resolve) => setTimeout(resolve, delay));
    response.writeHead(status, { 'content-type': 'application/json', ...extra }).end(body);
  };
  server = createServer((request, response) => void reply(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const client = (options: Partial<ApiClientOptions> = {}) =>
  createApiClient({ baseUrl, getToken: () => 'token-1', language: (): Language => 'en', ...options });

const group = {
  id: 3,
  name: 'Sales',
  note: '',
  role: 0,
  user_count: 2,
  file_count: 0,
  created_at: '2026-11-21T09:00:00Z',
  updated_at: '2026-11-21T09:00:00Z',
};
const page = { current_page: 1, total_page: 1, total_count: 1 };

const failure = async (call: Promise<unknown>): Promise<ApiError> => {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ApiError);
  return error as ApiError;
};

describe('a call', () => {
  it('fills the path, writes snake_case and reads camelCase', async () => {
    answer = json(200, { ...page, groups: [group] });
    const reply = await client().call(userRoutes.listGroups, {
      params: { pid: 7 },
      query: { perPage: 20, orderKey: 'createdAt', name: '', excludeIds: '1,2' },
    });
    expect(seen[0]?.method).toBe('GET');
    expect(seen[0]?.url).toBe(
      '/v1/partner/partners/7/groups?per_page=20&order_key=created_at&exclude_ids=1%2C2',
    );
    expect(seen[0]?.headers).toMatchObject({ authorization: 'Bearer token-1', 'accept-language': 'en' });
    expect(reply).toMatchObject({ totalCount: 1, groups: [{ userCount: 2 }] });
  });

  it('is a trace of its own, or of one with others', async () => {
    answer = json(200, { keys: [] });
    const traceId = newTraceId();
    for (const options of [{}, { traceId }, { traceId }]) {
      await client().call(identityRoutes.jwks, options);
    }
    const [alone, first, second] = seen.map(({ headers }) => String(headers.traceparent));
    expect(alone).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    expect(alone).not.toContain(traceId);
    for (const together of [first, second]) expect(together).toContain(`00-${traceId}-`);
    expect(first).not.toBe(second);
  });

  it('keeps zero and drops false, null and empty in a query', async () => {
    answer = json(200, { ...page, units: [] });
    await client().call(tenantRoutes.listUnits, { query: { page: 0, name: undefined } });
    expect(seen[0]?.url).toBe('/v1/admin/outsourcing/units?page=0');
  });

  it('encodes what it puts into the path', async () => {
    await client({ agent: 'player/1.0' }).call(userRoutes.updatePlatform, {
      params: { uuid: 'a/b?c' },
      body: { osType: 'ios' },
    });
    expect(seen[0]?.url).toBe('/v1/user/platforms/a%2Fb%3Fc');
    expect(seen[0]?.body).toBe('{"os_type":"ios"}');
    expect(seen[0]?.headers['x-agent']).toBe('player/1.0');
  });

  it.each(['.', '..'])('is not made where its path would have the parameter %s', async (id) => {
    const params = { db: 'd1', name: 'main', id };
    await expect(client().call(documentRoutes.deleteDocument, { params })).rejects.toThrow('No address');
    expect(seen).toEqual([]);
  });

  it('sends the idempotency key and no token on public routes', async () => {
    answer = json(201, { id: 5 });
    const reply = await client().call(userRoutes.createGroup, {
      params: { pid: 7 },
      body: { name: 'Sales' },
      idempotencyKey: 'once',
    });
    expect(reply).toEqual({ id: 5 });
    expect(seen[0]?.headers['idempotency-key']).toBe('once');

    answer = json(200, { keys: [] });
    await client().call(identityRoutes.jwks, {});
    expect(seen[1]?.headers.authorization).toBeUndefined();
  });

  it('sends and reads every kind of body and answer', async () => {
    const wrapped = { display_name: 'A', wrapped_document: { firstName: 'b', last_name: 'c' } };
    answer = json(200, wrapped);
    const body = { displayName: 'A', wrappedDocument: wrapped.wrapped_document };
    expect(await client().call(wireRoutes.wrapDocument, { body })).toEqual(body);
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual(wrapped);

    answer = { status: 204, body: '' };
    expect(
      await client().call(wireRoutes.patchPerson, {
        params: { pid: 1, userId: 'x' },
        body: { schemas: [], Operations: [{ op: 'add', someName: 1 }] },
        ifMatch: '3',
      }),
    ).toBeUndefined();
    expect(seen[1]).toMatchObject({
      method: 'PATCH',
      headers: { 'content-type': 'application/scim+json', 'if-match': '"3"' },
      body: '{"schemas":[],"Operations":[{"op":"add","someName":1}]}',
    });

    answer = json(202, { approval_id: 4 });
    expect(await client().call(wireRoutes.restore, { body: { then: 'asked' } })).toEqual({ approvalId: 4 });

    answer = json(200, { byte_count: 2, content_type: 'x' });
    const content = new Blob(['[]']);
    await client().call(wireRoutes.importLines, { body: { type: 'application/json', content } });
    expect(seen[3]).toMatchObject({ headers: { 'content-type': 'application/json' }, body: '[]' });

    answer = { status: 200, body: '{}\n{}', headers: { 'content-type': 'application/x-ndjson' } };
    expect(await client().call(wireRoutes.exportLines, {})).toBe('{}\n{}');
    expect(seen[4]?.headers.accept).toBe('application/x-ndjson, application/json, text/csv');

    answer = { status: 200, body: '' };
    const form = { SAMLResponse: 'a+b', RelayState: 'é' };
    await client().send(wireRoutes.postSaml, { body: form });
    expect(seen[5]).toMatchObject({
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'SAMLResponse=a%2Bb&RelayState=%C3%A9',
    });
  });

  it('names wrong fields as the contract does', async () => {
    const errors = ['display_name', 'wrapped_document.first_name'].map((field) => ({ field, message: 'x' }));
    answer = json(400, { code: 'E40002', message: 'x', errors });
    const body = { wrappedDocument: {} };
    const { fields } = await failure(client().call(wireRoutes.wrapDocument, { body }));
    expect(fields.map(({ field }) => field)).toEqual(['displayName', 'wrappedDocument.first_name']);
  });

  it('gives the bytes of a document', async () => {
    answer = { status: 200, body: '\uFEFFid,name\r\n', headers: { 'content-type': 'text/csv' } };
    const response = await client().send(userRoutes.exportGroups, { params: { pid: 7 } });
    expect(new Uint8Array(await response.arrayBuffer()).subarray(0, 3)).toEqual(
      new Uint8Array([0xef, 0xbb, 0xbf]),
    );
    expect(seen[0]?.headers.accept).toBe('text/csv');
  });
});

describe('a failure', () => {
  it('tells code, status, message, fields and request id', async () => {
    answer = json(400, {
      code: 'E40002',
      message: 'Invalid parameter.',
      errors: [{ field: 'login_user_id', message: 'Wrong.' }, { field: 'user_list.0.max_count' }],
      request_id: 'r-1',
    });
    const error = await failure(
      client().call(userRoutes.createGroup, { params: { pid: 7 }, body: { name: '' } }),
    );
    expect(error).toMatchObject({
      code: 'E40002',
      status: 400,
      message: 'Invalid parameter.',
      fields: [{ field: 'loginUserId', message: 'Wrong.' }],
      requestId: 'r-1',
    });
  });

  it('reports a 401 with the token that was refused', async () => {
    answer = json(401, { code: 'E40102', message: 'Invalid token.', errors: [], request_id: 'r' });
    const onUnauthorized = vi.fn();
    await failure(client({ onUnauthorized }).call(userRoutes.getGroup, { params: { pid: 7, id: 1 } }));
    expect(onUnauthorized).toHaveBeenCalledWith(
      expect.objectContaining({ code: 'E40102' }),
      'token-1',
      userRoutes.getGroup,
    );
  });

  it('that asks for the second step of a sign-in has its challenge, and is no refusal of a session', async () => {
    const refusal = { code: 'E40103', message: 'Enter the code.', errors: [], request_id: 'r' };
    answer = json(401, { ...refusal, challenge: 'c-1' });
    const onUnauthorized = vi.fn();
    const body = { email: 'a@example.com', password: 'password1' };
    const error = await failure(client({ onUnauthorized }).call(identityRoutes.adminLogin, { body }));
    expect(error).toMatchObject({ code: 'E40103', challenge: 'c-1' });
    expect(onUnauthorized).not.toHaveBeenCalled();
    answer = json(401, { ...refusal, code: 'E40101', challenge: 'c-1' });
    const other = await failure(client({ onUnauthorized }).call(identityRoutes.adminLogin, { body }));
    expect(other).toMatchObject({ code: 'E40101', challenge: undefined });
    expect(onUnauthorized).toHaveBeenCalledOnce();
  });

  it('of a session that was renewed meanwhile is made good by a second call, but not by a third', async () => {
    const refusal = json(401, { code: 'E40102', message: 'Invalid token.', errors: [], request_id: 'r' });
    answer = refusal;
    let token = 'old';
    const onUnauthorized = vi.fn(async () => {
      token = 'new';
      answer = json(201, { id: 5 });
      return true;
    });
    const create = async () =>
      client({ onUnauthorized, getToken: () => token }).call(userRoutes.createGroup, {
        params: { pid: 7 },
        body: { name: 'Sales' },
      });
    expect(await create()).toEqual({ id: 5 });
    expect(seen.map(({ headers, body }) => [headers.authorization, body])).toEqual([
      ['Bearer old', '{"name":"Sales"}'],
      ['Bearer new', '{"name":"Sales"}'],
    ]);

    answer = refusal;
    onUnauthorized.mockImplementation(async () => true);
    expect(await failure(create())).toMatchObject({ code: 'E40102' });
    expect(seen).toHaveLength(4);
  });

  it('makes sense of a body that is not ours', async () => {
    answer = { status: 503, body: '<html>', headers: {} };
    await expect(client().call(tenantRoutes.listUnits, {})).rejects.toMatchObject({
      code: 'E50001',
      status: 503,
      message: 'Internal server error.',
    });
    answer = { status: 502, body: '<html>', headers: { 'x-request-id': 'r-2' } };
    const error = await failure(client().call(tenantRoutes.listUnits, {}));
    expect(error).toMatchObject({ code: 'E50001', status: 502, requestId: 'r-2' });
  });

  it('refuses an answer that breaks the contract', async () => {
    answer = json(200, { ...group, user_count: 'two' });
    const error = await failure(client().call(userRoutes.getGroup, { params: { pid: 7, id: 3 } }));
    expect(error).toMatchObject({ code: 'INVALID_REPLY', status: 200 });
  });

  it('is NETWORK without an answer and TIMEOUT with one that comes too late', async () => {
    answer = { ...json(200, group), delay: 500 };
    const late = client({ timeout: 50 }).call(userRoutes.getGroup, { params: { pid: 7, id: 3 } });
    expect(await failure(late)).toMatchObject({ code: 'TIMEOUT', status: 0 });
    const nowhere = client({ baseUrl: 'http://127.0.0.1:1' });
    const error = await failure(nowhere.call(userRoutes.getGroup, { params: { pid: 7, id: 3 } }));
    expect(error).toMatchObject({ code: 'NETWORK', status: 0 });
    expect(error.message).toBe('Internal server error.');
  });

  it("passes the caller's own abort on", async () => {
    answer = { ...json(200, group), delay: 500 };
    const controller = new AbortController();
    const call = client().call(userRoutes.getGroup, {
      params: { pid: 7, id: 3 },
      signal: controller.signal,
    });
    setTimeout(() => controller.abort(), 20);
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('is what beforeRequest throws, and nothing is sent', async () => {
    const refuse = () => Promise.reject(new Error('no'));
    await expect(client({ beforeRequest: refuse }).call(tenantRoutes.listUnits, {})).rejects.toThrow('no');
    expect(seen).toHaveLength(0);
  });

  it('tells of every answer and of silence, but not of what its caller aborted', async () => {
    const told: string[] = [];
    const listener = {
      onAnswer: () => void told.push('answer'),
      onSilence: async () => void told.push('silence'),
    };
    answer = json(200, { units: [], current_page: 1, total_page: 1, total_count: 0 });
    await client(listener).call(tenantRoutes.listUnits, {});
    answer = json(403, { code: 'E40301', message: 'no', errors: [], request_id: 'r' });
    await expect(client(listener).call(tenantRoutes.listUnits, {})).rejects.toThrow();
    const offline = { ...listener, fetch: async () => Promise.reject(new TypeError('offline')) };
    await expect(client(offline).call(tenantRoutes.listUnits, {})).rejects.toMatchObject({ code: 'NETWORK' });
    const call = client(offline).call(tenantRoutes.listUnits, { signal: AbortSignal.abort() });
    await expect(call).rejects.toThrow();
    expect(told).toEqual(['answer', 'answer', 'silence']);
  });
});

describe('queries', () => {
  it('are keyed by route, parameters and query', async () => {
    const request = { params: { pid: 7, id: 3 } };
    expect(queryKey(userRoutes.getGroup, request)).toEqual(['getGroup', { pid: 7, id: 3 }, {}]);
    answer = json(200, group);
    const options = queryOptions(client(), userRoutes.getGroup, request);
    expect(await options.queryFn({ signal: new AbortController().signal })).toMatchObject({ name: 'Sales' });
  });
});
