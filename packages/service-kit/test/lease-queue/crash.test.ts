import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { withClient } from '@portal/database';
import { type TestDatabase, testDatabase } from '@portal/testing';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { leaseQueue, systemScope } from '../../src/index.ts';
import { directories, storeOn } from './store.ts';

const script = fileURLToPath(new URL('worker-process.ts', import.meta.url));
const queue = leaseQueue<{ n: number }>('notes', { oneOfEachTenant: true });
const count = 40;
let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase({ service: 'queue', directories });
  await asOwner('CREATE TABLE note (id text, step text)');
});
afterAll(async () => database?.drop());
beforeEach(async () => {
  await asOwner('TRUNCATE note');
  const store = storeOn(database.url);
  await store.write(systemScope('test'), ({ db }) =>
    queue.add(
      db,
      Array.from({ length: count }, (_, n) => ({ id: n, partnerId: n % 5, payload: { n } })),
      new Date(),
    ),
  );
  await store.end();
});

async function asOwner(text: string): Promise<Record<string, unknown>[]> {
  return withClient(`${database.ownerUrl}?options=-c%20app.scope%3Dsystem`, async (client) => {
    const { rows } = await client.query<Record<string, unknown>>(text);
    return rows;
  });
}

function start(point: string): { child: ChildProcess; ended: Promise<unknown[]> } {
  const child = spawn(process.execPath, [script, database.url, point], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  return { child, ended: once(child, 'exit') };
}

async function untilAllIsDone(): Promise<void> {
  const workers = [start('none'), start('none')];
  await vi.waitFor(async () => expect(await asOwner('SELECT 1 FROM messaging.task')).toEqual([]), {
    timeout: 20_000,
    interval: 50,
  });
  for (const { child } of workers) child.stdin?.end();
  expect(await Promise.all(workers.map(async ({ ended }) => ended))).toEqual([
    [0, null],
    [0, null],
  ]);
  const notes = await asOwner('SELECT id::integer AS id FROM note ORDER BY 1');
  expect(notes).toEqual(Array.from({ length: count }, (_, id) => ({ id })));
}

test.each([
  'after a transaction',
  'before the work',
  'before the end',
  'before the commit',
  'after the commit',
])(
  'when two workers are killed %s, then no task is lost and none is settled twice',
  async (point) => {
    const killed = [start(point), start(point)];
    expect(await Promise.all(killed.map(async ({ ended }) => ended))).toEqual([
      [null, 'SIGKILL'],
      [null, 'SIGKILL'],
    ]);
    await untilAllIsDone();
  },
  60_000,
);

test('when workers are killed at any moment, many times, then no task is lost and none is settled twice', async () => {
  for (const killAfterMs of [5, 15, 30, 50]) {
    const workers = [start('none'), start('none')];
    // So that the kill falls into the work and not into the start.
    await vi.waitFor(
      async () =>
        expect((await asOwner(`SELECT 1 FROM messaging.task WHERE attempts > 0`)).length).toBeGreaterThan(0),
      { timeout: 20_000, interval: 5 },
    );
    await sleep(killAfterMs);
    for (const { child } of workers) child.kill('SIGKILL');
    await Promise.all(workers.map(async ({ ended }) => ended));
  }
  await untilAllIsDone();
}, 90_000);
