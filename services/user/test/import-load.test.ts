import { monitorEventLoopDelay } from 'node:perf_hooks';
import { limits, userRoutes } from '@portal/contracts';
import { enterScope, withClient } from '@portal/database';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { csv, header, importsOf } from './import-harness.ts';
import { password, startUserHarness, type UserHarness } from './user-harness.ts';

let harness: UserHarness;
beforeAll(async () => {
  harness = await startUserHarness();
});
afterAll(async () => harness.stop());

const megabyte = 1024 ** 2;
/** A file whose lines are all made of one. */
const fileOf = (line: string, size: number) => `${header}\n${line.repeat(Math.ceil(size / line.length))}`;
const rows = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index));
const tooMany = { status: 'complete', errorCount: limits.importLinesKept, moreErrors: true, createCount: 0 };
const unreadable = { status: 'failed', errorCount: 0 };

/** The longest time in milliseconds that another request had to wait while the work went on. */
async function longestWait(work: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  await work();
  delay.disable();
  return delay.max / 1e6;
}

describe('When a file is imported, then nobody else waits', () => {
  it.each<[string, () => string | Buffer, object]>([
    ['of one column', () => fileOf('x\n', megabyte), tooMany],
    [
      'under a header of one column',
      () => ['h', ...rows(5_000, (n) => `Name,u${n}@a.bc,,,,,0`)].join('\n'),
      { createCount: 5_000 },
    ],
    ['of quotes', () => fileOf('"', megabyte + 1), unreadable],
    ['of empty quotes', () => fileOf('"",\n', megabyte), tooMany],
    ['with a quote that is not closed', () => fileOf('"a\n', megabyte), unreadable],
    ['of one endless line', () => fileOf('x', 4 * megabyte), unreadable],
    ['of empty lines', () => fileOf('\n', 4 * megabyte), unreadable],
    ['of commas', () => fileOf(`${','.repeat(500_000)}\n`, 2 * megabyte), unreadable],
    [
      'of lines of 500 KiB',
      () => fileOf(`"${'x'.repeat(500 * 1024)}",,x,,"{}",,0\n`, 4 * megabyte),
      { moreErrors: false },
    ],
    [
      'of group ids',
      () => fileOf(`a,,x,,,"${'1,'.repeat(200_000)}1",0\n`, 4 * megabyte),
      { moreErrors: false },
    ],
    [
      'in Shift-JIS',
      () =>
        Buffer.concat([Buffer.from(`${header}\n`), Buffer.alloc(megabyte, Buffer.from([0xe0, 0xe0, 0x0a]))]),
      tooMany,
    ],
    ['of one user', () => fileOf('Name,a@example.com,,,,,0\n', megabyte / 2), tooMany],
    [
      'of valid rows',
      () => csv(...rows(5_000, (n) => `Name,u${n}@example.com,,,"{""a"":1}",,0`)),
      { createCount: 5_000 },
    ],
  ])('%s', async (_, content, expected) => {
    const imports = importsOf(harness, await harness.partner());
    const file = content();
    let done: object = {};
    const waited = await longestWait(async () => {
      done = await imports.run(file);
    });
    expect(done).toMatchObject(expected);
    // It is less than a hundred; a machine that does much else at once takes longer.
    expect(waited).toBeLessThan(1_000);
  });
});

describe('When very many users change at once', () => {
  it('then they take no longer on a connection that has changed one user before', async () => {
    const { pid } = await harness.partner();
    await withClient(harness.databaseUrl, async (client) => {
      await enterScope(client, harness.databaseUrl, { kind: 'partner', partnerId: pid });
      const change = `UPDATE accounts SET setup_mail_sent_at = now() WHERE partner_id = $1 AND is_user AND id `;
      await client.query(
        `INSERT INTO accounts (partner_id, name, name_key, email, email_key, role, is_user,
           max_device_count_limited_flag, max_device_count, created_at, updated_at)
         SELECT $1, address, address, address, address, 0, true, false, 0, now(), now()
         FROM (SELECT 'many-' || i || '@example.com' AS address FROM generate_series(1, 10000) i) made`,
        [pid],
      );
      await client.query(`${change} = (SELECT max(id) FROM accounts WHERE partner_id = $1)`, [pid]);
      // Each compared with every other takes a minute.
      await client.query(`SET statement_timeout = '15s'`);
      const { rowCount } = await client.query(`${change} > 0`, [pid]);
      expect(rowCount).toBeGreaterThanOrEqual(10_000);
    });
  });
});

describe('When very many lines are wrong', () => {
  it('then the first are kept and told, and that there are more', async () => {
    const partner = await harness.partner();
    const imports = importsOf(harness, partner);
    const { id, ...done } = await imports.run(fileOf('x\n', megabyte));
    expect(done).toMatchObject(tooMany);
    expect(done.lineErrors).toHaveLength(limits.importLinesShown);
    const request = { params: { pid: partner.pid }, query: { batchProcessId: id } };
    const { body } = await harness.call(userRoutes.exportUserImportErrors, request, partner.actor);
    expect(body.trimEnd().split('\r\n').at(-1)).toMatch(`${limits.importLinesKept + 1},csv,`);
    expect(await harness.sql('SELECT 1 FROM import_errors WHERE import_id = $1', id)).toHaveLength(
      limits.importLinesKept,
    );
  });

  it('then it takes no longer where the database has seen few of them', async () => {
    const imports = importsOf(harness, await harness.partner());
    await imports.run(csv('One,,,,,,0'));
    await harness.sql('DELETE FROM import_errors WHERE line > 2; ANALYZE import_errors');
    // A plan for a few looks at each of them for each of them, and is broken off after 30 s.
    expect(await imports.run(fileOf('x\n', 4 * megabyte))).toMatchObject(tooMany);
  });

  it('then not more than ten unknown groups are named of a line', async () => {
    const imports = importsOf(harness, await harness.partner());
    const { lineErrors } = await imports.run(
      csv(`A,a@example.com,,,,"${rows(1_000, (n) => String(n + 1)).join()}",0`),
    );
    expect(lineErrors.map(({ message }) => message.slice(message.lastIndexOf(': ') + 2))).toEqual([
      '1, 2, 3, 4, 5, 6, 7, 8, 9, 10',
    ]);
  });
});

describe('When companies import at the same time', () => {
  const withPasswords = (count: number, json: string) =>
    csv(...rows(count, (n) => `Name,,user${n},${password},"${json}",,0`));

  it('then a small file waits neither for large ones nor for one with many passwords', async () => {
    const begun = await Promise.all(
      [
        withPasswords(2_000, `""${'x'.repeat(800)}""`),
        withPasswords(2_000, `""${'x'.repeat(800)}""`),
        withPasswords(3_000, '{}'),
      ].map(async (file) => {
        const imports = importsOf(harness, await harness.partner());
        const id = await imports.open();
        await imports.arrive(id, file);
        return async () => imports.status(id);
      }),
    );
    await vi.waitFor(
      async () =>
        expect(
          (await Promise.all(begun.map(async (status) => status()))).some(({ phase }) => phase === 'hashing'),
        ).toBe(true),
      { timeout: 20_000, interval: 100 },
    );
    const small = await importsOf(harness, await harness.partner()).run(csv(`A,,a,${password},,,0`));
    expect(small).toMatchObject({ status: 'complete', createCount: 1 });
    for (const status of begun) expect(await status()).toMatchObject({ status: 'processing' });
    // Each of them has its turns, and none loses what it has done.
    const turns = new Map<string, Set<string>>();
    await vi.waitFor(
      async () => {
        const held = await harness.sql<{ id: string; lease: string; attempts: number }>(
          `SELECT task.id, lease, attempts FROM messaging.task
           JOIN user_imports ON user_imports.id::text = task.id AND phase = 'hashing' WHERE lease IS NOT NULL`,
        );
        for (const { attempts, id, lease } of held) {
          expect(attempts).toBe(1);
          turns.set(id, (turns.get(id) ?? new Set()).add(lease));
        }
        expect([...turns.values()].filter((leases) => leases.size > 1).length).toBeGreaterThan(1);
      },
      { timeout: 30_000, interval: 200 },
    );
  }, 60_000);
});

describe('When a company imports again and again', () => {
  it('then of imports that are over the last ones are known, and no file of them stays', async () => {
    const { pid, ...partner } = await harness.partner();
    const imports = importsOf(harness, { pid, ...partner });
    const checked = await imports.open(true);
    const wasChecked = await imports.arrive(checked, csv('A,a@example.com,,,,,0'));
    await imports.settled(checked);
    const replaced = await imports.open();
    const ids: number[] = [];
    for (let round = 0; round < limits.importsKept + 5; round += 1) ids.push(await imports.open());
    const cameLate = await imports.arrive(ids.at(-2) ?? 0, csv('A,a@example.com,,,,,0'));
    await imports.arrive(ids.at(-1) ?? 0, fileOf('x\n', 1_000));
    await imports.settled(ids.at(-1) ?? 0);

    const known = await harness.sql<{ id: number }>(
      'SELECT id FROM user_imports WHERE partner_id = $1 ORDER BY id',
      pid,
    );
    expect(known.map(({ id }) => id)).toEqual([
      ...(known.some(({ id }) => id === checked) ? [checked] : []),
      ...ids.slice(-limits.importsKept - 1),
    ]);
    expect(ids).not.toContain(replaced);
    for (const key of [wasChecked, cameLate]) {
      await vi.waitFor(async () => expect(await harness.storage.get(key)).toBeUndefined(), {
        timeout: 10_000,
      });
    }
    expect(await harness.sql('SELECT 1 FROM import_rows WHERE partner_id = $1', pid)).toEqual([]);
  });
});
