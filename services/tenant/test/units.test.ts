import { identityEvents, type RouteRequest, tenantRoutes } from '@portal/contracts';
import { enterScope, withClient } from '@portal/database';
import { adminActor, type ServiceHarness, startServiceHarness } from '@portal/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tenantService } from '../src/service.ts';
import { expectRefusal } from './expect-refusal.ts';

let harness: ServiceHarness;
const platform = adminActor();

beforeAll(async () => {
  harness = await startServiceHarness(tenantService);
});
afterAll(async () => harness.stop());

type Body = RouteRequest<typeof tenantRoutes.createUnit>['body'];

async function unit(body: Body): Promise<number> {
  const reply = await harness.call(tenantRoutes.createUnit, { body }, platform);
  expect(reply.status).toBe(201);
  return reply.body.id;
}
const refusedUnit = async (body: object, actor = platform) =>
  harness.refused(tenantRoutes.createUnit, { body: { name: 'Never', ...body } }, actor);
const update = async (id: number, body: Partial<Body>) =>
  harness.call(tenantRoutes.updateUnit, { params: { id }, body }, platform);
const refusedUpdate = async (id: number, body: Partial<Body>, actor = platform) =>
  harness.refused(tenantRoutes.updateUnit, { params: { id }, body }, actor);
const refusedDelete = async (id: number, actor = platform) =>
  harness.refused(tenantRoutes.deleteUnit, { params: { id } }, actor);
const detail = async (id: number, actor = platform) =>
  (await harness.call(tenantRoutes.getUnit, { params: { id } }, actor)).body;
const partner = async (unitId: number, partnerCode: string, licenseCount = 10) =>
  (
    await harness.call(
      tenantRoutes.createPartner,
      { body: { name: `Partner ${partnerCode}`, partnerCode, unitId, contractRank: 'entry', licenseCount } },
      platform,
    )
  ).body.id;

const eventsOf = async (type: string, id: number) =>
  (await harness.events(type)).filter(({ subject }) => subject === String(id)).map(({ data }) => data);

describe('When a unit is created', () => {
  test('then it is answered with all its fields, and told', async () => {
    const id = await unit({ name: 'North', allocatedLicense: 500, canForceDistributeApp: true });
    expect(await detail(id)).toEqual({
      unitId: id,
      unitName: 'North',
      allocatedLicense: 500,
      consumedLicense: 0,
      ownerPartnerid: 0,
      canForceDistributeApp: true,
      partners: [],
      admins: [],
      createdAt: '2026-11-21T09:00:00Z',
      updatedAt: '2026-11-21T09:00:00Z',
    });
    expect(await eventsOf('unit.created', id)).toEqual([
      {
        unitId: id,
        revision: 1,
        name: 'North',
        allocatedLicense: 500,
        ownerPartnerid: 0,
        canForceDistributeApp: true,
      },
    ]);
  });

  test('with a name alone, then it has no licences and no owner', async () => {
    const id = await unit({ name: 'Bare' });
    expect(await detail(id)).toMatchObject({
      allocatedLicense: 0,
      ownerPartnerid: 0,
      canForceDistributeApp: false,
    });
  });

  test('without a name, with a long one or with one that is taken in other case, then it is refused', async () => {
    expectRefusal(await refusedUnit({ name: undefined }), 'E40003', 'name');
    expectRefusal(await refusedUnit({ name: ' ' }), 'E40003', 'name');
    expectRefusal(await refusedUnit({ name: 'x'.repeat(256) }), 'E40002', 'name');
    await unit({ name: 'Taken' });
    expectRefusal(await refusedUnit({ name: 'tAKEN' }), 'E40029', 'name');
    const longest = 'ユ'.repeat(255);
    expect((await detail(await unit({ name: longest }))).unitName).toBe(longest);
  });

  test('with a number of licences that is none, then E40002 on allocated_license', async () => {
    for (const allocatedLicense of [-1, 10_000_001, 1.5]) {
      expectRefusal(await refusedUnit({ allocatedLicense }), 'E40002', 'allocatedLicense');
    }
    expect(
      (await detail(await unit({ name: 'Largest', allocatedLicense: 10_000_000 }))).allocatedLicense,
    ).toBe(10_000_000);
  });

  test('with an owner that does not exist, then E40402 on owner_partnerid', async () => {
    expectRefusal(await refusedUnit({ ownerPartnerid: 999_999 }), 'E40402', 'ownerPartnerid');
  });

  test('by an administrator of a unit, or without the right, then E40301', async () => {
    expectRefusal(await refusedUnit({}, adminActor({ role: 63, unitId: 1 })), 'E40301');
    expectRefusal(await refusedUnit({}, adminActor({ role: 31 })), 'E40301');
  });
});

describe('When a unit is changed', () => {
  test('then what is absent stays, and the change is told', async () => {
    const id = await unit({ name: 'Before', allocatedLicense: 100 });
    const owner = await partner(id, 'owner-of-before');
    harness.clock.advance(60_000);
    expect(await update(id, { name: 'After', ownerPartnerid: owner })).toMatchObject({
      status: 200,
      body: {},
    });
    expect(await detail(id)).toMatchObject({
      unitName: 'After',
      allocatedLicense: 100,
      ownerPartnerid: owner,
      updatedAt: '2026-11-21T09:01:00Z',
    });
    expect(await eventsOf('unit.updated', id)).toEqual([
      {
        unitId: id,
        revision: 2,
        name: 'After',
        allocatedLicense: 100,
        ownerPartnerid: owner,
        canForceDistributeApp: false,
      },
    ]);
  });

  test('to fewer licences than its partners have, then E40016 on allocated_license', async () => {
    const id = await unit({ name: 'Lowered', allocatedLicense: 100 });
    await partner(id, 'lowered', 60);
    expectRefusal(await refusedUpdate(id, { allocatedLicense: 59 }), 'E40016', 'allocatedLicense');
    expect((await update(id, { allocatedLicense: 60 })).status).toBe(200);
    expect(await detail(id)).toMatchObject({ allocatedLicense: 60, consumedLicense: 60 });
  });

  test('to a name of another, then E40029; to its own in other case, then it has it', async () => {
    const id = await unit({ name: 'Mine' });
    await unit({ name: 'Theirs' });
    expectRefusal(await refusedUpdate(id, { name: 'THEIRS' }), 'E40029', 'name');
    expect((await update(id, { name: 'MINE' })).status).toBe(200);
  });

  test('that does not exist, or to an unknown owner, then 404', async () => {
    expectRefusal(await refusedUpdate(999_999, { name: 'None' }), 'E40401');
    const id = await unit({ name: 'Ownerless' });
    expectRefusal(await refusedUpdate(id, { ownerPartnerid: 999_999 }), 'E40402', 'ownerPartnerid');
  });

  test('by its own administrator, then E40301', async () => {
    const id = await unit({ name: 'Not theirs' });
    expectRefusal(
      await refusedUpdate(id, { name: 'Theirs' }, adminActor({ role: 63, unitId: id })),
      'E40301',
    );
  });
});

describe('When a unit is deleted', () => {
  test('then it is gone, its name is free, and the deletion is told', async () => {
    const id = await unit({ name: 'Gone' });
    const reply = await harness.call(tenantRoutes.deleteUnit, { params: { id } }, platform);
    expect(reply).toMatchObject({ status: 200, body: {} });
    expectRefusal(await harness.refused(tenantRoutes.getUnit, { params: { id } }, platform), 'E40401');
    expect(await eventsOf('unit.deleted', id)).toEqual([{ unitId: id }]);
    await unit({ name: 'Gone' });
  });

  test('with a partner or an administrator inside, then E40031', async () => {
    const withPartner = await unit({ name: 'With a partner', allocatedLicense: 10 });
    await partner(withPartner, 'inside');
    expectRefusal(await refusedDelete(withPartner), 'E40031');
    const withAdmin = await unit({ name: 'With an administrator' });
    const admin = { adminId: 70, name: 'Admin', email: 'inside@example.com', role: 63, unitId: withAdmin };
    await harness.deliver(identityEvents.adminCreated, { subject: 70, partnerId: null, data: admin });
    expectRefusal(await refusedDelete(withAdmin), 'E40031');
    await harness.deliver(identityEvents.adminDeleted, {
      subject: 70,
      partnerId: null,
      data: { adminId: 70 },
    });
    expect(
      (await harness.call(tenantRoutes.deleteUnit, { params: { id: withAdmin } }, platform)).status,
    ).toBe(200);
  });

  test('that does not exist, or by its own administrator, then it is refused', async () => {
    expectRefusal(await refusedDelete(999_999), 'E40401');
    const id = await unit({ name: 'Stays' });
    expectRefusal(await refusedDelete(id, adminActor({ role: 63, unitId: id })), 'E40301');
  });

  test('while a partner is made in it, then one of the two is refused, and no partner is without a unit', async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = await unit({ name: `Raced ${round}`, allocatedLicense: 10 });
      const [deleted] = await Promise.all([
        harness.call(tenantRoutes.deleteUnit, { params: { id } }, platform),
        partner(id, `raced-${round}`),
      ]);
      const partners = await harness.sql('SELECT partner_id FROM partners WHERE unit_id = $1', id);
      expect(partners).toHaveLength(deleted.status === 200 ? 0 : 1);
    }
  });
});

describe('When a unit is read', () => {
  test('then its partners come alone as well', async () => {
    const id = await unit({ name: 'Read', allocatedLicense: 100 });
    const first = await partner(id, 'read-1', 3);
    const second = await partner(id, 'read-2', 4);
    const { body } = await harness.call(tenantRoutes.listUnitPartners, { params: { id } }, platform);
    expect(body.partners).toEqual([
      {
        id: first,
        name: 'Partner read-1',
        contractRank: 'entry',
        licenseType: 'user',
        licenseCount: 3,
        licenseExpiredOn: null,
      },
      expect.objectContaining({ id: second, licenseCount: 4 }),
    ]);
    expect(await detail(id)).toMatchObject({ consumedLicense: 7, partners: body.partners });
  });

  test('by an administrator of it, then it comes; by one of another, then E40401', async () => {
    const id = await unit({ name: 'Own', allocatedLicense: 100 });
    const own = adminActor({ role: 1, unitId: id });
    const other = adminActor({ role: 63, unitId: id + 1_000 });
    expect(await detail(id, own)).toMatchObject({ unitName: 'Own' });
    expectRefusal(await harness.refused(tenantRoutes.getUnit, { params: { id } }, other), 'E40401');
    const partners = tenantRoutes.listUnitPartners;
    expect((await harness.call(partners, { params: { id } }, own)).body).toEqual({ partners: [] });
    expectRefusal(await harness.refused(partners, { params: { id } }, other), 'E40401');
  });

  test('and is looked for, then what begins with it comes first, whatever the order', async () => {
    for (const name of ['Zeta Search', 'Search one', 'search two']) await unit({ name });
    const found = async (query: { q: string; order?: 'asc' | 'desc' }) =>
      (await harness.call(tenantRoutes.listUnits, { query }, platform)).body.units.map(
        ({ unitName }) => unitName,
      );
    expect(await found({ q: 'SEARCH' })).toEqual(['Search one', 'search two', 'Zeta Search']);
    expect(await found({ q: 'search', order: 'desc' })).toEqual(['search two', 'Search one', 'Zeta Search']);
    expect(await found({ q: '%' })).toEqual([]);
    const id = await unit({ name: 'By its id' });
    expect((await found({ q: String(id) }))[0]).toBe('By its id');
  });
});

describe('When the owner of a unit is deleted', () => {
  test('then the unit has none any more, and that is told', async () => {
    const home = await unit({ name: 'Home', allocatedLicense: 10 });
    const owner = await partner(home, 'owner');
    const owned = await unit({ name: 'Owned', ownerPartnerid: owner });
    await harness.call(tenantRoutes.deletePartner, { params: { pid: owner } }, platform);
    await harness.settled();
    expect((await detail(owned)).ownerPartnerid).toBe(0);
    expect(await eventsOf('unit.updated', owned)).toMatchObject([{ ownerPartnerid: 0, revision: 2 }]);
  });

  test('then nobody makes it the owner of a unit meanwhile', async () => {
    const home = await unit({ name: 'Another home', allocatedLicense: 20 });
    const owner = await partner(home, 'leaving-owner');
    const later = await unit({ name: 'Later owned' });
    await withClient(harness.databaseUrl, async (another) => {
      await enterScope(another, harness.databaseUrl, { kind: 'partner', partnerId: owner });
      await another.query('BEGIN');
      await another.query('DELETE FROM partners WHERE partner_id = $1', [owner]);
      const made = refusedUnit({ ownerPartnerid: owner });
      const changed = refusedUpdate(later, { ownerPartnerid: owner });
      const waiting = 'SELECT FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))';
      await expect.poll(async () => (await another.query(waiting)).rowCount).toBe(2);
      await another.query('COMMIT');
      expectRefusal(await made, 'E40402', 'ownerPartnerid');
      expectRefusal(await changed, 'E40402', 'ownerPartnerid');
    });
  });
});
