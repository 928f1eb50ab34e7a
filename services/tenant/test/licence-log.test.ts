import { createHash } from 'node:crypto';
import { identityEvents, identityRoutes, type RouteRequest, tenantRoutes } from '@portal/contracts';
import type { ServiceContext } from '@portal/service-kit';
import {
  type Actor,
  adminActor,
  type ServiceHarness,
  startServiceHarness,
  testApiKey,
} from '@portal/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Config } from '../src/config.ts';
import type { TenantDb } from '../src/data/db.ts';
import { partsOf } from '../src/service.ts';
import { expectRefusal } from './expect-refusal.ts';
import { signUpCompany } from './sign-up-requests.ts';
import { takingContext } from './taking-context.ts';

let harness: ServiceHarness;
let context: ServiceContext<TenantDb, Config>;
let north: number;
let south: number;
const platform = adminActor();
const northAdmin = () => adminActor({ role: 31, unitId: north, adminId: 2 });
const southAdmin = () => adminActor({ role: 31, unitId: south, adminId: 3 });

beforeAll(async () => {
  harness = await startServiceHarness(
    takingContext((taken) => {
      context = taken;
    }, partsOf),
  );
  north = await unit('North');
  south = await unit('South');
  await admin(1, 'admin@example.com', null);
  await admin(2, 'unit@example.com', north);
});
afterAll(async () => harness.stop());

type Body = RouteRequest<typeof tenantRoutes.createPartner>['body'];
type Query = RouteRequest<typeof tenantRoutes.listLicenceChanges>['query'];

async function unit(name: string): Promise<number> {
  const body = { name, allocatedLicense: 10_000 };
  return (await harness.call(tenantRoutes.createUnit, { body }, platform)).body.id;
}
async function admin(adminId: number, email: string, unitId: number | null) {
  const data = { adminId, name: 'Admin', email, role: 63, unitId };
  await harness.deliver(identityEvents.adminCreated, { subject: adminId, partnerId: null, data });
}
async function partner(body: Partial<Body> = {}, actor: Actor = platform): Promise<number> {
  const { status, body: made } = await harness.call(
    tenantRoutes.createPartner,
    { body: { name: 'A company', unitId: north, contractRank: 'entry', ...body } },
    actor,
  );
  expect(status).toBe(201);
  return made.id;
}
async function update(pid: number, body: object, actor: Actor = platform) {
  harness.clock.advance(1_000);
  const reply = await harness.call(tenantRoutes.updatePartner, { params: { pid }, body }, actor);
  expect(reply.status).toBe(200);
}
const all = async (query: Partial<Query>, actor: Actor = platform) =>
  (await harness.call(tenantRoutes.listLicenceChanges, { query }, actor)).body;
const logOf = async (pid: number, actor: Actor = platform) =>
  (await harness.call(tenantRoutes.listPartnerLicenceChanges, { params: { pid } }, actor)).body
    .licenseUpdatedLogs;

describe('When the licences of a partner change', () => {
  test('then each change that concerns them is one row, newest first, with what changed', async () => {
    const id = await partner({ licenseExpiredOn: '2027-01-01T00:00:00Z' });
    await update(id, { comment: 'Nothing of the licence' });
    await update(id, { licenseCount: 30, licenseExpiredOn: null, name: 'Another name' }, northAdmin());
    await update(id, { licenseCount: 30 });
    await update(id, { contractRank: 'standard', licenseType: 'device', uapFileLimit: 0 });
    expect(await logOf(id)).toEqual([
      {
        id: expect.any(Number),
        partnerId: id,
        partnerName: 'Another name',
        changedBy: 'admin@example.com',
        before: { contractRank: 'entry', licenseType: 'user', uapFileLimit: 1 },
        after: { contractRank: 'standard', licenseType: 'device', uapFileLimit: 0 },
        changedAt: '2026-11-21T09:00:04Z',
      },
      expect.objectContaining({
        changedBy: 'unit@example.com',
        before: { licenseCount: 20, licenseExpiredOn: '2027-01-01T00:00:00Z' },
        after: { licenseCount: 30, licenseExpiredOn: null },
      }),
      expect.objectContaining({
        partnerName: 'A company',
        before: null,
        after: {
          contractRank: 'entry',
          licenseType: 'user',
          licenseCount: 20,
          licenseExpiredOn: '2027-01-01T00:00:00Z',
          uapFileLimit: 1,
          unitId: north,
        },
      }),
    ]);
  });

  test('then each is told to whoever wants to know', async () => {
    const id = await partner();
    await update(id, { licenseCount: 21 });
    const told = (await harness.events('partner.licence_changed')).filter(
      ({ subject }) => subject === String(id),
    );
    expect(told.map(({ data, partnerid }) => [partnerid, data])).toEqual([
      [id, expect.objectContaining({ partnerId: id, adminId: 1, before: null })],
      [id, { partnerId: id, adminId: 1, before: { licenseCount: 20 }, after: { licenseCount: 21 } }],
    ]);
  });

  test('by a sign-up, then the row says so', async () => {
    const { id } = await signUpCompany(context, 'free', { outsourcingId: north });
    expect(await logOf(id)).toMatchObject([{ changedBy: 'sign-up', after: { contractRank: 'free' } }]);
    const told = (await harness.events('partner.signed_up')).filter(({ subject }) => subject === String(id));
    expect(told.map(({ data }) => data)).toEqual([
      { partnerId: id, unitId: north, contractRank: 'free', applicationId: null },
    ]);
  });

  test('by an administrator of whom nothing is known yet, then the row is theirs once it is', async () => {
    const id = await partner({}, adminActor({ adminId: 90 }));
    expect(await logOf(id)).toMatchObject([{ changedBy: '#90' }]);
    await admin(90, 'later@example.com', null);
    expect(await logOf(id)).toMatchObject([{ changedBy: 'later@example.com' }]);
  });

  test('and fail, then there is no row', async () => {
    const id = await partner();
    await harness.refused(
      tenantRoutes.updatePartner,
      { params: { pid: id }, body: { licenseCount: 1_000_000 } },
      platform,
    );
    expect(await logOf(id)).toHaveLength(1);
  });
});

describe('When the log of licences is read', () => {
  test('then it is filtered by partner and time, and paged', async () => {
    const id = await partner();
    for (let count = 21; count <= 25; count += 1) await update(id, { licenseCount: count });
    const page = await all({ partnerId: id, perPage: 4, page: 2 });
    expect(page).toMatchObject({ currentPage: 2, totalPage: 2, totalCount: 6 });
    expect(page.licenseUpdatedLogs.map(({ after }) => after.licenseCount)).toEqual([21, 20]);
    const times = (await logOf(id)).map(({ changedAt }) => changedAt);
    const within = { partnerId: id, changedAtStart: times[3] ?? '', changedAtEnd: times[1] ?? '' };
    expect((await all(within)).licenseUpdatedLogs.map(({ after }) => after.licenseCount)).toEqual([
      24, 23, 22,
    ]);
    expect((await all({ ...within, order: 'asc', perPage: 1 })).licenseUpdatedLogs[0]?.after).toEqual({
      licenseCount: 22,
    });
  });

  test('by an administrator of a unit, then of its present partners alone, also of one that moved to it', async () => {
    const id = await partner();
    const unitIdsOf = async (actor: Actor) =>
      (await all({ partnerId: id }, actor)).licenseUpdatedLogs.map(({ after }) => after.unitId);
    expect(await unitIdsOf(northAdmin())).toEqual([north]);
    expect(await unitIdsOf(southAdmin())).toEqual([]);
    const foreign = { params: { pid: id } };
    expectRefusal(
      await harness.refused(tenantRoutes.listPartnerLicenceChanges, foreign, southAdmin()),
      'E40305',
    );
    await update(id, { unitId: south });
    expect(await unitIdsOf(northAdmin())).toEqual([]);
    expect(await unitIdsOf(southAdmin())).toEqual([south, north]);
    expect(await logOf(id, southAdmin())).toMatchObject([
      { before: { unitId: north }, after: { unitId: south } },
      { before: null },
    ]);
    expect((await all({}, southAdmin())).licenseUpdatedLogs.every(({ partnerId }) => partnerId === id)).toBe(
      true,
    );
  });

  test('after the partner was deleted, then it is still there, for its last unit', async () => {
    const id = await partner({ name: 'Deleted' });
    await harness.call(tenantRoutes.deletePartner, { params: { pid: id } }, platform);
    await harness.settled();
    await harness.runJobs();
    expect(await harness.sql('SELECT partner_id FROM partners WHERE partner_id = $1', id)).toEqual([]);
    for (const actor of [platform, northAdmin()]) {
      expect((await all({ partnerId: id }, actor)).licenseUpdatedLogs).toMatchObject([
        { partnerName: 'Deleted' },
      ]);
    }
    expect((await all({ partnerId: id }, southAdmin())).totalCount).toBe(0);
    expectRefusal(
      await harness.refused(tenantRoutes.listPartnerLicenceChanges, { params: { pid: id } }, platform),
      'E40402',
    );
  });

  test('then nothing can change or delete a row of it', async () => {
    await partner();
    for (const statement of [
      'UPDATE licence_changes SET changed_by = NULL',
      'DELETE FROM licence_changes',
      'TRUNCATE licence_changes',
    ]) {
      await expect(harness.sql(statement)).rejects.toThrow('stay as they are');
    }
  });

  test('without the right to it, then E40301', async () => {
    for (const route of [tenantRoutes.listLicenceChanges, tenantRoutes.exportLicenceChanges] as const) {
      expectRefusal(await harness.refused(route, {}, adminActor({ role: 15 })), 'E40301');
    }
  });
});

describe('When the log of licences is exported', () => {
  const bom = String.fromCodePoint(0xfeff);
  const lines = (text: string) => text.slice(1).trimEnd().split('\r\n');

  test('then it has a line for each field, with times in the zone that is asked for', async () => {
    const id = await partner({ name: '=A company', licenseExpiredOn: '2027-01-01T00:00:00Z' });
    await update(id, { licenseExpiredOn: '2027-02-01T00:00:00Z', licenseCount: 21 });
    const [changed] = await logOf(id);
    const { body, headers } = await harness.call(
      tenantRoutes.exportPartnerLicenceChanges,
      { params: { pid: id }, query: { tz: 'Asia/Tokyo' } },
      platform,
    );
    expect(headers['content-disposition']).toContain('license_updated_logs.csv');
    expect(body.startsWith(bom)).toBe(true);
    const at = new Date(new Date(changed?.changedAt ?? '').getTime() + 9 * 3_600_000)
      .toISOString()
      .slice(0, 19)
      .replace('T', ' ');
    expect(lines(body).slice(0, 4)).toEqual([
      'changed_at,partner_id,partner_name,changed_by,field,before,after',
      `${at},${id},'=A company,admin@example.com,license_count,20,21`,
      `${at},${id},'=A company,admin@example.com,license_expired_on,2027-01-01 09:00:00,2027-02-01 09:00:00`,
      expect.stringMatching(/,contract_rank,,entry$/),
    ]);
    expect(lines(body)).toHaveLength(1 + 2 + 6);
  });

  test('then the filters of the list hold, and more rows than are read at once come', async () => {
    const id = await partner();
    await harness.sql(
      `INSERT INTO licence_changes (partner_id, partner_name, changed_by, before, after, changed_at)
       SELECT $1, 'Many', 'test', '{"licenseCount":1}', '{"licenseCount":2}', '2026-01-01'::timestamptz
       FROM generate_series(1, 2500)`,
      id,
    );
    const exported = async (query: object, actor: Actor = platform) =>
      lines((await harness.call(tenantRoutes.exportLicenceChanges, { query }, actor)).body).length - 1;
    expect(await exported({ partnerId: id })).toBe(2_506);
    expect(await exported({ partnerId: id, changedAtEnd: '2026-01-01T00:00:00Z' })).toBe(2_500);
    expect(await exported({ partnerId: id }, southAdmin())).toBe(0);
  });

  test('in an unknown zone, then E40002 on tz', async () => {
    expectRefusal(
      await harness.refused(tenantRoutes.exportLicenceChanges, { query: { tz: 'Nowhere' } }, platform),
      'E40002',
      'tz',
    );
  });
});

describe('When a program asks for the licence of a code', () => {
  const headers = { 'x-api-key': testApiKey };
  const md5 = (text: string) => createHash('md5').update(text).digest('hex');
  const ask = async (partnerCode: string, key = md5(partnerCode)) =>
    harness.call(tenantRoutes.checkLicence, { query: { partnerCode, key }, headers });
  const refused = async (query: Record<string, string>, withKey: Record<string, string> = headers) =>
    harness.raw({
      method: 'GET',
      url: `/v2/partner/lic?${new URLSearchParams(query)}`,
      headers: withKey,
    });

  test('then it gets it, ignoring the case of the code, also once it is over', async () => {
    await partner({ partnerCode: 'Lic-1', name: 'Licensed', licenseExpiredOn: '2026-01-01T00:00:00Z' });
    const licence = {
      contractRank: 'entry',
      licenseExpiredOn: '2026-01-01T00:00:00Z',
      partnerName: 'Licensed',
    };
    expect(await ask('Lic-1')).toMatchObject({ status: 200, body: licence });
    expect((await ask('lIC-1')).body).toEqual(licence);
  });

  test('with a wrong key, then E40002 on key; of an unknown code, E40402', async () => {
    await partner({ partnerCode: 'Lic-2' });
    const partnerCode = 'Lic-2';
    for (const key of [md5('lic-2'), md5('Lic-2').toUpperCase(), 'x']) {
      expectRefusal(await refused({ partner_code: partnerCode, key }), 'E40002', 'key');
    }
    expectRefusal(await refused({ partner_code: 'none', key: md5('none') }), 'E40402');
    expectRefusal(await refused({ partner_code: partnerCode }), 'E40003', 'key');
    expectRefusal(await refused({ key: md5('') }), 'E40003', 'partnerCode');
  });

  test('then the tries of an address are limited as those of a sign-in', () => {
    expect(tenantRoutes.checkLicence.tries).toBe(identityRoutes.partnerLogin.tries);
  });

  test('without the key of the installation, then E40033', async () => {
    const query = { partner_code: 'Lic-1', key: md5('Lic-1') };
    expectRefusal(await refused(query, {}), 'E40033');
    expectRefusal(await refused(query, { 'x-api-key': 'wrong' }), 'E40033');
  });
});
