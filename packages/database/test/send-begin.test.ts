import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendBegin } from '../src/send-begin.ts';
import { fixtureDatabase } from './fixture.ts';

let fixture: Awaited<ReturnType<typeof fixtureDatabase>>;
let client: pg.Client;
let begin = 'BEGIN';
let scope: string | undefined = 'mine';

const scoped = "SELECT set_config('app.scope', $1, true)";

beforeAll(async () => {
  fixture = await fixtureDatabase();
  client = new pg.Client({ connectionString: fixture.ownerUrl, pipeline: true });
  await client.connect();
  await client.query('CREATE TABLE notes (n integer PRIMARY KEY)');
  sendBegin(client, () => ({ begin, then: { text: scoped, values: [scope] } }));
});
afterAll(async () => {
  await client.end();
  await fixture.close();
});

const notes = async () => (await client.query('SELECT n FROM notes ORDER BY n')).rows.map(({ n }) => n);

test('what follows is in the transaction that was begun', async () => {
  await client.query({ text: 'BEGIN' });
  const { rows } = await client.query("SELECT current_setting('app.scope') AS scope, now() AS at");
  await client.query('INSERT INTO notes VALUES (1)');
  expect(rows).toEqual([{ scope: 'mine', at: (await client.query('SELECT now() AS at')).rows[0].at }]);
  await client.query('ROLLBACK');
  expect(await notes()).toEqual([]);
});

test('when BEGIN fails, then so does all up to the next one, a COMMIT as well', async () => {
  begin = 'BEGIN ISOLATION LEVEL none';
  await client.query({ text: 'BEGIN' });
  await expect(client.query('SELECT 1')).rejects.toThrow('syntax error');
  await expect(client.query('COMMIT')).rejects.toThrow('syntax error');

  begin = 'BEGIN';
  await client.query({ text: 'BEGIN' });
  await client.query('INSERT INTO notes VALUES (2)');
  await client.query('COMMIT');
  expect(await notes()).toEqual([2]);
});

test('when the statement behind BEGIN fails, then nothing is done until the next one', async () => {
  scope = 'a\0b';
  await client.query({ text: 'BEGIN' });
  await expect(client.query('INSERT INTO notes VALUES (3)')).rejects.toThrow('invalid byte sequence');
  await expect(client.query('COMMIT')).rejects.toThrow('invalid byte sequence');

  scope = 'mine';
  await client.query({ text: 'BEGIN' });
  expect(await notes()).toEqual([2]);
  await client.query('COMMIT');
});

test('when a statement fails, then the error is its own, and the connection stays usable', async () => {
  begin = 'BEGIN';
  await client.query({ text: 'BEGIN' });
  await expect(client.query('SELECT nothing')).rejects.toThrow('"nothing" does not exist');
  await client.query('ROLLBACK');
  expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
});
