import { adminRoleBits, databaseRoutes as routes, tenantEvents } from '@portal/contracts';
import { adminActor } from '@portal/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type DocumentHarness,
  defaultContract,
  operator,
  refusal,
  startDocumentHarness,
} from './document-harness.ts';

let harness: DocumentHarness;
let log = '';
beforeAll(async () => {
  harness = await startDocumentHarness({
    log: {
      write(line) {
        log += line;
      },
    },
  });
}, 60_000);
afterAll(async () => harness.stop());

const create = async (pid: number, body: object = {}, actor = operator) =>
  harness.call(routes.createDatabase, { params: { pid }, body: { ...defaultContract, ...body } }, actor);
const trying = async (pid: number, body: object, actor = operator) =>
  refusal((await create(pid, body, actor)) as never);
const one = async (pid: number) => harness.call(routes.getDatabase, { params: { pid } }, operator);

describe('When an administrator makes a database', () => {
  test('then it is there with its contract, its name and its key', async () => {
    const { pid } = await harness.partner({ name: 'Kumo Corporation' });
    const made = await create(pid);
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      partnerId: pid,
      partnerName: 'Kumo Corporation',
      db: expect.stringMatching(new RegExp(`^d${pid.toString(36)}[0-9a-z]{6}$`)),
      contractStatus: 1,
      startDate: '2026-11-21T09:00:00Z',
      expireDate: '2026-12-21T09:00:00Z',
      usageBytes: 0,
      documentCount: 0,
      quotaBytes: 104_857_600,
      apiKey: expect.stringMatching(/^portal_db_[\w-]{43}$/),
    });
    expect((await one(pid)).body).toEqual(made.body);
    const reader = adminActor({ role: adminRoleBits.canReadTenantInformation });
    const read = await harness.call(routes.getDatabase, { params: { pid } }, reader);
    expect(read.body).toEqual({ ...made.body, apiKey: null });
  });

  test('then a second one is refused, and so is one of a rank without document databases', async () => {
    const { pid } = await harness.partnerWithDatabase();
    expect(await trying(pid, {})).toEqual([400, 'E40032']);
    for (const contractRank of ['free', 'trial', 'entry', 'standard'] as const) {
      const other = await harness.partner({ contractRank });
      expect(await trying(other.pid, {}), contractRank).toEqual([403, 'E40304']);
    }
  });

  test('then its contract has to be one', async () => {
    const { pid } = await harness.partner();
    for (const [body, fields] of [
      [{ contractStatus: 0 }, ['E40002', 'contract_status']],
      [{ contractStatus: 3 }, ['E40002', 'contract_status']],
      [{ contractStatus: '1' }, ['E40002', 'contract_status']],
      [{ contractStatus: undefined }, ['E40003', 'contract_status']],
      [{ expireDate: undefined }, ['E40003', 'expire_date']],
      [{ expireDate: null }, ['E40003', 'expire_date']],
      [{ expireDate: '2026-12-21' }, ['E40002', 'expire_date']],
      [{ expireDate: '2026-02-30T00:00:00Z' }, ['E40002', 'expire_date']],
      [{ expireDate: '2026-12-21T09:00:00.000Z' }, ['E40002', 'expire_date']],
      [{ expireDate: '2026-11-21T08:59:59Z' }, ['E40002', 'expire_date']],
    ] as const) {
      expect(await trying(pid, body), JSON.stringify(body)).toEqual([400, ...fields]);
    }
  });

  test('then it needs the role for partners, and the unit', async () => {
    const { admin, pid } = await harness.partner({ unitId: 7 });
    expect(await trying(pid, {}, adminActor({ role: 15 }))).toEqual([403, 'E40301']);
    expect(await trying(pid, {}, adminActor({ role: 63, unitId: 8 }))).toEqual([403, 'E40305']);
    expect(await trying(pid, {}, admin)).toEqual([401, 'E40102']);
    expect(await trying(99_999, {})).toEqual([404, 'E40402']);
    expect(await trying(pid, {}, adminActor({ role: 63, unitId: 7 }))).toEqual([201]);
  });

  test('then two at the same moment make one', async () => {
    const { pid } = await harness.partner();
    const both = await Promise.all([trying(pid, {}), trying(pid, {})]);
    expect(both.map(([status]) => status).sort()).toEqual([201, 400]);
  });
});

describe('The list of databases', () => {
  test('has those of the partners that the administrator can see, by page, name and status', async () => {
    const partners = await Promise.all(
      ['Ama_zake', 'Amazake', 'Budou'].map(async (name) => harness.partner({ name, unitId: 21 })),
    );
    for (const [at, { pid }] of partners.entries()) await create(pid, { contractStatus: at === 1 ? 2 : 1 });
    const unitAdmin = adminActor({ role: 63, unitId: 21 });
    const names = async (query: object, actor = unitAdmin) => {
      const { body } = await harness.call(routes.listDatabases, { query }, actor);
      return [body.totalCount, ...body.databases.map(({ partnerName }) => partnerName)];
    };
    expect(await names({ orderKey: 'partnerName', order: 'asc' })).toEqual([
      3,
      'Ama_zake',
      'Amazake',
      'Budou',
    ]);
    expect(await names({ orderKey: 'partnerName', order: 'desc', perPage: 2, page: 2 })).toEqual([
      3,
      'Ama_zake',
    ]);
    expect(await names({ partnerName: 'A_Z' })).toEqual([1, 'Ama_zake']);
    expect(await names({ contractStatus: '2' })).toEqual([1, 'Amazake']);
    expect(await names({}, adminActor({ role: 63, unitId: 22 }))).toEqual([0]);
    expect((await names({}))[0]).toBe(3);
    expect(Number((await names({ perPage: 100 }, operator))[0])).toBeGreaterThan(3);
  });

  test('shows a partner under the name and the unit that it has now', async () => {
    const { pid } = await harness.partner({ name: 'Before', unitId: 31 });
    await create(pid);
    const data = tenantEvents.partnerUpdated.data.parse({
      ...tenantEvents.partnerUpdated.example,
      partnerId: pid,
      name: 'After',
      unitId: 32,
      revision: 5,
    });
    await harness.deliver(tenantEvents.partnerUpdated, { subject: pid, partnerId: pid, data });
    const seen = async (unitId: number) =>
      (await harness.call(routes.listDatabases, {}, adminActor({ role: 63, unitId }))).body.databases;
    expect(await seen(31)).toEqual([]);
    expect(await seen(32)).toMatchObject([{ partnerId: pid, partnerName: 'After' }]);
  });
});

describe('When a contract is changed', () => {
  test('then what is absent stays, and it may be taken back or end in the past', async () => {
    const { pid } = await harness.partnerWithDatabase();
    const update = async (body: object) =>
      (await harness.call(routes.updateDatabase, { params: { pid }, body }, operator)).body;
    expect(await update({ contractStatus: 2 })).toMatchObject({
      contractStatus: 2,
      expireDate: '2026-12-21T09:00:00Z',
      quotaBytes: 10_737_418_240,
    });
    expect(await update({ contractStatus: 0, expireDate: '2026-01-01T00:00:00Z' })).toMatchObject({
      contractStatus: 0,
      expireDate: '2026-01-01T00:00:00Z',
    });
    expect(await update({})).toMatchObject({ contractStatus: 0 });
    const wrong = await harness.refused(
      routes.updateDatabase,
      { params: { pid }, body: { contractStatus: 5 } as never },
      operator,
    );
    expect(refusal(wrong)).toEqual([400, 'E40002', 'contract_status']);
  });

  test('then a partner without a database has none to change, to renew the key of, or to delete', async () => {
    const { pid } = await harness.partner();
    for (const contract of [
      routes.getDatabase,
      routes.updateDatabase,
      routes.deleteDatabase,
      routes.renewDatabaseKey,
    ] as const) {
      const refused = await harness.refused(
        contract as typeof routes.getDatabase,
        { params: { pid }, ...(contract.id === 'updateDatabase' && { body: {} as never }) },
        operator,
      );
      expect(refusal(refused), contract.id).toEqual([404, 'E40401']);
    }
  });

  test('then others are told, with a key that the tenant service alone can read', async () => {
    const { apiKey, db, pid } = await harness.partnerWithDatabase();
    await harness.call(routes.updateDatabase, { params: { pid }, body: { contractStatus: 2 } }, operator);
    await harness.call(routes.deleteDatabase, { params: { pid } }, operator);
    const told = (await harness.events()).filter(
      ({ partnerid, type }) => partnerid === pid && type !== 'operation.logged',
    );
    expect(told.map(({ data, type }) => [type, data])).toEqual([
      [
        'database.created',
        {
          partnerId: pid,
          revision: 1,
          db,
          contractStatus: 1,
          startDate: '2026-11-21T09:00:00Z',
          expireDate: '2026-12-21T09:00:00Z',
          usageBytes: 0,
          documentCount: 0,
          quotaBytes: 104_857_600,
          sealedKey: expect.any(String),
        },
      ],
      ['database.updated', expect.objectContaining({ revision: 2, contractStatus: 2 })],
      ['database.deleted', { partnerId: pid, revision: 3, db }],
    ]);
    const { sealedKey } = told[0]?.data as { sealedKey: string };
    expect(harness.sealsOf('tenant').open(sealedKey, `document database ${pid}`)).toBe(apiKey);
    expect(() => harness.sealsOf('user').open(sealedKey, `document database ${pid}`)).toThrow();
  });
});

test('A key is nowhere in clear but in the answers to those who may see it', async () => {
  const { apiKey, pid } = await harness.partnerWithDatabase();
  await harness.call(routes.renewDatabaseKey, { params: { pid } }, operator);
  const rows = await harness.sql(
    'SELECT t::text AS text FROM databases t UNION ALL SELECT t::text FROM messaging.outbox t',
  );
  const secret = apiKey.slice('portal_db_'.length);
  expect(JSON.stringify(rows)).not.toContain(secret);
  expect(JSON.stringify(await harness.events())).not.toContain(secret);
  expect(log).not.toContain(secret);
  expect(log).not.toContain('portal_db_');
});

describe('When a database is deleted', () => {
  test('then it is gone at once, its documents are deleted in the background, and the next one has another name', async () => {
    const { admin, apiKey, db, pid } = await harness.partnerWithDatabase();
    expect(
      refusal((await harness.refused(routes.deleteDatabase, { params: { pid } }, operator)) as never),
    ).toEqual([200]);
    expect((await one(pid)).status).toBe(404);
    expect(refusal(await harness.refused(routes.getOwnDatabaseKey, { params: { db } }, admin))).toEqual([
      404,
      'E40401',
    ]);
    const withKey = await harness.refused(routes.getOwnDatabase, { headers: { 'x-api-key': apiKey } });
    expect(refusal(withKey)).toEqual([400, 'E40033']);
    expect((await create(pid)).body.db).not.toBe(db);
  });

  test('then it goes with its partner too', async () => {
    const { apiKey, pid } = await harness.partnerWithDatabase();
    await harness.deliver(tenantEvents.partnerDeleted, {
      subject: pid,
      partnerId: pid,
      data: { partnerId: pid },
    });
    await harness.runJobs();
    expect(await harness.sql('SELECT 1 FROM databases WHERE partner_id = $1', pid)).toEqual([]);
    const late = await harness.refused(routes.getOwnDatabase, { headers: { 'x-api-key': apiKey } });
    expect(late.status).toBeGreaterThanOrEqual(400);
  });
});
