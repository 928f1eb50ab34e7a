import { createLogger } from '@portal/kernel';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  type BinaryRow,
  createScopedPool,
  keptPlan,
  rawQueries,
  type ScopedPool,
  withClient,
} from '../src/index.ts';
import { fixtureDatabase, partner } from './fixture.ts';

let fixture: Awaited<ReturnType<typeof fixtureDatabase>>;
let pool: ScopedPool;

const open = (url: string, poolSize: number) =>
  createScopedPool({ url, poolSize, logger: createLogger({ level: 'silent' }) });

beforeAll(async () => {
  fixture = await fixtureDatabase();
  pool = open(fixture.url, 1);
});
afterAll(async () => {
  await pool.close();
  await fixture.close();
});

const longestMs = 5_000;
const insert = (name: string) => ({
  text: 'INSERT INTO items (partner_id, name) VALUES (1, $1)',
  values: [name],
});
const names = async (partnerId = 1) =>
  pool.use(partner(partnerId), longestMs, async (connection) =>
    (await connection.query<{ name: string }>({ text: 'SELECT name FROM items ORDER BY name' })).rows.map(
      ({ name }) => name,
    ),
  );

test('what was sent without waiting is committed, in its order, and is of its scope', async () => {
  const seen = await pool.transaction(partner(1), longestMs, async (transaction) => {
    transaction.send(insert('first'));
    const db = rawQueries(transaction);
    const rows = await db.$queryRaw<{ name: string }[]>`SELECT name FROM items WHERE partner_id = ${1}`;
    transaction.send(insert('last'));
    return rows;
  });
  expect(seen).toEqual([{ name: 'first' }]);
  expect(await names()).toEqual(['first', 'last']);
  expect(await names(2)).toEqual([]);
});

test('where a statement fails that nobody waits for, then so does the transaction, and nothing of it stays', async () => {
  const broken = { text: 'SELECT 1 / $1::integer', values: [0] };
  const failing = pool.transaction(partner(1), longestMs, async (transaction) => {
    transaction.send(insert('lost'));
    transaction.send(broken);
  });
  await expect(failing).rejects.toThrow('division by zero');
  await expect(
    pool.transaction(partner(2), longestMs, async (transaction) => transaction.send(insert('foreign'))),
  ).rejects.toThrow('row-level security');
  expect(await names()).toEqual(['first', 'last']);
});

test('a connection keeps the plan of a statement that says so', async () => {
  const kept = await pool.transaction(partner(1), longestMs, async (transaction) => {
    const db = rawQueries(transaction);
    const asked = [1, 2].map(
      async (n) => db.$queryRaw<{ n: number }[]>`SELECT ${keptPlan} ${n}::integer AS n`,
    );
    expect((await Promise.all(asked)).flat()).toEqual([{ n: 1 }, { n: 2 }]);
    return db.$queryRaw<unknown[]>`SELECT FROM pg_prepared_statements WHERE statement LIKE '%kept plan%'`;
  });
  expect(kept).toHaveLength(1);
});

test('of the connections that many needed at once, two stay open', async () => {
  const many = open(fixture.url, 6);
  const pids = async () => {
    const used = Array.from({ length: 6 }, async () =>
      many.use(partner(1), longestMs, async (connection) => {
        const { rows } = await connection.query<{ pid: number }>({
          text: 'SELECT pg_backend_pid() AS pid FROM pg_sleep(0.05)',
        });
        return rows.map(({ pid }) => pid);
      }),
    );
    return (await Promise.all(used)).flat();
  };
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const first = await pids();
    expect(new Set(first).size).toBe(6);
    vi.advanceTimersByTime(9_000);
    expect(new Set(await pids())).toEqual(new Set(first));
    vi.advanceTimersByTime(11_000);
    expect((await pids()).filter((pid) => first.includes(pid))).toHaveLength(2);
  } finally {
    vi.useRealTimers();
    await many.close();
  }
});

test('a server that has all its connections is one that cannot be reached', async () => {
  const limited = await fixtureDatabase();
  const name = new URL(limited.url).pathname.slice(1);
  await withClient(limited.ownerUrl, async (owner) =>
    owner.query(`ALTER DATABASE ${name} CONNECTION LIMIT 0`),
  );
  const refused = open(limited.url, 1);
  await expect(
    refused.use(partner(1), longestMs, async (connection) => connection.query({ text: 'SELECT 1' })),
  ).rejects.toMatchObject({ code: 'E50301' });
  await expect(limited.database.read(partner(1), async (tx) => tx.item.count())).rejects.toMatchObject({
    code: 'E50301',
  });
  await refused.close();
  await limited.close();
});

describe('When rows are asked for in binary form', () => {
  const asked = async (
    text: string,
    values: readonly unknown[],
    onRow: (row: BinaryRow) => void,
    partnerId = 1,
  ) => {
    await pool.use(partner(partnerId), longestMs, async (connection) =>
      connection.queryBinary({ text, values }, onRow),
    );
  };

  test('then their fields are read one after the other', async () => {
    const rows: unknown[] = [];
    const read = (row: BinaryRow) =>
      rows.push([row.bytes()?.toString(), row.integer(), row.bytes()?.toString(), new Date(row.time())]);
    await asked(
      `SELECT * FROM (VALUES ('日本', -7, NULL::text, timestamptz '2026-01-02 03:04:05.678Z'),
        ('', 2147483647, 'last', timestamptz '1955-05-05 05:05:05.001Z')) AS rows`,
      [],
      read,
    );
    expect(rows).toEqual([
      ['日本', -7, undefined, new Date('2026-01-02T03:04:05.678Z')],
      ['', 2_147_483_647, 'last', new Date('1955-05-05T05:05:05.001Z')],
    ]);
  });

  test('then values are what they are, whatever stands in them', async () => {
    const values = ["it's", String.raw`\'; SELECT 1 --`, '$1 $2', '"日本"\n'];
    const rows: unknown[] = [];
    await asked(
      'SELECT value FROM unnest($1::text[]) AS value WHERE value <> $2 OR length(value) > $3 UNION ALL SELECT $2',
      [values, "it's", 3],
      (row) => rows.push(row.bytes()?.toString()),
    );
    expect(rows).toEqual([...values, "it's"]);
    await asked('SELECT unnest($1::text[])', [[]], () => rows.push('none'));
    expect(rows).toHaveLength(values.length + 1);
    await expect(asked('SELECT $1', [0.5], () => undefined)).rejects.toThrow('No value of a COPY');
    await expect(asked('SELECT $2', [1], () => undefined)).rejects.toThrow('No value of a COPY');
  });

  test('then each scope sees its own', async () => {
    const found = async (partnerId: number) => {
      const rows: unknown[] = [];
      const onRow = (row: BinaryRow) => rows.push(row.bytes()?.toString());
      await asked('SELECT name FROM items ORDER BY name', [], onRow, partnerId);
      return rows;
    };
    expect(await found(1)).toEqual(['first', 'last']);
    expect(await found(2)).toEqual([]);
  });

  test('then rows that are longer than what comes at once are whole', async () => {
    const lengths: unknown[] = [];
    await asked(`SELECT repeat('x', n * 50000) FROM generate_series(0, 20) AS n`, [], (row) => {
      const text = row.bytes()?.toString() ?? '';
      lengths.push(text === 'x'.repeat(text.length) ? text.length : 'other bytes');
    });
    expect(lengths).toEqual(Array.from({ length: 21 }, (_, n) => n * 50_000));
  });

  test('then a failure is told, of the statement and of whoever reads, and the connection goes on', async () => {
    const rows: unknown[] = [];
    await expect(
      asked('SELECT 1 / (3 - n) FROM generate_series(1, 9) AS n', [], (row) => rows.push(row.integer())),
    ).rejects.toThrow('division by zero');
    expect(rows).toEqual([0, 1]);
    let calls = 0;
    await expect(
      asked('SELECT n FROM generate_series(1, 9) AS n', [], () => {
        calls += 1;
        throw new Error('Nobody reads that');
      }),
    ).rejects.toThrow('Nobody reads that');
    expect(calls).toBe(1);
    expect(await names()).toEqual(['first', 'last']);
  });
});
