import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type DocumentsHarness,
  refusal,
  startDocumentsHarness,
  type TestTenant,
} from './documents-harness.ts';

let harness: DocumentsHarness;
let tenant: TestTenant;

beforeAll(async () => {
  harness = await startDocumentsHarness();
  tenant = await harness.tenant();
});
afterAll(async () => harness.stop());

const create = async (body: unknown, of = tenant) => of.send('', { method: 'POST', body });

describe('When a collection is made', () => {
  test('then it is listed by name with its counts, and others are told', async () => {
    const own = await harness.tenant();
    expect((await own.send('')).body).toEqual({ collections: [] });
    for (const name of ['b', 'A-1_x']) {
      const made = await create({ name }, own);
      expect([made.status, made.body]).toEqual([201, { name }]);
    }
    await own.send('/b/documents', { method: 'POST', body: { a: 1 } });
    const { collections } = (await own.send('')).body;
    expect(collections).toEqual([
      { name: 'A-1_x', count: 0, size: 0 },
      { name: 'b', count: 1, size: expect.any(Number) },
    ]);
    expect(collections[1].size).toBeGreaterThan(0);
    const events = (await harness.events('collection.created')).filter(
      ({ partnerid }) => partnerid === own.pid,
    );
    expect(events.map(({ data }) => data)).toEqual([
      { partnerId: own.pid, db: own.db, collection: 'b' },
      { partnerId: own.pid, db: own.db, collection: 'A-1_x' },
    ]);
  });

  test.each([
    ['empty', { name: '' }, 'E40003'],
    ['absent', {}, 'E40003'],
    ['null', { name: null }, 'E40003'],
    ['no text', { name: 1 }, 'E40002'],
    ['of 65 characters', { name: 'a'.repeat(65) }, 'E40002'],
    ['with a dot', { name: 'a.b' }, 'E40002'],
    ['with a slash', { name: '../a' }, 'E40002'],
    ['with a dollar', { name: '$cmd' }, 'E40002'],
    ['with a quote', { name: "a'b" }, 'E40002'],
    ['with a NUL', { name: 'a\0' }, 'E40002'],
    ['with a line break', { name: 'a\n' }, 'E40002'],
    ['in Japanese', { name: '注文' }, 'E40002'],
    ['a query', { name: { $ne: '' } }, 'E40002'],
    ['that begins with system', { name: 'systemusers' }, 'E40002'],
  ])('then a name is refused that is %s', async (_, body, code) => {
    expect(refusal(await create(body))).toEqual([400, code, 'name']);
  });

  test('then 64 characters are a name, and system may stand inside', async () => {
    for (const name of ['a'.repeat(64), 'my-system', '-', '0'])
      expect((await create({ name })).status).toBe(201);
  });

  test('then a name that is taken is refused', async () => {
    expect((await create({ name: 'taken' })).status).toBe(201);
    expect(refusal(await create({ name: 'taken' }))).toEqual([400, 'E40029', 'name']);
    expect((await create({ name: 'Taken' })).status).toBe(201);
  });

  test('then a database has 100 of them at most', async () => {
    const own = await harness.tenant();
    for (let count = 0; count < 100; count += 1) await own.collection(`c${count}`);
    expect(refusal(await create({ name: 'c100' }, own))).toEqual([400, 'E40016']);
    expect((await own.send('/c7', { method: 'DELETE' })).status).toBe(200);
    expect((await create({ name: 'c100' }, own)).status).toBe(201);
  });
});

describe('When a collection is deleted', () => {
  test('then its documents and indexes go with it, and others are told', async () => {
    const path = await tenant.collection('going');
    await tenant.send(`${path}/documents`, { method: 'POST', body: { _id: 'a' } });
    await tenant.send(`${path}/indexes`, { method: 'POST', body: { field: 'a' } });
    const gone = await tenant.send(path, { method: 'DELETE' });
    expect([gone.status, gone.body]).toEqual([200, {}]);
    const data = { partnerId: tenant.pid, db: tenant.db, collection: 'going' };
    expect((await harness.events('collection.deleted')).map((event) => event.data)).toContainEqual(data);
    expect(refusal(await tenant.send(path, { method: 'DELETE' }))).toEqual([404, 'E40401']);
    await tenant.collection('going');
    expect((await tenant.send(`${path}/documents`)).body.total_count).toBe(0);
    expect((await tenant.send(`${path}/indexes`)).body).toEqual({ indexes: [] });
  });
});

describe('When an index is made', () => {
  const add = async (path: string, body: unknown) => tenant.send(`${path}/indexes`, { method: 'POST', body });

  test('then it is listed until it is deleted', async () => {
    const path = await tenant.collection();
    for (const field of ['a', 'b.c', '日本']) {
      const made = await add(path, { field });
      expect([made.status, made.body]).toEqual([201, { field }]);
    }
    const fields = async () =>
      (await tenant.send(`${path}/indexes`)).body.indexes.map(({ field }: { field: string }) => field);
    expect(await fields()).toEqual(['a', 'b.c', '日本']);
    expect((await tenant.send(`${path}/indexes`, { method: 'DELETE', query: { field: 'b.c' } })).status).toBe(
      200,
    );
    expect(await fields()).toEqual(['a', '日本']);
    const again = await tenant.send(`${path}/indexes`, { method: 'DELETE', query: { field: 'b.c' } });
    expect(refusal(again)).toEqual([404, 'E40401']);
    expect(refusal(await tenant.send(`${path}/indexes`, { method: 'DELETE' }))).toEqual([
      400,
      'E40003',
      'field',
    ]);
  });

  test('then one that is there already, and the eleventh, are refused', async () => {
    const path = await tenant.collection();
    for (let count = 0; count < 10; count += 1)
      expect((await add(path, { field: `f${count}` })).status).toBe(201);
    expect(refusal(await add(path, { field: 'f3' }))).toEqual([400, 'E40029', 'field']);
    expect(refusal(await add(path, { field: 'f10' }))).toEqual([400, 'E40016']);
  });

  test.each([
    ['none', {}, 'E40003'],
    ['nothing', { field: '' }, 'E40003'],
    ['an operator', { field: '$where' }, 'E40002'],
    ['an operator inside', { field: 'a.$x' }, 'E40002'],
    ['the prototype', { field: '__proto__' }, 'E40002'],
    ['a NUL', { field: 'a\0b' }, 'E40002'],
    ['half a character', { field: 'a\ud800' }, 'E40002'],
    ['256 characters', { field: 'a'.repeat(256) }, 'E40002'],
    ['no text', { field: ['a'] }, 'E40002'],
  ])('then %s is no field', async (_, body, code) => {
    const path = await tenant.collection();
    expect(refusal(await add(path, body))).toEqual([400, code, 'field']);
  });

  test('then a quote in its field is part of a name and of nothing else', async () => {
    const path = await tenant.collection();
    const field = `a'b"c\\d;--`;
    expect((await add(path, { field })).status).toBe(201);
    await tenant.send(`${path}/documents`, { method: 'POST', body: { _id: 'x', [field]: 1 } });
    const found = await tenant.send(`${path}/documents`, {
      query: { filter: JSON.stringify({ [field]: 1 }) },
    });
    expect(found.body.documents.map(({ _id }: { _id: string }) => _id)).toEqual(['x']);
  });
});

test.each(['unknown', 'system.users', 'a b', '%2e%2e', '$cmd', `${'x'.repeat(200)}`, "'; DROP TABLE x; --"])(
  'When %s is no collection, then every call of one answers so',
  async (name) => {
    const path = `/${name.startsWith('%') ? name : encodeURIComponent(name)}`;
    const calls = [
      [path, { method: 'DELETE' }],
      [`${path}/documents`, {}],
      [`${path}/documents`, { method: 'POST', body: {} }],
      [`${path}/documents`, { method: 'DELETE', query: { filter: '{}' } }],
      [`${path}/documents/a`, {}],
      [`${path}/documents/a`, { method: 'PUT', body: {} }],
      [`${path}/documents/a`, { method: 'DELETE' }],
      [`${path}/import`, { method: 'POST', body: '{}' }],
      [`${path}/export`, {}],
      [`${path}/export`, { query: { format: 'array' } }],
      [`${path}/indexes`, {}],
      [`${path}/indexes`, { method: 'POST', body: { field: 'a' } }],
      [`${path}/indexes`, { method: 'DELETE', query: { field: 'a' } }],
    ] as const;
    for (const [to, sent] of calls)
      expect([to, ...refusal(await tenant.send(to, sent))]).toEqual([to, 404, 'E40401']);
  },
);
