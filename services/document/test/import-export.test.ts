import { gzipSync } from 'node:zlib';
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
  await tenant.send('/main', { method: 'DELETE' });
  path = await tenant.collection('main');
});

const lines = 'application/x-ndjson';
const send = async (
  body: string | Uint8Array,
  query: Record<string, string> = {},
  headers: Record<string, string> = {},
  to = path,
) =>
  tenant.send(`${to}/import`, {
    method: 'POST',
    body,
    query,
    headers: { 'content-type': lines, ...headers },
  });
const array = async (body: string, query: Record<string, string> = {}) =>
  send(body, query, { 'content-type': 'application/json' });
const put = async (id: string, body: unknown) =>
  tenant.send(`${path}/documents/${id}`, { method: 'PUT', body });
const stored = async () =>
  (await tenant.send(`${path}/documents`, { query: { per_page: 100 } })).body.documents.map(
    ({ _created_at, _updated_at, ...document }: Record<string, unknown>) => document,
  );
const done = (count: number, failed = 0) => [200, { count, line_errors: expect.any(Array), failed }];
const answer = ({ body, status }: { status: number; body: unknown }) => [status, body];

describe('When documents are imported', () => {
  test('then JSON lines and one JSON array are stored', async () => {
    expect(answer(await send('{"_id":"a","v":1}\n{"_id":"b"}\n'))).toEqual([
      200,
      { count: 2, line_errors: [], failed: 0 },
    ]);
    expect(answer(await array('[{"_id":"c"},{"_id":"d","_version":7}]'))).toEqual(done(2));
    expect(answer(await array('{"_id":"e"}\n{"_id":"f"}'))).toEqual(done(2));
    expect(await stored()).toEqual([
      { _id: 'a', v: 1, _version: 1 },
      ...['b', 'c', 'd', 'e', 'f'].map((_id) => ({ _id, _version: 1 })),
    ]);
  });

  test('then those without an id get one each', async () => {
    expect(answer(await send('{}\n{}\n{}'))).toEqual(done(3));
    expect(new Set((await stored()).map(({ _id }: { _id: string }) => _id)).size).toBe(3);
  });

  test('then nothing to store is nothing wrong', async () => {
    for (const nothing of ['', '\n\n']) expect(answer(await send(nothing))).toEqual(done(0));
    expect(answer(await array('[]'))).toEqual(done(0));
  });

  test('then bad lines are passed over and told by their lines, in the language of the caller', async () => {
    await put('taken', { v: 'before' });
    const body = [
      '{"_id":"a"}',
      '',
      '{"_id":"a"}',
      'no json',
      '[1]',
      '{"a":{"$b":1}}',
      '{"_id":"taken","v":"after"}',
      '{"__proto__":1}',
      '{"_id":"b/c"}',
      '{"a":1e999}',
      '{"a":"\\u0000"}',
      '{"a":"\\ud800"}',
      `{"a":${'['.repeat(100)}${']'.repeat(100)}}`,
      `{"a":"${'x'.repeat(1_048_576)}"}`,
      '{"_id":".."}',
      '{"_id":"b"}',
    ].join('\n');
    const { body: reply, status } = await send(body);
    expect([status, reply.count, reply.failed]).toEqual([200, 2, 13]);
    expect(reply.line_errors).toEqual([
      { line: 3, message: '_id: It is already in use.' },
      { line: 4, message: 'Enter valid JSON.' },
      { line: 5, message: 'Enter a JSON object.' },
      { line: 6, message: expect.stringMatching(/^a\.\$b: The key cannot be used/) },
      { line: 7, message: '_id: It is already in use.' },
      { line: 8, message: expect.stringMatching(/^__proto__: The key cannot be used/) },
      { line: 9, message: expect.stringMatching(/^_id: Use at most 128/) },
      { line: 10, message: 'a: The value is out of range.' },
      { line: 11, message: 'a: It contains a character that is not allowed.' },
      { line: 12, message: 'a: It contains a character that is not allowed.' },
      { line: 13, message: expect.stringMatching(/: At most 100 levels can be nested\.$/) },
      { line: 14, message: 'The document exceeds 1048576 bytes.' },
      { line: 15, message: expect.stringMatching(/^_id: .* neither \. nor \.\. alone\.$/) },
    ]);
    expect(await stored()).toEqual([
      { _id: 'a', _version: 1 },
      { _id: 'b', _version: 1 },
      { _id: 'taken', v: 'before', _version: 1 },
    ]);
    const inJapanese = await send('x', {}, { 'accept-language': 'ja' });
    expect(inJapanese.body.line_errors).toEqual([{ line: 1, message: 'JSON形式で入力してください。' }]);
  });

  test('then the first 100 bad lines are told and all are counted', async () => {
    const { body } = await send(Array.from({ length: 2_500 }, () => 'x').join('\n'));
    expect([body.count, body.failed, body.line_errors.length]).toEqual([0, 2_500, 100]);
    expect(body.line_errors.map(({ line }: { line: number }) => line)).toEqual(
      Array.from({ length: 100 }, (_, at) => at + 1),
    );
  });

  test('then replace changes what is there alone, and upsert either', async () => {
    await put('a', { v: 1 });
    const body = '{"_id":"a","v":2}\n{"_id":"b","v":2}\n{"v":3}';
    const replaced = await send(body, { mode: 'replace' });
    expect(answer(replaced)).toEqual(done(1, 2));
    expect(replaced.body.line_errors).toEqual([
      { line: 2, message: '_id: Not found.' },
      { line: 3, message: '_id: Not found.' },
    ]);
    expect(await stored()).toEqual([{ _id: 'a', v: 2, _version: 2 }]);
    expect(
      answer(await send('{"_id":"a","v":3}\n{"_id":"b","v":3}\n{"_id":"b","v":4}', { mode: 'upsert' })),
    ).toEqual(done(3));
    expect(await stored()).toMatchObject([
      { _id: 'a', v: 3 },
      { _id: 'b', v: 4 },
    ]);
  });

  test.each(['insert', 'replace', 'upsert'])(
    'then with all_or_nothing one bad line stores nothing: %s',
    async (mode) => {
      await put('a', { v: 1 });
      const body = `${mode === 'insert' ? '' : '{"_id":"a","v":2}\n'}${'{}\n'.repeat(mode === 'replace' ? 0 : 2_500)}bad`;
      const reply = await send(body, { mode, all_or_nothing: 'true' });
      expect(answer(reply)).toEqual(done(0, 1));
      expect(await stored()).toEqual([{ _id: 'a', v: 1, _version: 1 }]);
    },
  );

  test.each([
    { mode: 'insert', all_or_nothing: 'false', bad: [2_000, 3_000], stores: 3_498, value: 1, version: 1 },
    { mode: 'upsert', all_or_nothing: 'false', bad: [], stores: 3_500, value: 3_000, version: 3 },
    { mode: 'upsert', all_or_nothing: 'true', bad: [], stores: 3_498, value: 3_000, version: 1 },
  ])(
    'then an id that comes again in each of several batches keeps their order: $mode $all_or_nothing',
    async (given) => {
      const { all_or_nothing, bad, mode, stores, value, version } = given;
      const body = Array.from({ length: 3_500 }, (_, index) => {
        const line = index + 1;
        return `{"_id":"${line % 1_000 === 0 ? 'n1' : `n${line}`}","v":${line}}`;
      });
      body[999] = '{"_id":"n1000","v":1000}';
      const { body: reply } = await send(body.join('\n'), { all_or_nothing, mode });
      const { count, failed, line_errors: errors } = reply;
      expect([count, failed, errors.map(({ line }: { line: number }) => line)]).toEqual([
        stores,
        bad.length,
        bad,
      ]);
      const { body: first } = await tenant.send(`${path}/documents/n1`);
      expect([first.v, first._version]).toEqual([value, version]);
      const { body: page } = await tenant.send(`${path}/documents`);
      expect(page.total_count).toBe(3_498);
    },
  );

  test('then with all_or_nothing the bad lines are told, also where what waited cannot be deleted yet', async () => {
    await harness.sql(`CREATE FUNCTION documents.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'not now'; END $$`);
    await harness.sql(`CREATE TRIGGER refuse BEFORE DELETE ON documents.documents
      EXECUTE FUNCTION documents.refuse()`);
    try {
      expect(answer(await send('{"_id":"a"}\nbad', { all_or_nothing: 'true' }))).toEqual(done(0, 1));
    } finally {
      await harness.sql('DROP FUNCTION documents.refuse() CASCADE');
    }
    expect(await stored()).toEqual([]);
    await harness.runJobs();
    expect(await harness.sql(`SELECT id FROM documents.collections WHERE name LIKE '~%'`)).toEqual([]);
  });

  test('then with all_or_nothing an id that is taken, or comes twice, stores nothing either', async () => {
    await put('a', { v: 1 });
    for (const body of ['{"_id":"b"}\n{"_id":"a","v":2}', '{"_id":"b"}\n{"_id":"b"}']) {
      expect(answer(await send(body, { all_or_nothing: 'true' }))).toEqual(done(0, 1));
    }
    expect(await stored()).toEqual([{ _id: 'a', v: 1, _version: 1 }]);
  });

  test('then with all_or_nothing all good lines are stored', async () => {
    const body = Array.from({ length: 2_500 }, (_, n) => `{"_id":"n${n}"}`).join('\n');
    expect(answer(await send(body, { all_or_nothing: 'true' }))).toEqual(done(2_500));
    expect((await tenant.send(`${path}/documents`)).body.total_count).toBe(2_500);
  });

  test('then gzip is unpacked, and what is none is refused', async () => {
    const zip = { 'content-encoding': 'gzip' };
    expect(answer(await send(gzipSync('{"_id":"a"}\n{"_id":"b"}'), {}, zip))).toEqual(done(2));
    expect(refusal(await send('{"_id":"c"}', {}, zip))).toEqual([400, 'E40001']);
    const half = gzipSync(Array.from({ length: 500 }, (_, n) => `{"n":"${n}"}`).join('\n'));
    expect(refusal(await send(half.subarray(0, half.length - 10), {}, zip))).toEqual([400, 'E40001']);
    expect(refusal(await send('{}', {}, { 'content-encoding': 'br' }))).toEqual([400, 'E40001']);
    expect(await stored()).toHaveLength(2);
  });

  test('then other types, modes and flags are refused', async () => {
    expect(refusal(await send('{}', {}, { 'content-type': 'text/csv' }))).toEqual([400, 'E40001']);
    expect(refusal(await send('{}', { mode: 'merge' }))).toEqual([400, 'E40002', 'mode']);
    expect(refusal(await send('{}', { all_or_nothing: 'maybe' }))).toEqual([400, 'E40002', 'all_or_nothing']);
    expect(await stored()).toEqual([]);
  });

  test('then what comes after the end of an array is not read, and told', async () => {
    const { body } = await array('[{"_id":"a"}]\n{"_id":"b"}');
    expect([body.count, body.failed, body.line_errors]).toEqual([
      1,
      1,
      [{ line: 2, message: expect.stringContaining('does not end properly') }],
    ]);
  });

  test('then others are told how many, and never what', async () => {
    const own = await harness.tenant();
    const to = await own.collection('events');
    const body = '{"secret":"hunter2"}\n{}\nx';
    await own.send(`${to}/import`, { method: 'POST', body, headers: { 'content-type': lines } });
    await own.send(`${to}/import`, { method: 'POST', body: 'x', headers: { 'content-type': lines } });
    const events = (await harness.events('documents.imported')).filter(
      ({ partnerid }) => partnerid === own.pid,
    );
    expect(events.map(({ data }) => data)).toEqual([
      { partnerId: own.pid, db: own.db, collection: 'events', mode: 'insert', count: 2, failed: 1 },
    ]);
  });
});

describe('When documents are exported', () => {
  const exported = async (query: Sent['query'] = {}) => tenant.send(`${path}/export`, { query });

  test('then they come as JSON lines or as one JSON array, by id, with what the service adds', async () => {
    await send('{"_id":"b","v":[1,{"x":null}]}\n{"_id":"a"}\n{"_id":"c","日":"本"}');
    const inLines = await exported();
    expect(inLines.headers).toMatchObject({
      'content-type': lines,
      'content-disposition': "attachment; filename*=UTF-8''main.ndjson",
    });
    const documents = inLines.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const added = { _version: 1, _created_at: expect.any(String), _updated_at: expect.any(String) };
    expect(documents).toEqual([
      { _id: 'a', ...added },
      { _id: 'b', v: [1, { x: null }], ...added },
      { _id: 'c', 日: '本', ...added },
    ]);
    const inArray = await exported({ format: 'array' });
    expect(inArray.headers).toMatchObject({
      'content-type': 'application/json',
      'content-disposition': "attachment; filename*=UTF-8''main.json",
    });
    expect(inArray.body).toEqual(documents);
  });

  test('then an empty collection is no line, or an empty array', async () => {
    expect((await exported()).text).toBe('');
    expect((await exported({ format: 'array' })).body).toEqual([]);
  });

  test('then a filter chooses, and what is none is refused before anything is answered', async () => {
    await send('{"_id":"a","v":1}\n{"_id":"b","v":2}');
    expect((await exported({ filter: '{"v":2}' })).text).toMatch(/^\{"_id":"b"[^\n]*\n$/);
    expect(refusal(await exported({ filter: '{"$where":"1"}' }))).toEqual([400, 'E40002', 'filter']);
    expect(refusal(await exported({ format: 'csv' }))).toEqual([400, 'E40002', 'format']);
  });

  test.each(['lines', 'array'])('then it goes back in unchanged, whatever is in it: %s', async (format) => {
    const documents: readonly (Readonly<Record<string, unknown>> & { readonly _id: string })[] = [
      {
        _id: 'a',
        '': '',
        'a.b': {
          'c"d\\': [
            [[], {}],
            [null, true, -0.5e-10],
          ],
        },
      },
      { _id: 'b', text: '\u2028\u2029\n\t"\\/\u0001\u007f😀', constructor: { prototype: [] }, toString: 1 },
      { _id: 'c', n: [0, 1e308, 5e-324, 9007199254740993, 0.1, 123456789012345] },
      { _id: 'd', '10': 1, '9': 2, b: 1, a: 2 },
      ...Array.from({ length: 1_500 }, (_, n) => ({ _id: `n${n}`, n, text: 'x'.repeat(n % 50) })),
    ];
    expect((await send(documents.map((document) => JSON.stringify(document)).join('\n'))).body.count).toBe(
      1_504,
    );
    const first = await exported({ format });
    const other = await tenant.collection();
    const headers = { 'content-type': format === 'array' ? 'application/json' : lines };
    const imported = await send(gzipSync(first.text), {}, { ...headers, 'content-encoding': 'gzip' }, other);
    expect(imported.body).toEqual({ count: 1_504, line_errors: [], failed: 0 });
    const second = await tenant.send(`${other}/export`, { query: { format } });
    const withoutTimes = (text: string) => text.replaceAll(/"_(created|updated)_at":"[^"]*"/g, '');
    expect(withoutTimes(second.text)).toBe(withoutTimes(first.text));
    const replaced = await send(first.text, { mode: 'replace', all_or_nothing: 'true' }, headers);
    expect(replaced.body).toEqual({ count: 1_504, line_errors: [], failed: 0 });
    const third = JSON.parse(`[${(await exported()).text.trimEnd().replaceAll('\n', ',')}]`);
    const contents = third.map(
      ({ _created_at, _updated_at, _version, ...document }: Record<string, unknown>) => document,
    );
    expect(contents).toEqual([...documents].sort((a, b) => (a._id < b._id ? -1 : 1)));
  });
});
