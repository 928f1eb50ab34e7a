import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { deflateSync, gzipSync } from 'node:zlib';
import { AppError, fieldError } from '@portal/kernel';
import { StorageError } from '@portal/storage';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as routes from '../../contracts/test/wire-routes.ts';
import { Answer } from '../src/http/answer.ts';
import { implement } from '../src/http/implement.ts';
import { startKit, type TestKit } from './kit.ts';

/** Every kind of wire that a contract can have, between a real client and the kit. */

const times = { headers: 1_000, body: 500, silence: 1_000 };

let kit: TestKit;
let bearer: string;
const documents = new Map<string, { version: number; value: Record<string, unknown> }>();
/** Of an import: resolves with its first bytes. */
let beginning = Promise.withResolvers<number>();
/** Of an endless export: how many chunks were read, and whether it was closed. */
let endless = { pieces: 0, hasEnded: false };

beforeAll(async () => {
  kit = await startKit(
    [
      implement(routes.putDocument, async ({ params: { name }, body }, { checkVersion }) => {
        const before = documents.get(name);
        checkVersion(before && String(before.version));
        const version = (before?.version ?? 0) + 1;
        documents.set(name, { version, value: body });
        return new Answer(before ? 200 : 201, body, { version: String(version) });
      }),
      implement(routes.getDocument, async ({ params: { name } }) => {
        const found = documents.get(name);
        if (!found) throw new AppError('E40401');
        return new Answer(200, found.value, { version: String(found.version) });
      }),
      implement(routes.wrapDocument, async ({ body }) => {
        if (body.displayName === 'refused') throw fieldError('E40029', 'displayName', 'notUnique');
        return body;
      }),
      implement(routes.postSaml, async ({ body: { RelayState, SAMLResponse } }) => {
        if (SAMLResponse === 'forged') throw new AppError('E40037');
        return `https://player.example/?${RelayState ?? ''}`;
      }),
      implement(routes.importLines, async ({ body: { content, type } }) => {
        let byteCount = 0;
        for await (const chunk of content) {
          byteCount += chunk.length;
          beginning.resolve(byteCount);
          if (chunk[0] === 33) break;
        }
        return { byteCount, contentType: type };
      }),
      implement(routes.importCompressed, async ({ body: { content } }) => {
        let byteCount = 0;
        for await (const chunk of content) {
          byteCount += chunk.length;
          if (chunk[0] === 33) break;
        }
        return { byteCount };
      }),
      implement(routes.postAnyKeys, async ({ body }) => ({ keys: Object.keys(body) })),
      implement(routes.exportLines, async ({ query: { format, then } }) => {
        if (then === 'refused') throw new AppError('E40401');
        const type = ({ lines: 'application/x-ndjson', array: 'application/json', csv: 'text/csv' } as const)[
          format
        ];
        return { content: exported(then), type, ...(format === 'csv' && { fileName: '名簿.csv' }) };
      }),
      implement(routes.samlMetadata, async () => ({ content: '<a>é</a>' })),
      implement(routes.restore, async ({ body: { then } }) => {
        if (then === 'asked') return new Answer(202, { approvalId: 7 });
        if (then === 'nothing') return new Answer(204, undefined);
        if (then === 'undeclared') return new Answer(200, {}) as never;
        return { newVersion: 3 };
      }),
      implement(routes.patchPerson, async ({ body, params: { userId } }, { checkVersion }) => {
        checkVersion('a1');
        if (userId === 'taken') throw fieldError('E40029', 'userName', 'notUnique');
        if (userId === 'broken') throw new TypeError('the password is hunter2');
        if (userId === 'gone') throw new StorageError('unavailable', 'away');
        const [operation] = body.Operations;
        if (operation?.op === 'silent') return new Answer(204, undefined, { version: 'a2' });
        return { userName: 'taro', name: { givenName: 'x', family_name: 'y' }, 'urn:a:b': [operation] };
      }),
    ],
    { times },
  );
  bearer = `Bearer ${await kit.portal()}`;
});
afterAll(() => kit.stop());
beforeEach(() => {
  documents.clear();
  beginning = Promise.withResolvers();
  endless = { pieces: 0, hasEnded: false };
});

function exported(then: string | undefined): AsyncIterable<Uint8Array | string> | Readable {
  if (then === 'endless') return endlessPieces();
  if (then === 'a stream that breaks') {
    const stream = new Readable({ read() {} });
    stream.push('first\n');
    setTimeout(() => stream.destroy(new Error('the disk has failed')), 100);
    return stream;
  }
  return pieces(then);
}

async function* pieces(then: string | undefined): AsyncGenerator<string> {
  if (then === 'breaks at once') throw new Error('the query has failed');
  if (then === 'is refused at once') throw new AppError('E40402');
  yield '{"_id":1}\n';
  if (then === 'breaks') throw new Error('the query has failed');
  yield '{"_id":2}\n';
}

async function* endlessPieces(): AsyncGenerator<Uint8Array> {
  const piece = Buffer.alloc(64 * 1024, 'x');
  try {
    while (true) {
      endless.pieces += 1;
      yield piece;
    }
  } finally {
    endless.hasEnded = true;
  }
}

const send = async (
  method: string,
  path: string,
  options: { body?: string; type?: string; headers?: Record<string, string> } = {},
) => {
  const { body, headers, type = 'application/json' } = options;
  const reply = await kit.fetch(path, {
    method,
    redirect: 'manual',
    headers: { authorization: bearer, ...(body !== undefined && { 'content-type': type }), ...headers },
    ...(body !== undefined && { body }),
  });
  return { status: reply.status, headers: reply.headers, text: await reply.text() };
};
const json = async (...of: Parameters<typeof send>) => {
  const { status, text } = await send(...of);
  return [status, JSON.parse(text)];
};

describe("When JSON is somebody else's", () => {
  const value = {
    _id: 'x',
    firstName: 'Taro',
    first_name: 'Jiro',
    'a.b': 1,
    '': { someName: { other_name: [{ deepName: [[{ deeper_name: null }]] }] } },
  };

  test('then no name in it changes, at any depth, on the way in and out', async () => {
    const body = JSON.stringify(value);
    expect(await json('PUT', '/api/v2/documents/a', { body })).toEqual([201, value]);
    expect(documents.get('a')?.value).toEqual(value);
    expect(await json('GET', '/api/v2/documents/a')).toEqual([200, value]);
  });

  test('then our own fields around it are renamed as ever, and errors name each as it was sent', async () => {
    const wrapped = { display_name: 'A', wrapped_document: value };
    expect(await json('POST', '/api/v2/wrapped', { body: JSON.stringify(wrapped) })).toEqual([200, wrapped]);
    const fieldsOf = async (query: string, body: object) => {
      const [status, answer] = await json('POST', `/api/v2/wrapped${query}`, { body: JSON.stringify(body) });
      return [status, ...answer.errors.map(({ field }: { field: string }) => field)];
    };
    expect(await fieldsOf('?order_key=c', {})).toEqual([400, 'order_key']);
    expect(await fieldsOf('', { display_name: 1, wrapped_document: { firstName: 1 } })).toEqual([
      400,
      'display_name',
      'wrapped_document.firstName',
    ]);
    expect(await fieldsOf('', { ...wrapped, display_name: 'refused' })).toEqual([400, 'display_name']);
    const [, answer] = await json('PUT', '/api/v2/documents/a', { body: '{"firstName":1}' });
    expect(answer.errors).toMatchObject([{ field: 'firstName' }]);
  });

  test('then it may be as deep as its route says, and elsewhere as deep as any', async () => {
    const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
    const put = async (levels: number) =>
      (await send('PUT', '/api/v2/documents/a', { body: nested(levels) })).status;
    expect([await put(100), await put(101)]).toEqual([201, 400]);
    const wrap = async (levels: number) =>
      (await send('POST', '/api/v2/wrapped', { body: `{"wrapped_document":${nested(levels - 1)}}` })).status;
    expect([await wrap(64), await wrap(65)]).toEqual([200, 400]);
  });

  test.each(['[1]', '"x"', '{', '{"__proto__":{"a":1}}'])('then %s is still no document', async (body) => {
    expect(await json('PUT', '/api/v2/documents/a', { body })).toMatchObject([400, { code: 'E40001' }]);
  });
});

describe('When a record has versions', () => {
  const put = async (body: string, ifMatch?: string) =>
    send('PUT', '/api/v2/documents/a', { body, ...(ifMatch && { headers: { 'if-match': ifMatch } }) });

  test('then an answer has the version, and a change meant for another is refused', async () => {
    const first = await put('{"n":1}');
    expect([first.status, first.headers.get('etag')]).toEqual([201, '"1"']);
    const second = await put('{"n":2}', '"1"');
    expect([second.status, second.headers.get('etag')]).toEqual([200, '"2"']);
    for (const other of ['"1"', '"1", "3"', 'W/"1"', '2', 'nonsense', '""']) {
      const late = await put('{"n":3}', other);
      expect([other, late.status, JSON.parse(late.text).code]).toEqual([other, 412, 'E40034']);
    }
    expect(documents.get('a')?.value).toEqual({ n: 2 });
    for (const [index, same] of ['"2"', 'W/"3"', '"x", "4"', '*'].entries()) {
      expect([same, (await put(`{"n":${index}}`, same)).status]).toEqual([same, 200]);
    }
  });

  test('then one that is not there has none', async () => {
    expect((await put('{}', '*')).status).toBe(412);
    expect((await put('{}', '"1"')).status).toBe(412);
    expect((await put('{}')).status).toBe(201);
  });

  test('then a reader who has it gets 304, without the body', async () => {
    await put('{"n":1}');
    const read = (known: string) =>
      send('GET', '/api/v2/documents/a', { headers: { 'if-none-match': known } });
    const same = await read('"1"');
    expect([same.status, same.text, same.headers.get('etag')]).toEqual([304, '', '"1"']);
    expect((await read('"0", "1"')).status).toBe(304);
    expect(await read('"0"')).toMatchObject({ status: 200, text: '{"n":1}' });
  });
});

describe('When a route takes a form', () => {
  const type = 'application/x-www-form-urlencoded';
  const post = async (body: string, as = type) => send('POST', routes.postSaml.path, { body, type: as });

  test('then its fields keep their names, and its answer leads elsewhere', async () => {
    const reply = await post('SAMLResponse=a%2Bb+c&RelayState=x%3D1&other=2');
    expect([reply.status, reply.text, reply.headers.get('location')]).toEqual([
      302,
      '',
      'https://player.example/?x=1',
    ]);
    expect((await post('SAMLResponse=a', `${type}; charset=UTF-8`)).status).toBe(302);
  });

  test('then the error names missing fields as in the form, and a refusal does not redirect', async () => {
    const lacking = await post('RelayState=x');
    expect([lacking.status, JSON.parse(lacking.text)]).toMatchObject([
      400,
      { code: 'E40003', errors: [{ field: 'SAMLResponse' }] },
    ]);
    const forged = await post('SAMLResponse=forged');
    expect([forged.status, forged.headers.get('location')]).toEqual([400, null]);
  });

  test.each([
    ['the same name twice', 'SAMLResponse=a&SAMLResponse=b', type, 400],
    ['JSON', '{"SAMLResponse":"a"}', 'application/json', 400],
    ['more than the route takes', `SAMLResponse=${'a'.repeat(100_000)}`, type, 413],
  ])('then %s is refused', async (_, body, as, status) => {
    const reply = await post(body, as);
    expect([reply.status, JSON.parse(reply.text).code]).toEqual([status, 'E40001']);
  });

  test('then no other route takes one', async () => {
    const reply = await send('POST', routes.restore.path, { body: 'then=restored', type });
    expect([reply.status, JSON.parse(reply.text).code]).toEqual([400, 'E40001']);
  });
});

describe('When a route takes bytes', () => {
  const type = 'application/x-ndjson';
  /** Sends a body in pieces, each when the one before has been looked at. */
  const trickle = async (path: string, as: string, parts: readonly string[], ms: number, agent?: Agent) => {
    const sending = request(`${kit.origin}${path}`, {
      agent,
      method: 'POST',
      headers: { authorization: bearer, 'content-type': as },
    });
    // Read at once: a connection that is cut takes what is unread with it.
    const answered = once(sending, 'response').then(async ([response]) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      return { status: response.statusCode, text };
    });
    answered.catch(() => undefined);
    sending.on('error', () => undefined);
    for (const part of parts) {
      sending.write(part);
      await sleep(ms);
    }
    sending.end();
    return answered;
  };

  test('then the handler has the beginning before the end is sent', async () => {
    const body = new ReadableStream({
      async start(controller) {
        controller.enqueue(Buffer.from('{"a":1}\n'));
        await beginning.promise;
        controller.enqueue(Buffer.from('{"a":2}\n'));
        controller.close();
      },
    });
    const headers = { authorization: bearer, 'content-type': `${type}; charset=utf-8` };
    const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit;
    const reply = await kit.fetch(routes.importLines.path, init);
    expect([reply.status, await reply.json()]).toEqual([200, { byte_count: 16, content_type: type }]);
  });

  test('then the handler gets the type, and other types are refused', async () => {
    const [status, answer] = await json('POST', routes.importLines.path, { body: '[1]' });
    expect([status, answer]).toEqual([200, { byte_count: 3, content_type: 'application/json' }]);
    const other = await json('POST', routes.importLines.path, { body: 'x', type: 'text/plain' });
    expect(other).toMatchObject([400, { code: 'E40001' }]);
    expect((await send('POST', routes.importLines.path)).status).toBe(400);
  });

  test('then no more than its route allows is read, with or without a declared length', async () => {
    const body = 'x'.repeat(2_000_001);
    expect(await json('POST', routes.importLines.path, { body, type })).toMatchObject([
      413,
      { code: 'E40001' },
    ]);
    const parts = Array.from({ length: 5 }, () => 'x'.repeat(500_000));
    const reply = await trickle(routes.importLines.path, type, parts, 5);
    expect([reply.status, JSON.parse(reply.text).code]).toEqual([413, 'E40001']);
  });

  test('then it may take as long as it moves, which no other body may', async () => {
    const long = Array.from({ length: 8 }, () => 'x'.repeat(10));
    const reply = await trickle(routes.importLines.path, type, long, times.body / 4);
    expect(reply).toEqual({ status: 200, text: JSON.stringify({ byte_count: 80, content_type: type }) });
    const other = await trickle(routes.restore.path, 'application/json', ['{'], times.body * 1.5);
    expect(other.status).toBe(408);
  });

  test('then a handler may answer before the end of it, and the connection is good for the next call', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (const parts of [['!'], ['!', 'x'.repeat(400_000), 'x'.repeat(400_000)], ['!']]) {
      const reply = await trickle(routes.importLines.path, type, parts, 50, agent);
      expect(reply.status).toBe(200);
    }
    agent.destroy();
  });

  test('then one that breaks off is no defect', async () => {
    const before = kit.lines.length;
    const socket = connect(kit.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(
      `POST ${routes.importLines.path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${bearer}\r\n` +
        `Content-Type: ${type}\r\nContent-Length: 1000\r\n\r\nhalf`,
    );
    await beginning.promise;
    socket.destroy();
    await sleep(100);
    expect(kit.lines.slice(before).filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });
});

describe('When a route takes compressed bytes', () => {
  const post = async (
    body: Uint8Array<ArrayBuffer> | string,
    encoding?: string,
    path = routes.importCompressed.path,
  ): Promise<[number, unknown]> => {
    const reply = await kit.fetch(path, {
      method: 'POST',
      headers: {
        authorization: bearer,
        'content-type': 'application/x-ndjson',
        ...(encoding && { 'content-encoding': encoding }),
      },
      body,
    });
    return [reply.status, await reply.json()];
  };

  test('then the handler gets them inflated, and plain ones as they are', async () => {
    const counted = (byteCount: number) => [200, { byte_count: byteCount }];
    expect(await post(gzipSync('x'.repeat(500_000)), 'gzip')).toEqual(counted(500_000));
    expect(await post(gzipSync('x'), 'GZIP')).toEqual(counted(1));
    expect(await post(Buffer.concat([gzipSync('one'), gzipSync('two')]), 'gzip')).toEqual(counted(6));
    expect(await post('plain')).toEqual(counted(5));
    expect(await post('plain', 'identity')).toEqual(counted(5));
  });

  test.each([
    ['no gzip', Buffer.from('plain'), 'gzip', 400],
    ['half of one', gzipSync('x'.repeat(5_000)).subarray(0, 20), 'gzip', 400],
    [
      'one whose check sum is wrong',
      gzipSync('x').map((byte, at, all) => (at < all.length - 8 ? byte : 0)),
      'gzip',
      400,
    ],
    ['another coding', deflateSync('x'), 'deflate', 400],
    ['two codings', gzipSync(gzipSync('x')), 'gzip, gzip', 400],
    ['more than the route takes once it is inflated', gzipSync(Buffer.alloc(50_000_000)), 'gzip', 413],
  ])('then %s is refused', async (_, body, encoding, status) => {
    expect(await post(body, encoding)).toMatchObject([status, { code: 'E40001' }]);
  });

  test('then the handler may stop before their end', async () => {
    const content = Buffer.concat([Buffer.from('!'), randomBytes(1_500_000)]);
    expect((await post(gzipSync(content), 'gzip'))[0]).toBe(200);
    expect((await post('after it'))[0]).toBe(200);
  });

  test('then no other route takes them', async () => {
    expect(await post(gzipSync('x'), 'gzip', routes.importLines.path)).toMatchObject([
      400,
      { code: 'E40001' },
    ]);
  });
});

test('When a route takes whatever keys, then it gets them all, and other routes none of a prototype', async () => {
  const body = '{"__proto__":{"a":1},"constructor":{"prototype":{}},"a":1}';
  expect(await json('POST', routes.postAnyKeys.path, { body })).toEqual([
    200,
    { keys: ['__proto__', 'constructor', 'a'] },
  ]);
  expect(await json('POST', routes.postAnyKeys.path, { body: '[1]' })).toMatchObject([
    400,
    { code: 'E40001' },
  ]);
  expect(await json('PUT', routes.putDocument.path.replace(':name', 'keys'), { body })).toMatchObject([
    400,
    { code: 'E40001' },
  ]);
});

describe('When a route answers bytes', () => {
  const path = routes.exportLines.path;
  const errors = () => kit.lines.filter((line) => line.includes('"level":"error"'));

  test.each([
    ['lines', 'application/x-ndjson', null],
    ['array', 'application/json', null],
    ['csv', 'text/csv; charset=utf-8', "attachment; filename*=UTF-8''%E5%90%8D%E7%B0%BF.csv"],
  ])('then %s have their type and name', async (format, type, disposition) => {
    const { headers, status, text } = await send('GET', `${path}?format=${format}`);
    expect([status, text, headers.get('content-type'), headers.get('content-disposition')]).toEqual([
      200,
      '{"_id":1}\n{"_id":2}\n',
      type,
      disposition,
    ]);
  });

  test('then a short one may be a text', async () => {
    const { headers, text } = await send('GET', routes.samlMetadata.path);
    expect([text, headers.get('content-type')]).toEqual(['<a>é</a>', 'application/samlmetadata+xml']);
  });

  test.each([
    ['refused', 404, 'E40401'],
    ['is refused at once', 404, 'E40402'],
    ['breaks at once', 500, 'E50001'],
  ])(
    'and nothing of it has left, then what goes wrong is an error as any other: %s',
    async (then, status, code) => {
      const reply = await send('GET', `${path}?format=csv&then=${encodeURIComponent(then)}`);
      expect([reply.status, JSON.parse(reply.text).code]).toEqual([status, code]);
      expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(reply.headers.get('content-disposition')).toBeNull();
    },
  );

  test.each(['breaks', 'a stream that breaks'])(
    'and it breaks in the middle, then the connection ends, so that no part is taken for the whole: %s',
    async (then) => {
      const before = errors().length;
      const reply = await kit.fetch(`${path}?then=${encodeURIComponent(then)}`, {
        headers: { authorization: bearer },
      });
      expect(reply.status).toBe(200);
      await expect(reply.text()).rejects.toThrow('terminated');
      expect(errors().slice(before)).toEqual([expect.stringContaining('A streamed answer failed')]);
    },
  );

  test('then no more of it is made than its reader takes, and one that takes nothing is left', async () => {
    const socket = connect(kit.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.pause();
    socket.write(`GET ${path}?then=endless HTTP/1.1\r\nHost: x\r\nAuthorization: ${bearer}\r\n\r\n`);
    await expect.poll(() => endless.pieces).toBeGreaterThan(0);
    await sleep(200);
    const made = endless.pieces;
    await sleep(200);
    expect(endless.pieces).toBe(made);
    expect(endless.hasEnded).toBe(false);
    await expect.poll(() => endless.hasEnded, { timeout: 5_000 }).toBe(true);
    socket.destroy();
  });

  test('then its making ends when its reader goes', async () => {
    const leaving = new AbortController();
    const reply = await kit.fetch(`${path}?then=endless`, {
      headers: { authorization: bearer },
      signal: leaving.signal,
    });
    expect(reply.status).toBe(200);
    leaving.abort();
    await expect.poll(() => endless.hasEnded).toBe(true);
  });
});

describe('When a route has several answers', () => {
  const post = async (then: string) => send('POST', routes.restore.path, { body: JSON.stringify({ then }) });

  test('then the handler chooses among them, each with a shape of its own', async () => {
    expect(await post('restored')).toMatchObject({ status: 201, text: '{"new_version":3}' });
    expect(await post('asked')).toMatchObject({ status: 202, text: '{"approval_id":7}' });
    expect(await post('nothing')).toMatchObject({ status: 204, text: '' });
  });

  test('then one that is not declared never leaves', async () => {
    const reply = await post('undeclared');
    expect([reply.status, JSON.parse(reply.text).code]).toEqual([500, 'E50001']);
  });
});

describe('When a protocol has content types and errors of its own', () => {
  const type = 'application/scim+json';
  const answered = `${type}; charset=utf-8`;
  const patch = async (userId: string, body: string, headers: Record<string, string> = {}, as = type) => {
    const reply = await send('PATCH', `/scim/v2/1/Users/${userId}`, { body, type: as, headers });
    return { ...reply, type: reply.headers.get('content-type') };
  };
  const good = JSON.stringify({ schemas: [], Operations: [{ op: 'replace', someName: { other_name: 1 } }] });

  test.each([type, 'application/json'])('then %s is read and answered verbatim', async (as) => {
    const reply = await patch('7', good, {}, as);
    expect([reply.status, reply.type, JSON.parse(reply.text)]).toEqual([
      200,
      answered,
      {
        userName: 'taro',
        name: { givenName: 'x', family_name: 'y' },
        'urn:a:b': [{ op: 'replace', someName: { other_name: 1 } }],
      },
    ]);
    const silent = await patch('7', good.replace('replace', 'silent'), { 'if-match': 'W/"a1"' }, as);
    expect([silent.status, silent.text, silent.headers.get('etag')]).toEqual([204, '', '"a2"']);
  });

  test.each([
    ['taken', good, {}, 409, { scimType: 'uniqueness' }],
    ['7', '{', {}, 400, {}],
    ['7', '{}', {}, 400, {}],
    ['7', JSON.stringify({ a: 'x'.repeat(1_048_576) }), {}, 413, {}],
    ['7', good, { authorization: '' }, 401, {}],
    ['7', good, { 'if-match': '"other"' }, 412, {}],
    ['broken', good, {}, 500, {}],
    ['gone', good, {}, 503, {}],
  ])('then a refusal has their form: %s %.20s %o', async (userId, body, headers, status, more) => {
    const reply = await patch(userId, body, headers);
    expect([reply.status, reply.type]).toEqual([status, answered]);
    expect(JSON.parse(reply.text)).toEqual({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: String(status),
      detail: expect.any(String),
      ...more,
    });
    expect(reply.text).not.toContain('hunter2');
  });
});
