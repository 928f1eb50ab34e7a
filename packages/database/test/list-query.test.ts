import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  contains,
  inTimeRange,
  listPage,
  nearerRows,
  orderedBy,
  pageReply,
  timeRange,
  withClient,
} from '../src/index.ts';
import { fixtureDatabase, partner } from './fixture.ts';
import { Prisma } from './fixture-service/src/data/generated/client.ts';

let fixture: Awaited<ReturnType<typeof fixtureDatabase>>;

beforeAll(async () => {
  fixture = await fixtureDatabase();
});
afterAll(() => fixture.close());

type Key = 'id' | 'name' | 'note' | 'createdAt';
const columns: Record<Key, Prisma.Sql> = {
  id: Prisma.sql`id`,
  name: Prisma.sql`name`,
  note: Prisma.sql`note`,
  createdAt: Prisma.sql`created_at`,
};
const day = (n: number) => new Date(Date.UTC(2026, 0, 1 + n));

// Few letters and few days, so that rows tie and filters hit; every letter that LIKE or a reader might treat apart.
const text = fc.string({
  unit: fc.constantFrom('a', 'A', 'b', 'é', 'É', 'あ', '%', '_', '\\', ' ', "'"),
  maxLength: 4,
});
const row = fc.record({
  name: text,
  note: fc.option(text),
  days: fc.integer({ min: 0, max: 4 }),
  ms: fc.constantFrom(0, 1, 999, 1_000),
});
const query = fc.record({
  page: fc.integer({ min: 1, max: 5 }),
  perPage: fc.integer({ min: 1, max: 7 }),
  orderKey: fc.constantFrom<Key>('id', 'name', 'note', 'createdAt'),
  order: fc.constantFrom('asc' as const, 'desc' as const),
  name: fc.option(text, { nil: undefined }),
  start: fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined }),
  end: fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined }),
});

interface Row {
  id: number;
  name: string;
  note: string | null;
  createdAt: Date;
}

/** By bytes, as the database orders text; null last in either direction. */
function compare(a: Row, b: Row, key: Key, sign: number): number {
  const [x, y] = [a[key], b[key]];
  if (x === null || y === null) return x === y ? sign * (a.id - b.id) : x === null ? 1 : -1;
  const [p, q] = [x, y].map((value) => (value instanceof Date ? value.getTime() : value));
  const byKey =
    typeof p === 'string' ? Buffer.compare(Buffer.from(p), Buffer.from(String(q))) : Number(p) - Number(q);
  return sign * (byKey || a.id - b.id);
}

describe('list queries', () => {
  test('any page, filter and order equals a plain filter in memory', async () => {
    let partnerId = 100;
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(row, { maxLength: 25, selector: ({ name }) => name }),
        fc.array(query, { minLength: 5, maxLength: 10 }),
        async (rows, queries) => {
          const tenant = partner(++partnerId);
          const data = rows.map(({ name, note, days, ms }) => ({
            partnerId,
            name,
            note,
            createdAt: new Date(day(days).getTime() + ms),
          }));
          const all = await fixture.database.transaction(tenant, (tx) =>
            tx.item.createManyAndReturn({ data }),
          );
          for (const { page, perPage, orderKey, order, name, start, end } of queries) {
            const from = start === undefined ? undefined : day(start);
            const to = end === undefined ? undefined : day(end);
            const sign = order === 'asc' ? 1 : -1;
            const inRange = all
              .filter(
                (r) =>
                  (!from || r.createdAt >= from) &&
                  (!to || Math.floor(r.createdAt.getTime() / 1_000) * 1_000 <= to.getTime()),
              )
              .sort((a, b) => compare(a, b, orderKey, sign));
            const expected = inRange.filter((r) => r.name.toLowerCase().includes((name ?? '').toLowerCase()));
            const where = {
              partnerId,
              AND: [{ ...filter('name', contains(name)) }, filter('createdAt', timeRange(from, to))],
            };
            const found = await fixture.database.read(tenant, async (tx) => ({
              total: await tx.item.count({ where }),
              rows: await tx.item.findMany({
                where,
                ...listPage({ page, perPage, orderKey, order }, { nullable: ['note'] }),
              }),
              inSql: await tx.$queryRaw<{ id: number }[]>`
                SELECT id FROM items WHERE ${Prisma.join([Prisma.sql`true`, ...inTimeRange(Prisma.sql`created_at`, from, to)], ' AND ')}
                ORDER BY ${orderedBy(columns[orderKey], Prisma.sql`id`, { nullable: orderKey === 'note', order, reversed: false })}`,
            }));
            expect(found.rows.map(({ id }) => id)).toEqual(
              expected.slice((page - 1) * perPage, page * perPage).map(({ id }) => id),
            );
            expect(found.inSql.map(({ id }) => id)).toEqual(inRange.map(({ id }) => id));
            expect(pageReply(found.total, { page, perPage })).toEqual({
              currentPage: page,
              totalPage: Math.ceil(expected.length / perPage),
              totalCount: expected.length,
            });
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  test('a tenant of 100,000 rows among others lists by its index, on a deep page as well', async () => {
    await withClient(fixture.ownerUrl, async (owner) => {
      await owner.query(`
        SELECT set_config('app.scope', 'system', true);
        INSERT INTO items (partner_id, name, created_at)
          SELECT p, 'file ' || i, timestamptz '2026-01-01' + i * interval '1 minute'
          FROM generate_series(1, 100000) i, generate_series(1, 2) p`);
      await owner.query('ANALYZE items');
    });
    const page = listPage({ page: 9000, perPage: 10, orderKey: 'createdAt', order: 'desc' });
    const list = () =>
      fixture.database.read(partner(1), (tx) => tx.item.findMany({ where: { partnerId: 1 }, ...page }));
    expect(await list()).toHaveLength(10);

    const plan = await fixture.database.read(
      partner(1),
      (tx) =>
        tx.$queryRaw<Record<string, string>[]>`EXPLAIN SELECT * FROM items
        WHERE partner_id = ${1}::integer ORDER BY created_at DESC, id DESC LIMIT 10`,
    );
    const lines = plan.map((line) => Object.values(line).join('')).join('\n');
    expect(lines).toContain('items_partner_id_created_at_id_idx');
    expect(lines).not.toContain('Sort');
  });

  test('nothing to filter by is no filter', () => {
    expect([contains(''), contains(undefined), timeRange(undefined, undefined)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(timeRange(day(0), undefined)).toEqual({ gte: day(0) });
    expect(pageReply(0, { page: 1, perPage: 10 })).toEqual({ currentPage: 1, totalPage: 0, totalCount: 0 });
  });
});

function filter<K extends string, V>(key: K, value: V | undefined): Partial<Record<K, V>> {
  const where: Partial<Record<K, V>> = {};
  if (value !== undefined) where[key] = value;
  return where;
}

describe('A page read from the nearer end', () => {
  const rows = Array.from({ length: 25 }, (_, i) => i);

  test.each([1, 2, 3, 4])('holds the same rows: page %d', (page) => {
    const { reversed, skip, take } = nearerRows({ page, perPage: 10 }, rows.length);
    const found = (reversed ? rows.toReversed() : rows).slice(skip, skip + take);
    expect(reversed ? found.toReversed() : found).toEqual(rows.slice((page - 1) * 10, page * 10));
  });

  test('turns the order around only behind the middle', () => {
    expect(nearerRows({ page: 1, perPage: 10 }, 25)).toEqual({ skip: 0, take: 10, reversed: false });
    expect(nearerRows({ page: 3, perPage: 10 }, 25)).toEqual({ skip: 0, take: 5, reversed: true });
  });
});
