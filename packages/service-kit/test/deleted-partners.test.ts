import { fileURLToPath } from 'node:url';
import { manualClock } from '@portal/kernel';
import { messagingMigrations, type SqlExecutor } from '@portal/messaging';
import { type TestDatabase, testDatabase } from '@portal/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { partnerDeletionJob } from '../src/copies/deleted-partners.ts';
import { systemScope } from '../src/scopes.ts';
import type { Store } from '../src/store.ts';

const hour = 3_600_000;
const clock = manualClock(new Date('2026-11-21T09:00:00Z'));
let database: TestDatabase;
let pool: pg.Pool;
let writes = 0;
/** Called before each transaction that writes. */
let onWrite = () => {};

beforeAll(async () => {
  const kitMigrations = fileURLToPath(new URL('../migrations', import.meta.url));
  database = await testDatabase({ service: 'kit', directories: [messagingMigrations, kitMigrations] });
  pool = new pg.Pool({ connectionString: database.ownerUrl, max: 2, options: '-c app.scope=system' });
  await pool.query(`
    CREATE TABLE boards (id integer PRIMARY KEY, partner_id integer NOT NULL);
    CREATE TABLE notes (board_id integer REFERENCES boards, partner_id integer NOT NULL);
    INSERT INTO boards SELECT n, 1 FROM generate_series(1, 2500) n;
    INSERT INTO boards VALUES (9000, 2);
    INSERT INTO notes SELECT n, 1 FROM generate_series(1, 2500) n;
    INSERT INTO notes VALUES (9000, 2);
    INSERT INTO messaging.deleted_partner (partner_id, deleted_at, due_at)
    VALUES (1, '2026-11-21T09:00:00Z', '2026-11-21T09:00:00Z')`);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const executor: SqlExecutor = {
  $executeRawUnsafe: async (text, ...params) => (await pool.query(text, params)).rowCount ?? 0,
  $queryRawUnsafe: async <T>(text: string, ...params: unknown[]) =>
    (await pool.query(text, params)).rows as T,
};
const store: Store<SqlExecutor> = {
  read: async (_, work) => work(executor),
  async write(_, work) {
    writes += 1;
    onWrite();
    return work({
      db: executor,
      outbox: { append: () => '', appendRows: async () => {}, flush: async () => {} },
    });
  },
};
const job = partnerDeletionJob({ clock, store }, { deleted: ['notes', 'boards'] });
const run = async (stopping = new AbortController().signal) =>
  job.run({ scope: systemScope('a test'), startedAt: clock.now(), stopping });
const count = async (table: string) =>
  (
    await pool.query<{ partner: number; rows: number }>(
      `SELECT partner_id AS partner, count(*)::integer AS rows FROM ${table} GROUP BY 1 ORDER BY 1`,
    )
  ).rows;
const dueAt = async () =>
  (await pool.query<{ due_at: Date | null }>('SELECT due_at FROM messaging.deleted_partner')).rows[0]?.due_at;

it('Rows of a deleted partner are deleted in bounded transactions; a run that is stopped leaves the rest to the next', async () => {
  const stopped = new AbortController();
  onWrite = () => {
    if (writes === 1) stopped.abort();
  };
  await run(stopped.signal);
  expect([await count('notes'), await count('boards')]).toEqual([
    [
      { partner: 1, rows: 1500 },
      { partner: 2, rows: 1 },
    ],
    [
      { partner: 1, rows: 2500 },
      { partner: 2, rows: 1 },
    ],
  ]);
  expect(await dueAt()).toEqual(clock.now());

  await run();
  expect([await count('notes'), await count('boards')]).toEqual([
    [{ partner: 2, rows: 1 }],
    [{ partner: 2, rows: 1 }],
  ]);
});

it('Rows that a late event adds are deleted within an hour, for as long as events may be late', async () => {
  await pool.query('INSERT INTO boards VALUES (1, 1)');
  await run();
  expect(await count('boards')).toHaveLength(2);
  clock.advance(hour);
  await run();
  expect(await count('boards')).toEqual([{ partner: 2, rows: 1 }]);

  clock.advance(9 * 24 * hour);
  await run();
  expect(await dueAt()).toBeNull();
});

it('A copy forgets the things of a deleted partner, and remembers that the partner is deleted', async () => {
  await pool.query(`
    UPDATE messaging.deleted_partner SET due_at = deleted_at;
    INSERT INTO messaging.copy (name, id, partner_id, revision, deleted_at)
    VALUES ('keep-partners', 1, 1, 3, now()), ('keep-groups', 1, 1, 1, NULL), ('keep-groups', 2, 2, 1, NULL)`);
  await run();
  const { rows } = await pool.query<{ name: string; id: number }>(
    'SELECT name, id FROM messaging.copy ORDER BY id',
  );
  expect(rows).toEqual([
    { name: 'keep-partners', id: 1 },
    { name: 'keep-groups', id: 2 },
  ]);
});

it('Rows that cannot be deleted do not delay other partners, and are tried again', async () => {
  await pool.query(`
    DELETE FROM messaging.deleted_partner;
    DELETE FROM notes;
    DELETE FROM boards;
    INSERT INTO boards VALUES (1, 1), (9000, 2);
    INSERT INTO notes VALUES (1, 2);
    INSERT INTO messaging.deleted_partner (partner_id, deleted_at, due_at)
    SELECT id, '${clock.now().toISOString()}', '${clock.now().toISOString()}' FROM generate_series(1, 2) id`);
  const boards = partnerDeletionJob({ clock, store }, { deleted: ['boards'] });
  const turn = async () =>
    boards.run({
      scope: systemScope('a test'),
      startedAt: new Date(),
      stopping: new AbortController().signal,
    });

  // A note of the second partner refers to the board of the first.
  await expect(turn()).rejects.toThrow('Rows of deleted partners are left');
  expect(await count('boards')).toEqual([{ partner: 1, rows: 1 }]);

  await pool.query('DELETE FROM notes');
  await turn();
  expect(await count('boards')).toHaveLength(1);
  clock.advance(hour / 6);
  await turn();
  expect(await count('boards')).toEqual([]);
});
