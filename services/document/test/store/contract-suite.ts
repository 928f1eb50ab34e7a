import { newId } from '@portal/kernel';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type {
  CollectionRef,
  DatabaseRef,
  DocumentPage,
  DocumentStore,
  ImportedDocument,
  ImportRun,
  JsonObject,
  ListRequest,
} from '../../src/store/document-store.ts';
import { parseFilter } from '../../src/store/filter/filter.ts';
import { parseFields, parseSort } from '../../src/store/sort.ts';
import { lineOf } from '../../src/store/written-document.ts';
import { exportedLines, idOf } from './exported-lines.ts';
import { describeFilters } from './filter-suite.ts';

/** A store under test. */
export interface StoreHarness {
  readonly store: DocumentStore;
  /** Another instance on the same documents, as of another process. */
  reopen(): Promise<DocumentStore>;
  /** The processes of all imports that wait in a database were heard of last eleven minutes ago. */
  silence(database: DatabaseRef): Promise<void>;
  close(): Promise<void>;
}

/** What every adapter of `DocumentStore` must do. */
export function describeDocumentStore(
  name: string,
  open: () => Promise<StoreHarness>,
  engine: {
    /** Names of the examples of filters that it answers wrongly, which the adapter therefore refuses. */
    readonly refuses?: readonly string[];
    /** Names of other tests that it fails whatever the adapter does. */
    readonly fails?: readonly string[];
    /** How many filters it is asked at random; each looks through 300 documents four times. */
    readonly randomFilters?: number;
  } = {},
): void {
  describe(`DocumentStore: ${name}`, () => {
    let harness: StoreHarness;
    let store: DocumentStore;

    beforeAll(async () => {
      harness = await open();
      store = harness.store;
    });
    afterAll(async () => harness.close());

    /** A test that an engine may fail by itself, whose name then says so. */
    const itHolds = (test: string, work: () => Promise<void>) =>
      it(test, async (context) => {
        context.skip(engine.fails?.includes(test) ?? false, `${name} fails it whatever the adapter does`);
        await work();
      });

    let databases = 0;
    const newDatabase = (): DatabaseRef => {
      databases += 1;
      return { partnerId: 1_000 + databases, db: `d${(1_000 + databases).toString(36)}${newId().slice(-6)}` };
    };
    const newCollection = async (database = newDatabase(), collection = 'things'): Promise<CollectionRef> => {
      const ref = { ...database, collection };
      await store.createCollection(ref);
      return ref;
    };
    const put = async (ref: CollectionRef, documents: Readonly<Record<string, JsonObject>>) => {
      const run = await store.openImport(ref, { mode: 'insert', allOrNothing: false });
      expect(await run.write(documentsOf(documents))).toEqual([]);
      await run.finish();
    };
    const list = async (
      ref: CollectionRef,
      {
        fields,
        filter,
        sort,
        ...request
      }: Partial<Record<'filter' | 'sort' | 'fields', string>> &
        Pick<ListRequest, 'page' | 'after'> & { perPage?: number } = {},
    ): Promise<DocumentPage> =>
      store.list(ref, {
        perPage: 100,
        ...request,
        ...(filter === undefined ? {} : { filter: parseFilter(filter) }),
        ...(sort === undefined ? {} : { sort: parseSort(sort) }),
        ...(fields === undefined ? {} : { fields: parseFields(fields) }),
      });

    describe('collections', () => {
      it('are listed by name, with their documents and bytes', async () => {
        const database = newDatabase();
        expect(await store.collections(database)).toEqual([]);
        const second = await newCollection(database, 'b-2');
        await newCollection(database, 'A_1');
        await put(second, { one: { a: 'é' }, two: {} });
        const [first, last] = await store.collections(database);
        expect(first).toEqual({ name: 'A_1', documents: 0, bytes: 0 });
        expect(last).toMatchObject({ name: 'b-2', documents: 2 });
        expect(await store.usage(database)).toEqual({ documents: 2, bytes: last?.bytes });
        expect(last?.bytes).toBeGreaterThan(0);
      });

      it('have names of their own in each database', async () => {
        const ref = await newCollection();
        await expect(store.createCollection(ref)).rejects.toMatchObject({
          code: 'E40029',
          fields: [{ field: 'name' }],
        });
        await newCollection(newDatabase(), ref.collection);
        expect(await store.hasCollection(ref)).toBe(true);
        expect(await store.hasCollection({ ...ref, collection: 'others' })).toBe(false);
      });

      it('are at most 100, also where several are made at once', async () => {
        const database = newDatabase();
        for (let number = 0; number < 98; number += 1) await newCollection(database, `c${number}`);
        const made = await Promise.allSettled(
          Array.from({ length: 6 }, async (_, number) => newCollection(database, `d${number}`)),
        );
        const refused = made.filter(({ status }) => status === 'rejected');
        for (const one of refused) expect(one).toMatchObject({ reason: { code: 'E40016' } });
        const count = (await store.collections(database)).length;
        expect(count).toBe(98 + 6 - refused.length);
        expect(count).toBeLessThanOrEqual(100);
        for (let number = count; number < 100; number += 1) await newCollection(database, `e${number}`);
        await expect(newCollection(database, 'f')).rejects.toMatchObject({ code: 'E40016' });
      });

      it('go with their documents and indexes, and come back empty', async () => {
        const ref = await newCollection();
        await put(ref, { one: { a: 1 } });
        await store.createIndex(ref, 'a');
        const other = await harness.reopen();
        expect(await other.read(ref, 'one')).toBeDefined();
        const whenGone = vi.fn<() => Promise<void>>(async () => {
          expect(await other.hasCollection(ref)).toBe(false);
        });
        await store.deleteCollection(ref, whenGone);
        expect(whenGone).toHaveBeenCalledOnce();
        await expect(store.deleteCollection(ref)).rejects.toMatchObject({ code: 'E40401' });
        await expect(other.read(ref, 'one')).rejects.toMatchObject({ code: 'E40401' });
        await store.createCollection(ref);
        expect(await other.read(ref, 'one')).toBeUndefined();
        expect(await other.indexes(ref)).toEqual([]);
        expect(await store.usage(ref)).toMatchObject({ documents: 0 });
        await other.insert(ref, { id: 'one', content: {} });
        expect((await list(ref)).totalCount).toBe(1);
        await other.close();
      });

      it('that another process has made anew get what is written, and none that has gone', async () => {
        const ref = await newCollection();
        const other = await harness.reopen();
        /** What it knows of the collection is that of before. */
        const writtenAnew = async (write: (run: ImportRun) => Promise<unknown>) => {
          await other.insert(ref, { id: 'before', content: {} });
          const run = await other.openImport(ref, { mode: 'insert', allOrNothing: false });
          await store.deleteCollection(ref);
          await store.createCollection(ref);
          await write(run);
          return idsOf(await list(ref));
        };
        expect(await writtenAnew(async () => other.insert(ref, { id: 'inserted', content: {} }))).toEqual([
          'inserted',
        ]);
        expect(await writtenAnew(async () => other.replace(ref, { id: 'put', content: {} }))).toEqual([
          'put',
        ]);
        expect(await writtenAnew(async (run) => run.write([{ id: 'imported', json: '{}' }]))).toEqual([
          'imported',
        ]);
        await store.deleteCollection(ref);
        const late = other.insert(ref, { id: 'late', content: {} });
        await expect(late).rejects.toMatchObject({ code: 'E40401' });
        await other.close();
      });

      it('go with their database, and those of others stay', async () => {
        const ref = await newCollection();
        const kept = await newCollection();
        await put(ref, { one: {} });
        await put(kept, { one: {} });
        await store.deleteDatabase(ref);
        await store.deleteDatabase(ref);
        expect(await store.collections(ref)).toEqual([]);
        await expect(store.read(ref, 'one')).rejects.toMatchObject({ code: 'E40401' });
        expect(await store.read(kept, 'one')).toBeDefined();
      });
    });

    it('No call reaches a collection that is not there, nor one of another database', async () => {
      const theirs = await newCollection();
      await put(theirs, { one: { a: 1 } });
      await store.createIndex(theirs, 'a');
      const mine = { ...newDatabase(), collection: theirs.collection };
      const document = { id: 'one', content: {} };
      const calls = [
        async (ref: CollectionRef) => store.deleteCollection(ref),
        async (ref: CollectionRef) => store.list(ref, { perPage: 1 }),
        async (ref: CollectionRef) => store.read(ref, 'one'),
        async (ref: CollectionRef) => store.insert(ref, { ...document, id: 'two' }),
        async (ref: CollectionRef) => store.replace(ref, document),
        async (ref: CollectionRef) => store.delete(ref, 'one'),
        async (ref: CollectionRef) => store.deleteMatching(ref, parseFilter('{}')),
        async (ref: CollectionRef) => store.openImport(ref, { mode: 'upsert', allOrNothing: false }),
        async (ref: CollectionRef) => store.openImport(ref, { mode: 'upsert', allOrNothing: true }),
        async (ref: CollectionRef) => exportedLines(store, ref),
        async (ref: CollectionRef) => store.indexes(ref),
        async (ref: CollectionRef) => store.createIndex(ref, 'b'),
        async (ref: CollectionRef) => store.deleteIndex(ref, 'a'),
      ];
      const foreign = [
        mine,
        { ...theirs, collection: 'others' },
        { ...theirs, db: mine.db },
        { ...theirs, partnerId: mine.partnerId },
      ];
      for (const ref of foreign) {
        for (const call of calls) await expect(call(ref)).rejects.toMatchObject({ code: 'E40401' });
        expect(await store.hasCollection(ref)).toBe(false);
      }
      expect(await store.collections({ ...theirs, partnerId: mine.partnerId })).toEqual([]);
      expect(await store.usage({ ...theirs, partnerId: mine.partnerId })).toEqual({ documents: 0, bytes: 0 });
      await store.deleteDatabase({ ...theirs, partnerId: mine.partnerId });
      expect((await list(theirs)).totalCount).toBe(1);
    });

    describe('single documents', () => {
      it('come back as they were stored, with the order of their keys', async () => {
        const ref = await newCollection();
        const json = JSON.stringify(everything);
        const stored = await store.insert(ref, { id: 'A.b:c-d_9', content: everything });
        expect(stored).toMatchObject({ id: 'A.b:c-d_9', version: 1, json });
        expect(stored.updatedAt).toEqual(stored.createdAt);
        expect(Math.abs(Date.now() - stored.createdAt.getTime())).toBeLessThan(60_000);
        expect(await store.read(ref, 'A.b:c-d_9')).toEqual(stored);
        expect((await list(ref)).documents).toEqual([stored]);
        for (const filter of ['{"_bsontype":"ObjectId"}', '{"typed._bsontype":{"$in":["Long"]}}']) {
          expect((await list(ref, { filter })).documents).toEqual([stored]);
        }
        const empty = await store.insert(ref, { id: 'empty', content: {} });
        expect(await exportedLines(store, ref)).toEqual([lineOf(stored), lineOf(empty)]);
      });

      itHolds('are found by a whole object that has a key of the driver', async () => {
        const ref = await newCollection();
        await store.insert(ref, { id: 'one', content: { typed: { _bsontype: 'Long' } } });
        const { documents } = await list(ref, { filter: '{"typed":{"$in":[{"_bsontype":"Long"}]}}' });
        expect(documents.map(({ id }) => id)).toEqual(['one']);
      });

      it('are refused where the `_id` is taken', async () => {
        const ref = await newCollection();
        await store.insert(ref, { id: 'one', content: { a: 1 } });
        await expect(store.insert(ref, { id: 'one', content: {} })).rejects.toMatchObject({
          code: 'E40029',
          fields: [{ field: '_id' }],
        });
        expect((await store.read(ref, 'one'))?.json).toBe('{"a":1}');
      });

      it('are replaced whole, or made', async () => {
        const ref = await newCollection();
        const made = await store.replace(ref, { id: 'one', content: { a: 1, b: 2 } });
        expect(made).toMatchObject({ isNew: true, document: { version: 1 } });
        const changed = await store.replace(ref, { id: 'one', content: { c: 3 } });
        expect(changed).toMatchObject({ isNew: false, document: { version: 2, json: '{"c":3}' } });
        expect(changed.document.createdAt).toEqual(made.document.createdAt);
        expect(await store.read(ref, 'one')).toEqual(changed.document);
      });

      itHolds('keep what somebody else was faster to write', async () => {
        const ref = await newCollection();
        await store.insert(ref, { id: 'one', content: {} });
        const writers = Array.from({ length: 8 }, async (_, writer) =>
          store.replace(ref, { id: 'one', content: { writer } }, { ifVersion: 1 }),
        );
        const results = await Promise.allSettled(writers);
        expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
        for (const result of results) {
          if (result.status === 'rejected')
            expect(result.reason).toMatchObject({ code: 'E40034', status: 412 });
        }
        for (const id of ['one', 'none']) {
          const conflict = { code: 'E40034', status: 412 };
          await expect(store.replace(ref, { id, content: {} }, { ifVersion: 1 })).rejects.toMatchObject(
            conflict,
          );
          await expect(store.delete(ref, id, { ifVersion: 1 })).rejects.toMatchObject(conflict);
        }
        expect((await store.read(ref, 'one'))?.version).toBe(2);
        expect(await store.delete(ref, 'one', { ifVersion: 2 })).toBe(true);
      });

      itHolds('are made once, however many make them at the same time', async () => {
        const ref = await newCollection();
        const all = await Promise.all(
          Array.from({ length: 8 }, async (_, writer) =>
            store.replace(ref, { id: 'one', content: { writer } }),
          ),
        );
        expect(all.filter(({ isNew }) => isNew)).toHaveLength(1);
        expect(all.map(({ document }) => document.version).toSorted((a, b) => a - b)).toEqual([
          1, 2, 3, 4, 5, 6, 7, 8,
        ]);
      });

      itHolds('may be read and replaced by many at once, as one after the other', async () => {
        const ref = await newCollection();
        const ids = Array.from({ length: 40 }, (_, number) => `d${number}`);
        await put(ref, Object.fromEntries(ids.slice(0, 30).map((id) => [id, { of: id }])));
        const [replaced, read] = await Promise.all([
          Promise.all(
            // One of them five times, and ten that are not there yet.
            [...ids, 'd1', 'd1', 'd1', 'd1'].map(async (id) =>
              store.replace(ref, { id, content: { now: id } }),
            ),
          ),
          Promise.all([...ids, 'd2', 'nobody'].map(async (id) => store.read(ref, id))),
        ]);
        expect(replaced.filter(({ isNew }) => isNew).map(({ document }) => document.id)).toEqual(
          ids.slice(30),
        );
        const versions = replaced.flatMap(({ document }) => (document.id === 'd1' ? [document.version] : []));
        expect(versions.toSorted((a, b) => a - b)).toEqual([2, 3, 4, 5, 6]);
        for (const document of read.slice(0, 30)) {
          expect([{ of: document?.id }, { now: document?.id }]).toContainEqual(
            JSON.parse(document?.json ?? ''),
          );
        }
        expect(read.at(-2)?.id).toBe('d2');
        expect(read.at(-1)).toBeUndefined();
        const after = await Promise.all(ids.map(async (id) => store.read(ref, id)));
        expect(after.map((document) => JSON.parse(document?.json ?? ''))).toEqual(
          ids.map((id) => ({ now: id })),
        );
      });

      it('go once', async () => {
        const ref = await newCollection();
        await store.insert(ref, { id: 'one', content: {} });
        expect(await store.delete(ref, 'one')).toBe(true);
        expect(await store.delete(ref, 'one')).toBe(false);
        expect(await store.read(ref, 'one')).toBeUndefined();
        expect(await store.usage(ref)).toMatchObject({ documents: 0 });
      });

      it('may have 1 MiB and 100 levels', async () => {
        const ref = await newCollection();
        let deep: JsonObject = { end: true };
        for (let level = 2; level <= 100; level += 1) deep = { a: deep };
        const large = { text: 'あ'.repeat(300_000), ['"'.repeat(1_000)]: '\\'.repeat(50_000) };
        await put(ref, { deep, large });
        expect((await store.read(ref, 'deep'))?.json).toBe(JSON.stringify(deep));
        expect((await store.read(ref, 'large'))?.json).toBe(JSON.stringify(large));
      });
    });

    describe('lists', () => {
      it('have pages by number and by cursor, and say how many there are', async () => {
        const ref = await newCollection();
        await put(
          ref,
          Object.fromEntries(Array.from({ length: 7 }, (_, n) => [`id${n}`, { n, odd: n % 2 }])),
        );
        for (const request of [{}, { sort: 'odd,-n' }, { filter: '{"n":{"$gte":0}}' }, { sort: '-_id' }]) {
          const whole = await list(ref, request);
          expect(whole).toMatchObject({ totalCount: 7, after: null });
          const byCursor: string[] = [];
          let after: string | null = null;
          for (let page = 1; page <= 3; page += 1) {
            const byNumber = await list(ref, { ...request, page, perPage: 3 });
            const next: DocumentPage = await list(ref, {
              ...request,
              perPage: 3,
              ...(after === null ? {} : { after }),
            });
            expect(next).toEqual(byNumber);
            expect(next.totalCount).toBe(7);
            byCursor.push(...next.documents.map(({ id }) => id));
            after = next.after;
          }
          expect(after).toBeNull();
          expect(byCursor).toEqual(whole.documents.map(({ id }) => id));
        }
        expect(await list(ref, { page: 4, perPage: 3 })).toEqual({
          documents: [],
          totalCount: 7,
          after: null,
        });
      });

      it('have cursors that are taken, however long the sort and what it sorts by', async () => {
        const ref = await newCollection();
        const fields = Array.from({ length: 8 }, (_, n) => `${n}${'長'.repeat(120)}`);
        for (const length of [10, 180, 240, 300]) {
          const content = Object.fromEntries(fields.map((field) => [field, 'x'.repeat(length)]));
          await put(ref, { [`${length}a`]: content, [`${length}b`]: content });
        }
        for (const sort of ['_id', fields.join(',')]) {
          const found: string[] = [];
          for (let after: string | null | undefined; after !== null; ) {
            const page: DocumentPage = await list(ref, { sort, perPage: 1, ...(after ? { after } : {}) });
            found.push(...idsOf(page));
            after = page.after;
          }
          expect(found).toEqual(idsOf(await list(ref)));
        }
      });

      it('go on behind a document that is gone', async () => {
        const ref = await newCollection();
        await put(ref, { a: {}, b: {}, c: {} });
        const { after } = await list(ref, { perPage: 2 });
        await store.delete(ref, 'b');
        expect(idsOf(await list(ref, { perPage: 2, after: after ?? '' }))).toEqual(['c']);
      });

      it('refuse a cursor that is none, and one of another sort', async () => {
        const ref = await newCollection();
        await put(ref, { a: {}, b: {} });
        const { after } = await list(ref, { perPage: 1, sort: 'x' });
        const bad = ['', 'x', '{}', Buffer.from('["",1]').toString('base64url'), 'a'.repeat(5_000)];
        for (const cursor of [...bad, after ?? '']) {
          await expect(list(ref, { after: cursor })).rejects.toMatchObject({
            code: 'E40002',
            fields: [{ field: 'after' }],
          });
        }
      });

      it("sort in MongoDB's order of types, ties by `_id`", async () => {
        const ref = await newCollection();
        await put(ref, inOrder);
        const ids = Object.keys(inOrder);
        for (const perPage of [100, 5]) {
          for (const sort of ['v', '-v']) {
            const found: string[] = [];
            for (let after: string | null | undefined; after !== null; ) {
              const page: DocumentPage = await list(ref, { sort, perPage, ...(after ? { after } : {}) });
              found.push(...page.documents.map(({ id }) => id));
              after = page.after;
            }
            expect(found).toEqual(sort === 'v' ? ids : descending(ids));
          }
        }
      });

      itHolds(
        'sort by the least element of an array, downwards by the greatest, and through arrays of objects',
        async () => {
          const ref = await newCollection();
          await put(ref, {
            a: { v: [5, 1], o: [{ p: 3 }, { p: 9 }] },
            b: { v: 2, o: { p: 4 } },
            c: { v: ['x', 3], o: [{ p: 5 }, {}] },
            d: { v: [4], o: 1 },
          });
          expect(idsOf(await list(ref, { sort: 'v' }))).toEqual(['a', 'b', 'c', 'd']);
          expect(idsOf(await list(ref, { sort: '-v' }))).toEqual(['c', 'a', 'd', 'b']);
          expect(idsOf(await list(ref, { sort: 'o.p' }))).toEqual(['c', 'd', 'a', 'b']);
          expect(idsOf(await list(ref, { sort: '-o.p' }))).toEqual(['a', 'c', 'b', 'd']);
        },
      );

      itHolds('sort objects by the names of their fields before the signs of numbers', async () => {
        const ref = await newCollection();
        await put(ref, {
          a: { v: { b: -1 } },
          b: { v: { a: 1 } },
          c: { v: { b: -2 } },
          d: { v: { a: 'x' } },
        });
        expect(idsOf(await list(ref, { sort: 'v' }))).toEqual(['b', 'c', 'a', 'd']);
      });

      it('sort by places in arrays of arrays', async () => {
        const ref = await newCollection();
        await put(ref, {
          a: { c: [[3, 1]], d: { 0: { 1: 2 } } },
          b: { c: [[1, 9]], d: { 0: { 1: 1 } } },
          c: { c: [[1, 5]] },
          d: { c: [[2, 0], 7], d: { 0: { 1: 3 } } },
        });
        expect(idsOf(await list(ref, { sort: 'c.0.0' }))).toEqual(['b', 'c', 'd', 'a']);
        expect(idsOf(await list(ref, { sort: '-c.0.0,c.0.1' }))).toEqual(['a', 'd', 'c', 'b']);
        expect(idsOf(await list(ref, { sort: 'd.0.1' }))).toEqual(['c', 'b', 'a', 'd']);
        // As whole arrays, not by the least of their elements.
        expect(idsOf(await list(ref, { sort: 'c.0' }))).toEqual(['c', 'b', 'd', 'a']);
        expect(idsOf(await list(ref, { sort: '-c.0' }))).toEqual(['a', 'd', 'b', 'c']);
      });

      it('answer the fields that are asked for', async () => {
        const ref = await newCollection();
        await put(ref, { one: { a: 1, b: { c: 2, d: 3 }, e: [{ c: 4, f: 5 }, 6, { f: 7 }], g: [] } });
        const { documents } = await list(ref, { fields: 'b.c,e.c,a,nothing' });
        expect(documents.map(({ json }) => json)).toEqual(['{"a":1,"b":{"c":2},"e":[{"c":4},{}]}']);
      });
    });

    describeFilters(() => ({ list, newCollection, put, store }), engine);

    it('DELETE by a filter takes what matches, and says how many', async () => {
      const ref = await newCollection();
      await put(
        ref,
        Object.fromEntries(Array.from({ length: 2_500 }, (_, n) => [`id${n}`, { n, even: n % 2 === 0 }])),
      );
      expect(await store.deleteMatching(ref, parseFilter('{"even":true}'))).toBe(1_250);
      expect(await store.deleteMatching(ref, parseFilter('{"even":true}'))).toBe(0);
      expect((await list(ref)).totalCount).toBe(1_250);
      expect(await store.deleteMatching(ref, parseFilter('{}'))).toBe(1_250);
      expect(await store.usage(ref)).toMatchObject({ documents: 0 });
    });

    describe('imports', () => {
      const batch = documentsOf({ a: { v: 2 }, b: { v: 2 }, c: { v: 2 } });

      it.each([
        { mode: 'insert', failures: [{ index: 1, reason: 'taken' }], values: { a: 2, b: 1, c: 2, z: 1 } },
        {
          mode: 'replace',
          failures: [
            { index: 0, reason: 'unknown' },
            { index: 2, reason: 'unknown' },
          ],
          values: { b: 2, z: 1 },
        },
        { mode: 'upsert', failures: [], values: { a: 2, b: 2, c: 2, z: 1 } },
      ] as const)('by $mode say which documents were refused', async ({ failures, mode, values }) => {
        for (const allOrNothing of [false, true]) {
          const ref = await newCollection();
          await put(ref, { b: { v: 1 }, z: { v: 1 } });
          const run = await store.openImport(ref, { mode, allOrNothing });
          expect(await run.write(batch)).toEqual(failures);
          if (allOrNothing) expect((await list(ref)).totalCount).toBe(2);
          expect(await run.finish()).toBe(3 - failures.length);
          const { documents } = await list(ref);
          expect(Object.fromEntries(documents.map(({ id, json }) => [id, JSON.parse(json).v]))).toEqual(
            values,
          );
          const replaced = documents.find(({ id }) => id === 'b');
          expect(replaced?.version).toBe(mode === 'insert' ? 1 : 2);
        }
      });

      it('leave nothing of what waited where they are discarded', async () => {
        const ref = await newCollection();
        const run = await store.openImport(ref, { mode: 'insert', allOrNothing: true });
        await run.write(batch);
        await run.discard();
        expect((await list(ref)).totalCount).toBe(0);
        expect(await store.usage(ref)).toEqual({ documents: 0, bytes: 0 });
        expect(await store.collections(ref)).toHaveLength(1);
      });

      it('store nothing of what waited where somebody took one of its `_id`s', async () => {
        const ref = await newCollection();
        const run = await store.openImport(ref, { mode: 'insert', allOrNothing: true });
        await run.write(batch);
        await store.insert(ref, { id: 'c', content: {} });
        await expect(run.finish()).rejects.toMatchObject({ code: 'E40034' });
        await run.discard();
        expect(idsOf(await list(ref))).toEqual(['c']);
      });

      it('take the last of two documents with one `_id`, or refuse the second', async () => {
        const ref = await newCollection();
        const twice = [
          { id: 'a', json: '{"v":1}' },
          { id: 'a', json: '{"v":2}' },
        ];
        const inserting = await store.openImport(ref, { mode: 'insert', allOrNothing: false });
        expect(await inserting.write(twice)).toEqual([{ index: 1, reason: 'taken' }]);
        expect(await inserting.finish()).toBe(1);
        const changing = await store.openImport(ref, { mode: 'upsert', allOrNothing: false });
        expect(await changing.write(twice)).toEqual([]);
        await changing.finish();
        expect((await store.read(ref, 'a'))?.json).toBe('{"v":2}');
        const empty = await store.openImport(ref, { mode: 'upsert', allOrNothing: true });
        expect(await empty.write([])).toEqual([]);
        expect(await empty.finish()).toBe(0);
      });

      it('that wait take room, and what those have left whose process ended goes, at once and for good', async () => {
        const ref = await newCollection();
        await put(ref, { one: { a: 1 } });
        const batches = [0, 1_000, 2_000].map((from) =>
          Array.from({ length: 1_000 }, (_, n) => ({ id: `id${from + n}`, json: '{"v":1}' })),
        );
        const begin = async () => {
          const run = await store.openImport(ref, { mode: 'insert', allOrNothing: true });
          for (const some of batches) expect(await run.write(some)).toEqual([]);
          return run;
        };
        const { bytes } = await store.usage(ref);
        expect(await store.occupied(ref)).toEqual({ stored: bytes, waiting: 0 });
        const dead = await begin();
        const one = await store.occupied(ref);
        expect(one.stored).toBe(bytes);
        expect(one.waiting).toBeGreaterThan(0);
        await harness.silence(ref);
        const alive = await begin();
        expect((await store.occupied(ref)).waiting).toBe(one.waiting);
        const stopped = AbortSignal.abort();
        await store.removeLeftovers(ref, stopped);
        await store.removeLeftovers(ref, new AbortController().signal);
        expect((await store.occupied(ref)).waiting).toBe(one.waiting);
        // It was only slow.
        await expect(dead.finish()).rejects.toMatchObject({ code: 'E40034' });
        await dead.discard();
        expect(await alive.finish()).toBe(3_000);
        expect((await list(ref)).totalCount).toBe(3_001);
        expect((await store.occupied(ref)).waiting).toBe(0);
      });

      it('that wait for long say that their process is there', async () => {
        vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
        try {
          const ref = await newCollection();
          const run = await store.openImport(ref, { mode: 'upsert', allOrNothing: true });
          await run.write(batch);
          const { waiting } = await store.occupied(ref);
          await harness.silence(ref);
          expect((await store.occupied(ref)).waiting).toBe(0);
          vi.advanceTimersByTime(60_000);
          await vi.waitFor(async () => expect((await store.occupied(ref)).waiting).toBe(waiting), 5_000);
          await store.removeLeftovers(ref, new AbortController().signal);
          expect(await run.finish()).toBe(3);
          expect(vi.getTimerCount()).toBe(0);
        } finally {
          vi.useRealTimers();
        }
      });

      itHolds('at the same time neither lose documents nor wait for each other for ever', async () => {
        const ref = await newCollection();
        await store.createIndex(ref, 'v');
        const documents = Array.from({ length: 500 }, (_, n) => ({ id: `id${n}`, json: `{"v":${n}}` }));
        await Promise.all(
          [documents, documents.toReversed(), documents].map(async (order) => {
            const run = await store.openImport(ref, { mode: 'upsert', allOrNothing: false });
            await run.write(order);
            await run.finish();
          }),
        );
        expect((await list(ref)).totalCount).toBe(500);
        expect((await list(ref, { filter: '{"v":{"$lt":10}}' })).totalCount).toBe(10);
        expect(await store.usage(ref)).toMatchObject({ documents: 500 });
      });
    });

    it('Streams have all that matches, by `_id`, in batches', async () => {
      const ref = await newCollection();
      const documents = Array.from({ length: 2_500 }, (_, n) => ({
        id: `id${String(n).padStart(4, '0')}`,
        json: JSON.stringify({ n, tenth: n % 10 === 0 }),
      }));
      const run = await store.openImport(ref, { mode: 'insert', allOrNothing: false });
      await run.write(documents);
      const all = await exportedLines(store, ref);
      expect(all.map(idOf)).toEqual(documents.map(({ id }) => id));
      const filter = parseFilter('{"tenth":true}');
      expect(await exportedLines(store, ref, filter)).toHaveLength(250);
      await store.createIndex(ref, 'tenth');
      expect(await exportedLines(store, ref, filter)).toHaveLength(250);
      expect(await exportedLines(store, ref, parseFilter('{"n":-1}'))).toEqual([]);
      let array = '';
      for await (const text of store.stream(ref, { between: ',\n' }))
        array += array === '' ? text : `,\n${text}`;
      expect(JSON.parse(`[${array}]`)).toHaveLength(2_500);
    });

    it('Streams write documents as answers have them, long ones and changed ones too', async () => {
      const ref = await newCollection();
      const id = 'x'.repeat(128);
      await put(ref, { a: everything, b: {}, c: { text: '日本語 '.repeat(40_000) }, [id]: { last: '😀' } });
      await put(ref, { d: {}, e: {} });
      await store.replace(ref, { id: 'b', content: { text: 'x'.repeat(65_000) } });
      await store.replace(ref, { id: 'd', content: {} });
      const { documents } = await list(ref);
      expect(documents.map(({ version }) => version)).toEqual([1, 2, 1, 2, 1, 1]);
      expect(await exportedLines(store, ref)).toEqual(documents.map(lineOf));
    });

    it('Whoever stops reading a stream keeps nothing from others', async () => {
      const ref = await newCollection();
      const text = 'x'.repeat(100_000);
      await put(ref, Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`id${n}`, { text }])));
      // More readers than the store has connections, each in the middle.
      for (let reader = 0; reader < 12; reader += 1) {
        const texts = store.stream(ref, { between: '\n' })[Symbol.asyncIterator]();
        expect((await texts.next()).done).toBe(false);
      }
      expect(await store.read(ref, 'id1')).toMatchObject({ id: 'id1' });
    });

    describe('indexes', () => {
      it('are listed, made once, at most ten, and go', async () => {
        const ref = await newCollection();
        await put(ref, { one: { a: { b: [1, 2] } } });
        expect(await store.indexes(ref)).toEqual([]);
        const fields = ['a.b', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];
        for (const field of fields) await store.createIndex(ref, field);
        expect(await store.indexes(ref)).toEqual(fields);
        await expect(store.createIndex(ref, 'b')).rejects.toMatchObject({
          code: 'E40029',
          fields: [{ field: 'field' }],
        });
        await expect(store.createIndex(ref, 'k')).rejects.toMatchObject({ code: 'E40016' });
        await expect(store.createIndex(ref, 'a.$b')).rejects.toMatchObject({
          code: 'E40002',
          fields: [{ field: 'field' }],
        });
        // None of several indexes may have anything to look for.
        const filter = JSON.stringify({ $or: [{ 'a.b': 2 }, { b: { $in: [] } }] });
        expect(idsOf(await list(ref, { filter }))).toEqual(['one']);
        expect(await store.deleteIndex(ref, 'b')).toBe(true);
        expect(await store.deleteIndex(ref, 'b')).toBe(false);
        expect(await store.indexes(ref)).toEqual(fields.filter((field) => field !== 'b'));
      });

      itHolds('are made and deleted by several at once, and none is lost or comes back', async () => {
        const ref = await newCollection();
        for (const field of ['a', 'b', 'c', 'd', 'e']) await store.createIndex(ref, field);
        await Promise.all([
          ...['f', 'g', 'h'].map(async (field) => store.createIndex(ref, field)),
          ...['a', 'b'].map(async (field) => store.deleteIndex(ref, field)),
        ]);
        expect((await store.indexes(ref)).toSorted()).toEqual(['c', 'd', 'e', 'f', 'g', 'h']);
        const made = await Promise.allSettled(
          ['i', 'j', 'k', 'l', 'm', 'n'].map(async (field) => store.createIndex(ref, field)),
        );
        const refused = made.filter(({ status }) => status === 'rejected');
        for (const one of refused) expect(one).toMatchObject({ reason: { code: 'E40016' } });
        expect(refused).toHaveLength(2);
        expect(await store.indexes(ref)).toHaveLength(10);
      });

      it('follow every change of a document, also one by a process that does not know them yet', async () => {
        const ref = await newCollection();
        const other = await harness.reopen();
        await other.insert(ref, { id: 'old', content: { v: 1 } });
        await store.createIndex(ref, 'v');
        const found = async (v: number) => idsOf(await list(ref, { filter: JSON.stringify({ v }) }));
        expect(await found(1)).toEqual(['old']);
        await other.insert(ref, { id: 'new', content: { v: [1, 2] } });
        expect(await found(1)).toEqual(['new', 'old']);
        await other.replace(ref, { id: 'new', content: { v: 3 } });
        expect([await found(1), await found(2), await found(3)]).toEqual([['old'], [], ['new']]);
        const run = await other.openImport(ref, { mode: 'upsert', allOrNothing: true });
        await run.write([
          { id: 'new', json: '{"v":4}' },
          { id: 'newer', json: '{"v":4}' },
        ]);
        await run.finish();
        expect([await found(3), await found(4)]).toEqual([[], ['new', 'newer']]);
        await other.delete(ref, 'new');
        expect(await other.deleteMatching(ref, parseFilter('{"v":4}'))).toBe(1);
        expect(await found(4)).toEqual([]);
        await other.close();
      });

      it('have every document that is written while they are made', async () => {
        const ref = await newCollection();
        const write = async (from: number) => {
          for (let n = from; n < from + 60; n += 1) {
            await store.insert(ref, { id: `id${n}`, content: { v: 'same', n } });
          }
        };
        await write(0);
        await Promise.all([write(100), write(200), store.createIndex(ref, 'v'), write(300)]);
        expect((await list(ref, { filter: '{"v":"same"}' })).totalCount).toBe(240);
      });
    });
  });
}

export function documentsOf(documents: Readonly<Record<string, JsonObject>>): ImportedDocument[] {
  return Object.entries(documents).map(([id, content]) => ({ id, json: JSON.stringify(content) }));
}

export const idsOf = ({ documents }: DocumentPage): string[] => documents.map(({ id }) => id);

const everything = {
  z: 1,
  a: 'text with \u0001, "quotes", \\ and 𠮟る',
  'a.b': 'dotted',
  '"quoted"': { '\\': 1, '%': 2, '%2E': 3, '': 4, ｷｰ: 5, a$b: 6 },
  list: [[], [[1, [2]], {}], { x: [[]] }, null],
  numbers: [0, -1.5, 1e300, 5e-324, 9007199254740993, 0.1, 123456789012],
  nothing: null,
  yes: true,
  no: false,
  empty: {},
  date: '2026-11-25T00:00:00Z',
  constructor: 'of Object',
  _bsontype: 'ObjectId',
  typed: { _bsontype: 'Long', '%_bsontype': 1, low: [{ _bsontype: {} }] },
};

/** In MongoDB's order, by their `_id` where they are equal. */
const inOrder: Readonly<Record<string, JsonObject>> = {
  a01: { v: [] },
  b01: {},
  b02: { v: null },
  c01: { v: -1e300 },
  c02: { v: -2 },
  c03: { v: -1.5 },
  c04: { v: 0 },
  c05: { v: 5e-324 },
  c06: { v: 2 },
  c07: { v: 10 },
  c08: { v: 1e300 },
  d01: { v: '' },
  d02: { v: 'A' },
  d03: { v: 'a' },
  d04: { v: 'a\u0001' },
  d05: { v: 'ab' },
  d06: { v: 'b' },
  d07: { v: 'é' },
  d08: { v: '\uff5e' },
  d09: { v: '😀' },
  e01: { v: {} },
  e02: { v: { b: 1 } },
  e03: { v: { b: 1, a: 1 } },
  e04: { v: { a: 'x' } },
  g01: { v: false },
  g02: { v: true },
};

/** The other way round; only ties stay as they are. */
const descending = (ids: readonly string[]): string[] =>
  ids.toReversed().map((id) => (id === 'b02' ? 'b01' : id === 'b01' ? 'b02' : id));
