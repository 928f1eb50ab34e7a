import { buffer } from 'node:stream/consumers';
import { batchEvents, userRoutes } from '@portal/contracts';
import { parse } from 'csv-parse/sync';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { startUserHarness, type TestPartner, type UserHarness } from './user-harness.ts';

let harness: UserHarness;
let batches = 0;

beforeAll(async () => {
  harness = await startUserHarness();
});
afterAll(async () => harness.stop());
afterEach(() => vi.restoreAllMocks());

const requestOf = (batchId: number, options: Partial<batchEvents.CsvRequest> = {}) => ({
  ...batchEvents.csvRequested.example,
  kind: 'users' as const,
  language: 'ja' as const,
  batchId,
  objectKey: `exports/${batchId}`,
  ...options,
});

async function request(partnerId: number, options: Partial<batchEvents.CsvRequest> = {}): Promise<number> {
  const batchId = options.batchId ?? ++batches;
  await harness.deliver(batchEvents.csvRequested, {
    subject: batchId,
    partnerId,
    data: requestOf(batchId, options),
  });
  return batchId;
}

const told = async (type: string, batchId: number) =>
  (await harness.events(type)).filter(({ subject }) => subject === String(batchId));

async function completed(batchId: number, times = 1): Promise<void> {
  await vi.waitFor(
    harness.afterJobs(async () => expect(await told('csv.completed', batchId)).toHaveLength(times)),
    { timeout: 20_000, interval: 100 },
  );
}

async function fileOf(batchId: number): Promise<string> {
  const content = await harness.storage.get(`exports/${batchId}`);
  if (!content || content === 'not-modified') throw new Error('No file');
  return (await buffer(content.body)).toString();
}

async function exported(
  partner: TestPartner,
  options: Partial<batchEvents.CsvRequest> = {},
): Promise<string> {
  const batchId = await request(partner.pid, options);
  await completed(batchId);
  return fileOf(batchId);
}

describe('users.csv', () => {
  test('begins with the columns of an import, then tells what else is known, in the zone asked for', async () => {
    const partner = await harness.partner();
    const sales = await partner.group('Sales');
    const field = await partner.group('Field');
    const taro = await partner.user({
      name: '=HYPERLINK("x")',
      loginUserId: '-taro',
      json: '{"seat":\n"4, left"}',
      groupIds: [field, sales],
      role: 17,
    });
    const hanako = await partner.user({ name: '花子', email: 'hanako@example.com' });
    await harness.sql(
      `INSERT INTO devices (partner_id, uuid, account_id, name, os_type, os_version, player_version, created_at)
       VALUES ($1, 'b', $2, 'Second', '', '', '', '2026-01-02'), ($1, 'a', $2, '+First', '', '', '', '2026-01-01')`,
      partner.pid,
      taro,
    );
    await harness.sql(`UPDATE accounts SET last_login_at = '2026-07-01T12:00:00Z' WHERE id = $1`, taro);

    const csv = await exported(partner, { timeZone: 'America/New_York' });
    expect(csv.startsWith('\uFEFFname,email,login_user_id,password,json,group_ids,delete_flag,id,')).toBe(
      true,
    );
    const records: string[][] = parse(csv, { bom: true, record_delimiter: '\r\n' });
    expect(records).toEqual([
      [
        'name',
        'email',
        'login_user_id',
        'password',
        'json',
        'group_ids',
        'delete_flag',
        'id',
        'roles',
        'devices',
        'created_at',
        'last_login_at',
      ],
      [
        `'=HYPERLINK("x")`,
        '',
        `'-taro`,
        '',
        '{"seat":\n"4, left"}',
        `${sales},${field}`,
        '0',
        String(taro),
        'developer,push_api',
        `'+First,Second`,
        '2026-11-21 04:00:00',
        '2026-07-01 08:00:00',
      ],
      [
        '花子',
        'hanako@example.com',
        '',
        '',
        '',
        '',
        '0',
        String(hanako),
        'user',
        '',
        '2026-11-21 04:00:00',
        '',
      ],
    ]);
  });

  test('names all groups of a user, however many, and none that the user has left', async () => {
    const partner = await harness.partner();
    const groups: number[] = [];
    for (let index = 0; index < 30; index++) groups.push(await partner.group(`Group ${index}`));
    await partner.user({ name: 'All', loginUserId: 'all', groupIds: groups.toReversed() });
    const some = await partner.user({ name: 'Some', loginUserId: 'some', groupIds: groups.slice(0, 3) });
    await harness.sql('DELETE FROM memberships WHERE account_id = $1 AND group_id = $2', some, groups[1]);
    const records: Record<string, string>[] = parse(await exported(partner, { forImport: true }), {
      bom: true,
      columns: true,
    });
    expect(records.map(({ group_ids }) => group_ids)).toEqual([groups.join(), `${groups[0]},${groups[2]}`]);
  });

  test('for an import has its seven columns alone', async () => {
    const partner = await harness.partner();
    await partner.user({ name: 'Taro', loginUserId: 'taro' });
    expect(await exported(partner, { forImport: true })).toBe(
      '\uFEFFname,email,login_user_id,password,json,group_ids,delete_flag\r\nTaro,,taro,,,,0\r\n',
    );
  });

  test('times of an offset are those of that offset, not of its opposite', async () => {
    const partner = await harness.partner();
    await partner.user({ name: 'Taro', loginUserId: 'taro' });
    expect(await exported(partner, { timeZone: '+05:30' })).toContain('2026-11-21 14:30:00');
  });

  test('has nobody of another tenant, and no company admin who is no user', async () => {
    const partner = await harness.partner();
    const other = await harness.partner();
    await other.user({ name: 'Stranger', loginUserId: 'stranger' });
    await harness.sql('UPDATE accounts SET is_user = false WHERE partner_id = $1', other.pid);
    expect((await exported(partner)).split('\r\n')).toHaveLength(2);
    expect((await exported(other)).split('\r\n')).toHaveLength(2);
  });
});

test('Ids narrow users.csv to those of the tenant, together with the filters', async () => {
  const partner = await harness.partner();
  const stranger = await (await harness.partner()).user({ name: 'Taro', loginUserId: 'taro' });
  const taro = await partner.user({ name: 'Taro', loginUserId: 'taro' });
  const hanako = await partner.user({ name: 'Hanako', loginUserId: 'hanako' });
  await partner.user({ name: 'Jiro', loginUserId: 'jiro' });
  const idsOf = async (filter: Record<string, string>) => {
    const csv = await exported(partner, { filter });
    const records: string[][] = parse(csv, { bom: true, from_line: 2 });
    return records.map((record) => Number(record[7]));
  };
  expect(await idsOf({ ids: `${hanako},${taro},${stranger},99999999999999999999` })).toEqual([taro, hanako]);
  expect(await idsOf({ ids: `${hanako},${taro}`, q: 'hana' })).toEqual([hanako]);
  expect(await idsOf({ ids: String(stranger) })).toEqual([]);
});

describe('The writing of an export', () => {
  test('tells how far it is and how many rows it wrote', async () => {
    const partner = await harness.partner();
    await partner.user({ name: 'Taro', loginUserId: 'taro' });
    const batchId = await request(partner.pid);
    await completed(batchId);
    expect((await told('csv.progressed', batchId))[0]).toMatchObject({
      partnerid: partner.pid,
      data: { rowCount: 0, stage: 'processing' },
    });
    expect((await told('csv.completed', batchId))[0]).toMatchObject({
      data: { batchId, rowCount: 1, objectKey: `exports/${batchId}` },
    });
    expect(await harness.sql('SELECT 1 FROM messaging.task')).toEqual([]);
  });

  test('that is asked for again makes the same file again', async () => {
    const partner = await harness.partner();
    await partner.user({ name: 'Taro', loginUserId: 'taro' });
    const batchId = await request(partner.pid);
    await completed(batchId);
    const first = await fileOf(batchId);
    await request(partner.pid, { batchId });
    await completed(batchId, 2);
    expect(await fileOf(batchId)).toBe(first);
  });

  test('of others is left to them', async () => {
    await request(1, { kind: 'files' });
    expect(await harness.sql('SELECT 1 FROM messaging.task')).toEqual([]);
  });

  test('that a crash cut off begins anew when its lease is over, not before', async () => {
    const partner = await harness.partner();
    const batchId = ++batches;
    const { batchId: _, ...data } = requestOf(batchId);
    await harness.sql(
      `INSERT INTO messaging.task (queue, id, partner_id, payload, attempts, added_at, due_at, lease)
       VALUES ('write-exports', $1, $2, $3, 1, $4, $4, gen_random_uuid())`,
      String(batchId),
      partner.pid,
      JSON.stringify({ batchId, ...data }),
      new Date(harness.clock.now().getTime() + 20_000),
    );
    const leaseOf = async () =>
      harness.sql('SELECT lease FROM messaging.task WHERE id = $1', String(batchId));
    const left = await leaseOf();
    await harness.runJobs();
    expect(await leaseOf()).toEqual(left);
    expect(left).toEqual([{ lease: expect.any(String) }]);
    expect(await told('csv.progressed', batchId)).toEqual([]);
    harness.clock.advance(21_000);
    await completed(batchId);
    expect(await fileOf(batchId)).toContain('name,email');
  });

  test('goes on after a failure of the store', async () => {
    const partner = await harness.partner();
    vi.spyOn(harness.storage, 'put').mockRejectedValueOnce(new Error('The store is away'));
    const batchId = await request(partner.pid);
    await vi.waitFor(
      async () => {
        harness.clock.advance(1_000);
        await harness.runJobs();
        expect(await told('csv.completed', batchId)).toHaveLength(1);
      },
      { timeout: 20_000, interval: 300 },
    );
  });

  test('has failed after five tries in vain', async () => {
    const partner = await harness.partner();
    const put = vi.spyOn(harness.storage, 'put').mockRejectedValue(new Error('The store is away'));
    const batchId = await request(partner.pid);
    await vi.waitFor(
      async () => {
        harness.clock.advance(10_000);
        await harness.runJobs();
        expect(await told('csv.failed', batchId)).toHaveLength(1);
      },
      { timeout: 45_000, interval: 300 },
    );
    expect(put).toHaveBeenCalledTimes(5);
    expect((await told('csv.failed', batchId))[0]).toMatchObject({ data: { reason: 'error' } });
    expect(await told('csv.completed', batchId)).toEqual([]);
  });

  test('of one tenant leaves room for those of others', async () => {
    const [many, other] = [await harness.partner(), await harness.partner()];
    const put = harness.storage.put.bind(harness.storage);
    const free = Promise.withResolvers<void>();
    vi.spyOn(harness.storage, 'put').mockImplementation(async (key, body, options) => {
      if (slow.includes(key)) await free.promise;
      return put(key, body, options);
    });
    const ids = Array.from({ length: 3 }, () => ++batches);
    const slow = ids.map((id) => `exports/${id}`);
    for (const batchId of ids) await request(many.pid, { batchId });
    await completed(await request(other.pid));
    for (const batchId of ids) expect(await told('csv.completed', batchId)).toEqual([]);
    free.resolve();
    for (const batchId of ids) await completed(batchId);
  });

  test('ends when nobody wants it any more', async () => {
    const partner = await harness.partner();
    const put = vi.spyOn(harness.storage, 'put').mockReturnValue(new Promise(() => undefined));
    const batchId = await request(partner.pid);
    await vi.waitFor(() => expect(put).toHaveBeenCalled(), { timeout: 10_000 });
    await harness.deliver(batchEvents.csvFailed, {
      subject: batchId,
      partnerId: partner.pid,
      data: { batchId, reason: 'cancelled' },
    });
    const [[, body] = []] = put.mock.calls;
    await vi.waitFor(() => expect(body?.destroyed).toBe(true), { timeout: 10_000 });
    expect(await told('csv.completed', batchId)).toEqual([]);
    expect(await told('csv.failed', batchId)).toEqual([]);
  });
});

test('A list and its export agree on every filter', async () => {
  const partner = await harness.partner();
  const group = await partner.group('Sales');
  await partner.user({ name: "O'Hara %\\", email: 'a_b@example.com', groupIds: [group] });
  await partner.user({ name: 'o_hara', loginUserId: 'tanaka' });
  const last = await partner.user({ name: 'Tanaka' });
  await harness.signInWith(
    { uuid: `filters-${partner.pid}`, osType: 'ios', osVersion: '19' },
    { partnerId: partner.pid, accountId: last },
  );
  const asked = [
    ...["'", '%', '_', '\\', 'HARA', 'tana', String(last)].map((q) => ({ q })),
    ...[{ name: "o'h" }, { loginId: 'a_' }, { id: String(last) }, { group: String(group) }],
    ...[{ groupUnset: 'true' }, { groupUnset: 'false' }, { passwordState: 'none' }, { passwordState: 'set' }],
    ...[{ osType: 'ios', osVersion: '19' }, { createdAtEnd: '2026-11-21T08:00:00Z' }],
    ...[{ loginAtStart: '2026-01-01T00:00:00Z', q: 'tanaka' }, { q: 'nobody' }],
  ] as const;
  for (const filter of asked) {
    const query = userRoutes.userFilters.parse(filter);
    const { body } = await harness.call(
      userRoutes.listUsers,
      { params: { pid: partner.pid }, query: { ...filter, perPage: 100 } as object },
      partner.actor,
    );
    const records: string[][] = parse(await exported(partner, { filter }), { bom: true, from_line: 2 });
    expect([query, records.map((record) => Number(record[7]))]).toEqual([
      query,
      body.users.map(({ id }) => id).toSorted((a, b) => a - b),
    ]);
  }
});

test('A list and its export agree', async () => {
  const partner = await harness.partner();
  for (let count = 0; count < 30; count += 1)
    await partner.user({ name: `n${count}`, loginUserId: `u${count}` });
  const { body } = await harness.call(
    userRoutes.listUsers,
    { params: { pid: partner.pid }, query: { perPage: 100, order: 'asc' } },
    partner.actor,
  );
  const records: string[][] = parse(await exported(partner), { bom: true, from_line: 2 });
  expect(records.map((record) => Number(record[7]))).toEqual(
    'totalCount' in body && body.users.map(({ id }) => id),
  );
});
