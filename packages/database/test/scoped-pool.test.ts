import { createLogger } from '@portal/kernel';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createScopedPool, keptPlan, rawQueries, type ScopedPool } from '../src/index.ts';
import { fixtureDatabase, partner } from './fixture.ts';

let fixture: Awaited<ReturnType<typeof fixtureDatabase>>;
let pool: ScopedPool;

beforeAll(async () => {
  fixture = await fixtureDatabase();
  pool = createScopedPool({ url: fixture.url, poolSize: 1, logger: createLogger({ level: 'silent' }) });
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
