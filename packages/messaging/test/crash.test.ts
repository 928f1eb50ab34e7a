import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Pool } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startPostgres } from './postgres.ts';

let postgres: ReturnType<typeof startPostgres>;
beforeAll(() => {
  postgres = startPostgres();
}, 60_000);
afterAll(() => postgres.stop());

interface Row {
  readonly subject: string;
  readonly n: number;
}

/** @returns what ended the process, and the changes that it said were written */
function run(
  producer: string,
  consumer: string,
  point: string,
  { killAfterMs, way = 'stored' }: { killAfterMs?: number; way?: string } = {},
) {
  const script = fileURLToPath(new URL('crash-process.ts', import.meta.url));
  const child = spawn(process.execPath, [script, producer, consumer, point, way], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    // The clock starts with the first write, so that the kill falls into the work and not into the start.
    if (output === '' && killAfterMs !== undefined) setTimeout(() => child.kill('SIGKILL'), killAfterMs);
    output += chunk.toString();
  });
  return new Promise<{ end: string | number | null; acknowledged: number[] }>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) =>
      resolve({
        end: signal ?? code,
        acknowledged: output.split('\n').slice(0, -1).map(Number),
      }),
    );
  });
}

async function createDatabases() {
  const [producer, consumer] = [await postgres.createDatabase(), await postgres.createDatabase()];
  await query(producer, 'CREATE TABLE change (id bigint GENERATED ALWAYS AS IDENTITY, subject text, n int)');
  await query(
    consumer,
    'CREATE TABLE effect (id bigint GENERATED ALWAYS AS IDENTITY, subject text, n int, event_id uuid UNIQUE)',
  );
  return { producer, consumer };
}

async function query(url: string, sql: string): Promise<Row[]> {
  const pool = new Pool({ connectionString: url, max: 1 });
  try {
    return (await pool.query<Row>(sql)).rows;
  } finally {
    await pool.end();
  }
}

async function expectEveryChangeOnceInOrder(
  producer: string,
  consumer: string,
  acknowledged: readonly number[],
) {
  const changes = await query(producer, 'SELECT subject, n FROM change ORDER BY id');
  const effects = await query(consumer, 'SELECT subject, n FROM effect ORDER BY id');
  expect(changes.map(({ n }) => n)).toEqual(expect.arrayContaining([...acknowledged]));
  expect(changes.length).toBeGreaterThanOrEqual(acknowledged.length);
  for (const [subject, ofSubject] of Map.groupBy(changes, (row) => row.subject)) {
    expect(effects.filter((row) => row.subject === subject)).toEqual(ofSubject);
  }
  expect(effects).toHaveLength(changes.length);
  expect(await query(producer, 'SELECT * FROM messaging.outbox')).toEqual([]);
}

test.each([
  ['between change and publish', 'stored'],
  ['between publish and inbox', 'stored'],
  ['between inbox and acknowledgement', 'stored'],
  ['between publish and mark', 'stored'],
  ['between effect and mark', 'stored'],
  ['after mark', 'stored'],
  ['between inbox and acknowledgement', 'handled as they come'],
  ['between effect and mark', 'handled as they come'],
])(
  'when the process is killed %s and events are %s, then none is lost and none takes effect twice',
  async (point, way) => {
    const { producer, consumer } = await createDatabases();

    const killed = await run(producer, consumer, point, { way });
    expect(killed.end).toBe('SIGKILL');
    expect((await run(producer, consumer, 'none', { way })).end).toBe(0);

    await expectEveryChangeOnceInOrder(producer, consumer, killed.acknowledged);
  },
  60_000,
);

test.each(['stored', 'handled as they come'])(
  'when the process is killed at any moment, many times, and events are %s, then none is lost and none takes effect twice',
  async (way) => {
    const { producer, consumer } = await createDatabases();
    const acknowledged: number[] = [];

    for (const killAfterMs of [5, 20, 35, 60, 90]) {
      const killed = await run(producer, consumer, 'writes only', { killAfterMs, way });
      expect(killed.end).toBe('SIGKILL');
      acknowledged.push(...killed.acknowledged);
    }
    expect((await run(producer, consumer, 'none', { way })).end).toBe(0);

    expect(acknowledged.length).toBeGreaterThan(5);
    await expectEveryChangeOnceInOrder(producer, consumer, acknowledged);
  },
  120_000,
);
