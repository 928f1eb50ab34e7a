import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type DocumentsHarness,
  refusal,
  type Sent,
  startDocumentsHarness,
  type TestTenant,
} from './documents-harness.ts';

let harness: DocumentsHarness;
let tenant: TestTenant;
let path: string;

beforeAll(async () => {
  harness = await startDocumentsHarness();
  tenant = await harness.tenant({ contractStatus: 2 });
});
afterAll(async () => harness.stop());
beforeEach(async () => {
  await tenant.send(`/main`, { method: 'DELETE' });
  path = `${await tenant.collection('main')}/documents`;
});

const post = async (body: unknown, sent: Sent = {}) => tenant.send(path, { method: 'POST', body, ...sent });
const put = async (id: string, body: unknown, sent: Sent = {}) =>
  tenant.send(`${path}/${encodeURIComponent(id)}`, { method: 'PUT', body, ...sent });
const get = async (id: string, sent?: Sent) => tenant.send(`${path}/${encodeURIComponent(id)}`, sent);
const drop = async (id: string, sent: Sent = {}) =>
  tenant.send(`${path}/${id}`, { method: 'DELETE', ...sent });

const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('When a document is stored', () => {
  test('then it is answered with its id, its times and its version, as it is read later', async () => {
    const made = await post({ name: 'A', nested: { list: [1, [2, { x: null }]] } });
    const expected = {
      _id: expect.stringMatching(uuidV7),
      name: 'A',
      nested: { list: [1, [2, { x: null }]] },
      _created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      _updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      _version: 1,
    };
    expect([made.status, made.body, made.headers['etag']]).toEqual([201, expected, '"1"']);
    const read = await get(made.body._id);
    expect([read.status, read.body, read.headers['etag']]).toEqual([200, made.body, '"1"']);
    expect((await get(made.body._id, { headers: { 'if-none-match': '"1"' } })).status).toBe(304);
  });

  test.each(['a', '0', 'A.b:c_d-E', 'a'.repeat(128), '...', '..a', '__proto__', 'constructor'])(
    'then the caller may choose the id %s',
    async (id) => {
      expect((await post({ _id: id, a: 1 })).body._id).toBe(id);
      expect((await get(id)).body.a).toBe(1);
    },
  );

  test.each(['.', '..'])('then the id %s is refused, since no address reaches it', async (id) => {
    expect(refusal(await post({ _id: id }))).toEqual([400, 'E40002', '_id']);
  });

  test('then an id that is taken is refused', async () => {
    await post({ _id: 'a', v: 1 });
    expect(refusal(await post({ _id: 'a', v: 2 }))).toEqual([400, 'E40029', '_id']);
    expect((await get('a')).body).toMatchObject({ v: 1, _version: 1 });
  });

  test('then what the service adds is passed over where it comes back', async () => {
    const made = await post({ _id: 'a', _version: 9, _created_at: 'x', _updated_at: { $date: 1 } });
    expect(made.body).toEqual({
      _id: 'a',
      _version: 1,
      _created_at: expect.any(String),
      _updated_at: expect.any(String),
    });
    expect(made.body._created_at).not.toBe('x');
  });

  test('then keys with dots, with quotes, empty ones, those of JavaScript, and arrays in arrays are kept', async () => {
    const body = {
      '': 1,
      'a.b': { 'c.d': 1 },
      'a"b\'c\\d': 1,
      a$b: 1,
      'ключ 日本 😀': '語',
      constructor: { prototype: { x: 1 } },
      toString: 1,
      hasOwnProperty: null,
      _other: 1,
      matrix: [
        [1, 2],
        [[], [{ 'x.y': [[]] }]],
      ],
    };
    await post({ _id: 'a', ...body });
    expect((await get('a')).body).toMatchObject(body);
    const listed = (await tenant.send(path)).body.documents[0];
    expect(listed).toMatchObject(body);
    expect(Object.keys(listed)).toEqual(
      expect.arrayContaining(['toString', 'hasOwnProperty', 'constructor']),
    );
  });

  test('then numbers are the doubles that their digits say, and texts what they were', async () => {
    const text =
      '{"_id":"a","big":9007199254740993,"exact":0.1,"huge":1e308,"tiny":5e-324,"negative":-12.5e3,"date":"2026-11-21T09:00:00+09:00","id":"00000000-0000-7000-8000-000000000000","t":"  \\t\\n\\u0001 "}';
    await post(text);
    expect((await get('a')).body).toMatchObject(JSON.parse(text));
  });

  test.each([
    ['a key with a dollar', '{"$set":{"a":1}}', '$set'],
    ['code', '{"$where":"sleep(10000)"}', '$where'],
    ['an operator inside', '{"a":{"b":[{"$gt":""}]}}', 'a.b.0.$gt'],
    ['a reference', '{"a":{"$ref":"users","$id":1}}', 'a.$ref'],
    ['the prototype', '{"__proto__":{"isAdmin":true}}', '__proto__'],
    ['a text with NUL under a name of every object', '{"constructor":"\\u0000"}', 'constructor'],
    ['the prototype inside', '{"a":[{"__proto__":1}]}', 'a.0.__proto__'],
    ['a key with NUL', '{"a\\u0000b":1}', 'a\0b'],
    ['a key that is half a character', '{"\\ud83d":1}', '\ud83d'],
    ['a text with NUL', '{"a":"b\\u0000"}', 'a'],
    ['a text with half a character', '{"a":["\\ude00"]}', 'a.0'],
    ['a number beyond doubles', '{"a":1e309}', 'a'],
    ['a negative one', '{"a":{"b":-1e999}}', 'a.b'],
    ['an id that is a number', '{"_id":1}', '_id'],
    ['an id that is null', '{"_id":null}', '_id'],
    ['an id that is a query', '{"_id":{"a":1}}', '_id'],
    ['an empty id', '{"_id":""}', '_id'],
    ['an id with a slash', '{"_id":"a/b"}', '_id'],
    ['an id with a line break', '{"_id":"a\\n"}', '_id'],
    ['an id in Japanese', '{"_id":"文書"}', '_id'],
    ['an id of 129 characters', `{"_id":"${'a'.repeat(129)}"}`, '_id'],
  ])('then %s is refused at its place', async (_, body, field) => {
    expect(refusal(await post(body))).toEqual([400, 'E40002', field]);
    if (field === '_id') return;
    expect(refusal(await put('a', body))).toEqual([400, 'E40002', field]);
    expect((await tenant.send(path)).body.total_count).toBe(0);
  });

  test.each([
    ['an array', '[]'],
    ['a text', '"a"'],
    ['null', 'null'],
    ['nothing', ''],
    ['broken', '{"a":'],
    ['two of them', '{}{}'],
    ['a comment', '{/* */}'],
    ['no number', '{"a":NaN}'],
    ['101 levels', `{"a":${'['.repeat(100)}${']'.repeat(100)}}`],
    ['as deep as fits', `{"a":${'['.repeat(500_000)}${']'.repeat(500_000)}}`],
    ['deep in objects', `${'{"a":'.repeat(170_000)}1${'}'.repeat(170_000)}`],
  ])('then %s is no document', async (_, body) => {
    expect(refusal(await post(body))).toEqual([400, 'E40001']);
    expect(refusal(await put('a', body))).toEqual([400, 'E40001']);
  });

  test('then 100 levels are kept', async () => {
    const body = `{"_id":"deep","a":${'['.repeat(99)}${']'.repeat(99)}}`;
    expect((await post(body)).status).toBe(201);
    expect((await get('deep')).body).toMatchObject(JSON.parse(body));
  });

  test('then 1 MiB as it is sent is kept, and a byte more is refused', async () => {
    const of = (bytes: number) => `{"_id":"large","a":"${'x'.repeat(bytes - 22)}"}`;
    expect(of(1_048_576)).toHaveLength(1_048_576);
    expect((await post(of(1_048_576))).status).toBe(201);
    expect((await get('large')).body.a).toHaveLength(1_048_576 - 22);
    expect(refusal(await post(of(1_048_577)))).toEqual([413, 'E40001']);
    expect(refusal(await put('large', of(1_048_577)))).toEqual([413, 'E40001']);
  });

  test('then only JSON is taken', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/x-ndjson']) {
      expect(refusal(await post('{}', { headers: { 'content-type': type } }))).toEqual([400, 'E40001']);
    }
  });
});

describe('When a document is put', () => {
  test('then it is made where it is not, and replaced as a whole where it is; the id of the address wins', async () => {
    const made = await put('a', { _id: 'other', v: 1, gone: true });
    expect([made.status, made.body, made.headers['etag']]).toEqual([
      201,
      {
        _id: 'a',
        v: 1,
        gone: true,
        _version: 1,
        _created_at: expect.any(String),
        _updated_at: expect.any(String),
      },
      '"1"',
    ]);
    const replaced = await put('a', { ...made.body, _id: { not: 'an id' }, v: 2, gone: undefined });
    expect([replaced.status, replaced.headers['etag']]).toEqual([200, '"2"']);
    expect(replaced.body).toEqual({
      ...made.body,
      v: 2,
      gone: undefined,
      _version: 2,
      _updated_at: expect.any(String),
    });
    expect((await get('a')).body).toEqual(replaced.body);
    expect((await get('other')).status).toBe(404);
  });

  test('then If-Match changes that version alone', async () => {
    await put('a', { v: 1 });
    const ifMatch = (version: string) => ({ headers: { 'if-match': version } });
    expect((await put('a', { v: 2 }, ifMatch('"1"'))).body).toMatchObject({ v: 2, _version: 2 });
    for (const version of ['"1"', '"3"', '"x"', '"-1"', 'no', '"9999999999999999999"']) {
      expect(refusal(await put('a', { v: 3 }, ifMatch(version)))).toEqual([412, 'E40034']);
    }
    expect((await put('a', { v: 3 }, ifMatch('W/"2"'))).status).toBe(200);
    expect((await put('a', { v: 4 }, ifMatch('*'))).status).toBe(200);
    expect(refusal(await put('b', { v: 1 }, ifMatch('"1"')))).toEqual([412, 'E40034']);
    expect(refusal(await put('b', { v: 1 }, ifMatch('*')))).toEqual([412, 'E40034']);
    expect((await get('b')).status).toBe(404);
  });

  test('then of many who change the same version at once, one does', async () => {
    await put('a', { v: 0 });
    const replies = await Promise.all(
      Array.from({ length: 12 }, async (_, v) => put('a', { v }, { headers: { 'if-match': '"1"' } })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([
      200,
      ...Array.from({ length: 11 }, () => 412),
    ]);
    expect((await get('a')).body._version).toBe(2);
  });

  test.each(['a/b', 'a b', 'a$', '日本', 'a'.repeat(129), "'", '"', '\0'])(
    'then %j in the address is refused, and names no document to read or to delete',
    async (id) => {
      expect(refusal(await put(id, {}))).toEqual([400, 'E40002', '_id']);
      expect(refusal(await get(id))).toEqual([404, 'E40401']);
      expect(refusal(await drop(encodeURIComponent(id)))).toEqual([404, 'E40401']);
    },
  );
});

describe('When a document is deleted', () => {
  test('then it is gone; one that is not there is not found', async () => {
    await put('a', {});
    const gone = await drop('a');
    expect([gone.status, gone.body]).toEqual([200, {}]);
    expect(refusal(await get('a'))).toEqual([404, 'E40401']);
    expect(refusal(await drop('a'))).toEqual([404, 'E40401']);
  });

  test('then If-Match deletes that version alone', async () => {
    await put('a', {});
    await put('a', {});
    expect(refusal(await drop('a', { headers: { 'if-match': '"1"' } }))).toEqual([412, 'E40034']);
    expect((await drop('a', { headers: { 'if-match': '"2"' } })).status).toBe(200);
    expect(refusal(await drop('a', { headers: { 'if-match': '"2"' } }))).toEqual([412, 'E40034']);
  });
});

describe('When the documents that a filter matches are deleted', () => {
  const dropWith = async (query: Record<string, string>) => tenant.send(path, { method: 'DELETE', query });

  test('then they are counted, and the others stay', async () => {
    for (const n of [1, 2, 3]) await put(`d${n}`, { n });
    const gone = await dropWith({ filter: '{"n":{"$gte":2}}' });
    expect([gone.status, gone.body]).toEqual([200, { count: 2 }]);
    expect((await tenant.send(path)).body.documents).toMatchObject([{ _id: 'd1' }]);
    expect((await dropWith({ filter: '{}' })).body).toEqual({ count: 1 });
    expect((await dropWith({ filter: '{}' })).body).toEqual({ count: 0 });
  });

  test('then null behind two numbers in a path is refused, and what is wrong is said', async () => {
    const { body } = await dropWith({ filter: '{"sales.2024.12":null}' });
    expect(body.errors).toEqual([
      { field: 'filter', message: expect.stringContaining('two numbers one after the other') },
    ]);
  });

  test('then a filter must be given, and be one', async () => {
    await put('a', {});
    expect(refusal(await dropWith({}))).toEqual([400, 'E40003', 'filter']);
    expect(refusal(await dropWith({ filter: '' }))).toEqual([400, 'E40003', 'filter']);
    for (const filter of ['{', '[]', '{"$where":"1"}', 'null'])
      expect(refusal(await dropWith({ filter }))).toEqual([400, 'E40002', 'filter']);
    expect((await get('a')).status).toBe(200);
  });
});

describe('When documents are listed', () => {
  interface Listed {
    readonly _id: string;
  }
  const list = async (query: Record<string, string | number> = {}) => tenant.send(path, { query });
  const ids = async (query: Record<string, string | number> = {}) =>
    (await list(query)).body.documents.map(({ _id }: Listed) => _id);

  beforeEach(async () => {
    for (let n = 1; n <= 25; n += 1) {
      await put(`d${String(n).padStart(2, '0')}`, { n, even: n % 2 === 0, of: { three: n % 3 } });
    }
  });

  test('then they come in pages of 10, by id, with their count', async () => {
    const { body } = await list();
    expect(Object.keys(body).sort()).toEqual([
      'after',
      'current_page',
      'documents',
      'total_count',
      'total_page',
    ]);
    expect(body).toMatchObject({
      current_page: 1,
      total_page: 3,
      total_count: 25,
      after: expect.any(String),
    });
    expect(body.documents).toHaveLength(10);
    expect(body.documents[0]).toEqual({
      _id: 'd01',
      n: 1,
      even: false,
      of: { three: 1 },
      _version: 1,
      _created_at: expect.any(String),
      _updated_at: expect.any(String),
    });
    expect(await ids({ page: 3 })).toEqual(['d21', 'd22', 'd23', 'd24', 'd25']);
    expect(await ids({ page: 4 })).toEqual([]);
    expect((await list({ per_page: 100 })).body.documents).toHaveLength(25);
  });

  test('then a cursor leads through all of them, whatever the order, and is null at the end', async () => {
    for (const sort of [undefined, '-n', 'even,-of.three', '-missing']) {
      const all: string[] = [];
      let after: string | null | undefined;
      while (after !== null) {
        const { body } = await list({ per_page: 7, ...(sort && { sort }), ...(after && { after }) });
        all.push(...body.documents.map(({ _id }: Listed) => _id));
        expect(body.total_count).toBe(25);
        after = body.after;
      }
      expect(all).toEqual(await ids({ per_page: 100, ...(sort && { sort }) }));
      expect(new Set(all).size).toBe(25);
    }
  });

  test('then a filter, a sort and fields choose', async () => {
    expect(await ids({ filter: '{"n":{"$in":[3,5,99]}}' })).toEqual(['d03', 'd05']);
    expect(await ids({ filter: '{"of.three":0,"even":true}', sort: '-n' })).toEqual([
      'd24',
      'd18',
      'd12',
      'd06',
    ]);
    expect((await list({ filter: '{"even":true}' })).body.total_count).toBe(12);
    const of = async (fields: string) => (await list({ fields, per_page: 1 })).body.documents[0];
    expect(await of('n,of.three')).toEqual({ _id: 'd01', n: 1, of: { three: 1 } });
    expect(await of('missing')).toEqual({ _id: 'd01' });
    expect(await of('_id,_version')).toEqual({ _id: 'd01', _version: 1 });
  });

  test.each([
    ['filter', '{'],
    ['filter', '[]'],
    ['filter', '1'],
    ['filter', '{"$where":"this.a"}'],
    ['filter', '{"a":{"$where":"1"}}'],
    ['filter', '{"a":{"$type":2}}'],
    ['filter', '{"a":{"$elemMatch":{}}}'],
    ['filter', '{"$expr":{"$function":{}}}'],
    ['filter', '{"$text":{"$search":"a"}}'],
    ['filter', '{"$comment":"a"}'],
    ['filter', '{"a":{"$regex":"a","$options":"i"}}'],
    ['filter', '{"a":{"$regex":"(?=a)"}}'],
    ['filter', '{"a":{"$regex":"("}}'],
    ['filter', '{"a":{"$regex":"(a)\\\\1"}}'],
    ['filter', `{"a":{"$regex":"${'a'.repeat(101)}"}}`],
    ['filter', '{"__proto__":1}'],
    ['filter', '{"a.__proto__.b":1}'],
    ['filter', '{"a":1e999}'],
    ['filter', '{"a":"\\u0000"}'],
    ['filter', '{"a":"\\ud800"}'],
    ['filter', `{"a":${'['.repeat(3_000)}${']'.repeat(3_000)}}`],
    ['filter', `{"a":"${'x'.repeat(8_000)}"}`],
    ['sort', '$where'],
    ['sort', 'a,__proto__'],
    ['sort', 'a\0'],
    ['sort', Array.from({ length: 50 }, (_, n) => `a${n}`).join(',')],
    ['fields', 'a,$b'],
    ['fields', '__proto__'],
    ['fields', 'a'.repeat(2_001)],
    ['after', 'x'],
    ['after', 'eyJhIjoxfQ'],
    ['after', '{"$gt":""}'],
    ['after', 'a'.repeat(4_001)],
    ['page', '0'],
    ['page', '-1'],
    ['page', '1e3'],
    ['per_page', '0'],
    ['per_page', '101'],
    ['per_page', 'all'],
  ])('then as %s %j is refused', async (name, value) => {
    expect(refusal(await list({ [name]: value }))).toEqual([400, 'E40002', name]);
  });

  test('then a cursor of another list is refused', async () => {
    const { after } = (await list({ sort: 'n' })).body;
    expect(refusal(await list({ sort: '-of.three', after }))).toEqual([400, 'E40002', 'after']);
  });

  test('then a filter that explodes elsewhere answers in time', async () => {
    await put('evil', { a: 'a'.repeat(100_000) });
    const before = performance.now();
    const found = await list({ filter: '{"a":{"$regex":"^(a+)+$b"}}' });
    expect([found.status, performance.now() - before < 4_000]).toEqual([expect.any(Number), true]);
  });
});

test('When what is written in a document looks like a command, then it is text and nothing else', async () => {
  const texts = [
    "'; DROP TABLE documents; --",
    '{"$gt":""}',
    '\\',
    '%',
    '_',
    "' OR '1'='1",
    '${7*7}',
    '<script>',
  ];
  for (const [at, text] of texts.entries()) {
    await put(`t${at}`, { text, [`k${text}`]: text });
    const found = await tenant.send(path, { query: { filter: JSON.stringify({ text }) } });
    expect(found.body.documents.map(({ _id }: { _id: string }) => _id)).toEqual([`t${at}`]);
  }
});

test('When a document is written, then the log of operations tells of the call, and of nothing in it', async () => {
  const secret = { _id: 'logged', name: 'hunter2', id: 77, ids: [55], batch_process_id: 66 };
  await post(secret);
  await put('logged', secret);
  const told = (await harness.events('operation.logged')).filter(({ data }) =>
    JSON.stringify(data).includes('logged'),
  );
  const all = JSON.stringify(await harness.events('operation.logged'));
  expect(told).not.toHaveLength(0);
  for (const part of ['hunter2', 'ids=', 'id=66']) expect(all).not.toContain(part);
});
