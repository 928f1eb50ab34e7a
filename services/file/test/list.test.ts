import { fileRoutes, formatDateTime, tenantEvents } from '@portal/contracts';
import { enterScope } from '@portal/database';
import { partnerActor } from '@portal/testing';
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { admin, type FileHarness, startFileHarness, stranger } from './file-harness.ts';

let harness: FileHarness;
const start = Date.parse('2026-11-01T00:00:00Z');
const hour = 3_600_000;
const count = 60;

interface Model {
  id: number;
  name: string;
  note: string;
  fileName: string;
  createdAt: number;
  updatedAt: number;
  deliverReservationAt: number | null;
  updateReservationAt: number | null;
}

let files: Model[] = [];

/** Files as the use cases write them, by the thousand. */
async function insertFiles(partnerId: number, amount: number): Promise<void> {
  await harness.sql(
    `INSERT INTO files (partner_id, name, note, file_name, name_folded, note_folded, live_file_name, is_uap, version,
        current_version_id, completed_at, deliver_reservation_at, update_reservation_at, changed_in, created_at, updated_at)
      SELECT $1, name, note, file_name, lower(name), lower(note), lower(file_name), true, 1, nextval('versions_id_seq'), at,
        CASE WHEN i % 3 = 0 THEN at + interval '5 hours' END, CASE WHEN i % 4 = 0 THEN at + interval '9 hours' END,
        1, at, at + (i * 7 % 50) * interval '1 hour'
      FROM (SELECT i, (ARRAY['Tour', 'tour de', 'Handbook 100%', '営業ツアー', 'A_b'])[1 + i % 5] || ' ' || i % 11 AS name,
          (ARRAY['', 'Note', 'ノート'])[1 + i % 3] AS note, 'File' || i || '.uap' AS file_name,
          $3::timestamptz + (i * 13 % 40) * interval '1 hour' AS at
        FROM generate_series(1, $2::integer) i) made`,
    partnerId,
    amount,
    new Date(start),
  );
  await harness.sql(
    `INSERT INTO versions (id, partner_id, file_id, upload_id, slot, status, unattended, size, object_key, incoming_key, sha256,
        opened_at, urls_expire_at)
      SELECT current_version_id, partner_id, id, gen_random_uuid(), 'current', 'complete', false, 10, 'a/' || id, 'b/' || id, 'c',
        created_at, created_at FROM files WHERE partner_id = $1`,
    partnerId,
  );
  await harness.sql(
    `INSERT INTO assignments (partner_id, file_id, group_id, added_in, announced)
      SELECT partner_id, id, 0, 1, true FROM files WHERE partner_id = $1 AND id % 10 = 0`,
    partnerId,
  );
}

beforeAll(async () => {
  harness = await startFileHarness();
  await harness.partner(1);
  await insertFiles(1, count);
  await insertFiles(2, 5);
  files = (
    await harness.sql<Omit<Model, 'createdAt'> & { created: Date }>(
      `SELECT id, name, note, file_name AS "fileName",
        extract(epoch FROM created_at)::float8 * 1000 AS "createdAt", extract(epoch FROM updated_at)::float8 * 1000 AS "updatedAt",
        extract(epoch FROM deliver_reservation_at)::float8 * 1000 AS "deliverReservationAt",
        extract(epoch FROM update_reservation_at)::float8 * 1000 AS "updateReservationAt"
      FROM files WHERE partner_id = 1`,
    )
  ).map((row) => ({ createdAt: 0, ...row }));
});
afterAll(async () => harness.stop());

const times = ['createdAt', 'updatedAt', 'deliverReservationAt', 'updateReservationAt'] as const;
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
const time = optional(fc.integer({ min: 0, max: 60 }).map((hours) => start + hours * hour));
const someQuery = fc.record({
  page: fc.integer({ min: 1, max: 8 }),
  perPage: fc.integer({ min: 1, max: 20 }),
  orderKey: fc.constantFrom('id', 'name', 'fileName', ...times),
  order: fc.constantFrom('asc', 'desc'),
  name: optional(fc.constantFrom('tour', 'TOUR', '%', '_', 'ツアー', 'nothing', '1', "o'r", '\\')),
  note: optional(fc.constantFrom('NOTE', 'ノー')),
  ranges: fc.record({
    createdAt: fc.tuple(time, time),
    updatedAt: fc.tuple(time, time),
    deliverReservationAt: fc.tuple(time, time),
    updateReservationAt: fc.tuple(time, time),
  }),
});

type Query = typeof someQuery extends fc.Arbitrary<infer Q> ? Q : never;

function expected({ name, note, order, orderKey, ranges }: Query): number[] {
  const holds = (text: string, part: string | undefined) =>
    part === undefined || text.toLowerCase().includes(part.toLowerCase());
  const within = (value: number | null, [from, to]: (number | undefined)[]) =>
    (from === undefined || (value !== null && value >= from)) &&
    (to === undefined || (value !== null && value <= to));
  const direction = order === 'asc' ? 1 : -1;
  const compare = (a: string | number, b: string | number) => (a < b ? -1 : a > b ? 1 : 0);
  return files
    .filter((file) => holds(file.name, name) && holds(file.note, note))
    .filter((file) => times.every((key) => within(file[key], ranges[key])))
    .sort((a, b) => {
      const [x, y] = [a[orderKey], b[orderKey]];
      if (x === null || y === null) return x === y ? direction * (a.id - b.id) : x === null ? 1 : -1;
      return direction * (compare(x, y) || a.id - b.id);
    })
    .map(({ id }) => id);
}

function wire({ ranges, ...query }: Query): Record<string, string> {
  const entries: [string, string | number | undefined][] = Object.entries(query);
  for (const key of times) {
    const [from, to] = ranges[key];
    entries.push([`${key}Start`, from === undefined ? undefined : formatDateTime(new Date(from))]);
    entries.push([`${key}End`, to === undefined ? undefined : formatDateTime(new Date(to))]);
  }
  return Object.fromEntries(
    entries.flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]])),
  );
}

describe('When files are listed', () => {
  it('then any page, filter and order is what a plain filter in memory gives', async () => {
    await fc.assert(
      fc.asyncProperty(someQuery, async (query) => {
        const { body, status } = await harness.call(
          fileRoutes.listFiles,
          { params: { pid: 1 }, query: wire(query) },
          admin,
        );
        expect(status).toBe(200);
        const ids = expected(query);
        const { page, perPage } = query;
        expect(body).toMatchObject({
          currentPage: page,
          totalCount: ids.length,
          totalPage: Math.ceil(ids.length / perPage),
        });
        expect(body.files.map(({ id }) => id)).toEqual(ids.slice((page - 1) * perPage, page * perPage));
        const all = await harness.call(
          fileRoutes.listFiles,
          { params: { pid: 1 }, query: { ...wire(query), all: 'true', includeIconUrl: 'true' } },
          admin,
        );
        expect(all.body.files.map(({ id }) => id)).toEqual(ids);
      }),
      { numRuns: 150 },
    );
  });

  it.each([
    ['order_key=secret', 'order_key'],
    ['order=up', 'order'],
    ['page=0', 'page'],
    ['per_page=101', 'per_page'],
    ['created_at_start=yesterday', 'created_at_start'],
    ['created_at_start=0000-01-01T00:00:00Z', 'created_at_start'],
    ['name=%00', 'name'],
  ])('then %s is refused', async (query, field) => {
    const refused = await harness.raw({
      method: 'GET',
      url: `/v1/partner/partners/1/files?${query}`,
      actor: admin,
    });
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({ code: 'E40002', errors: [{ field }] });
  });

  it('then another tenant sees its own alone', async () => {
    const { body } = await harness.call(fileRoutes.listFiles, { params: { pid: 2 } }, stranger);
    expect(body.files).toHaveLength(5);
    const foreign = await harness.refused(fileRoutes.listFiles, { params: { pid: 1 } }, stranger);
    expect([foreign.status, foreign.body.code]).toEqual([404, 'E40402']);
  });
});

describe('When the checks in code are off', () => {
  it('then row-level security alone refuses rows of another tenant', async () => {
    const client = new pg.Client({ connectionString: harness.databaseUrl });
    await client.connect();
    try {
      const tables = ['partners', 'groups', 'memberships', 'files', 'versions', 'assignments', 'removals'];
      for (const table of tables) {
        const unscoped = await client.query(`SELECT FROM ${table}`);
        expect(unscoped.rowCount).toBe(0);
      }
      await client.query('BEGIN');
      await enterScope(client, harness.databaseUrl, { kind: 'partner', partnerId: 2 });
      expect((await client.query('SELECT FROM files')).rowCount).toBe(5);
      expect((await client.query('UPDATE files SET name = $1 WHERE partner_id = 1', ['x'])).rowCount).toBe(0);
      expect((await client.query('DELETE FROM versions WHERE partner_id = 1')).rowCount).toBe(0);
      await expect(
        client.query('INSERT INTO groups (group_id, partner_id, name) VALUES (1, 1, $1)', ['x']),
      ).rejects.toThrow('row-level security');
    } finally {
      await client.end();
    }
  });
});

describe('When files come and go', () => {
  it('then the total is how many there are, and the tally of a deleted partner goes with it', async () => {
    const partnerId = 3;
    const owner = partnerActor({ partnerId, accountId: 30 });
    await harness.partner(partnerId);
    const total = async () => {
      const { body } = await harness.call(fileRoutes.listFiles, { params: { pid: partnerId } }, owner);
      return 'totalCount' in body ? body.totalCount : undefined;
    };
    expect(await total()).toBe(0);
    const ids = await Promise.all(
      Array.from({ length: 12 }, (_, at) => harness.upload({ fileName: `Counted${at}.uap` }, owner)),
    );
    expect(await total()).toBe(12);
    await Promise.all(
      ids
        .slice(0, 5)
        .map((id) => harness.call(fileRoutes.deleteFile, { params: { pid: partnerId, id } }, owner)),
    );
    expect(await total()).toBe(7);
    const refused = await harness.refused(
      fileRoutes.deleteFile,
      { params: { pid: partnerId, id: ids[0] ?? 0 } },
      owner,
    );
    expect([refused.status, await total()]).toEqual([404, 7]);
    expect(
      await harness.sql(
        `SELECT partner_id FROM (
           SELECT partner_id, count(*) FILTER (WHERE NOT deleted) AS files FROM files GROUP BY partner_id) counted
         FULL JOIN (SELECT partner_id, sum(files) AS files FROM file_tallies GROUP BY partner_id) tallied USING (partner_id)
         WHERE counted.files IS DISTINCT FROM tallied.files`,
      ),
    ).toEqual([]);

    await harness.deliver(tenantEvents.partnerDeleted, {
      subject: partnerId,
      partnerId,
      data: { partnerId },
    });
    await vi.waitFor(
      async () =>
        expect(
          await harness.sql(
            `SELECT partner_id FROM files WHERE partner_id = $1 UNION ALL SELECT partner_id FROM file_tallies WHERE partner_id = $1`,
            partnerId,
          ),
        ).toEqual([]),
      { timeout: 15_000 },
    );
  });
});
