import {
  identityEvents,
  mailEvents,
  plans,
  type RouteReply,
  type RouteRequest,
  tenantRoutes,
} from '@portal/contracts';
import { findPartner } from '@portal/contracts/internal';
import { newId } from '@portal/kernel';
import { adminActor, partnerActor, type ServiceHarness, startServiceHarness } from '@portal/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tenantService } from '../src/service.ts';

let harness: ServiceHarness;

beforeAll(async () => {
  harness = await startServiceHarness(tenantService);
  await harness.service.seed();
});
afterAll(async () => harness.stop());

type Page = Extract<RouteReply<typeof tenantRoutes.listPartners>, { totalCount: number }>;
type Query = RouteRequest<typeof tenantRoutes.listPartners>['query'];

async function partners(query: Partial<Query>, actor = adminActor()): Promise<Page> {
  const { body, status } = await harness.call(tenantRoutes.listPartners, { query }, actor);
  expect(status).toBe(200);
  if (!('totalCount' in body)) throw new Error('Not a page');
  return body;
}
const codes = async (query: Partial<Query>, actor = adminActor()) =>
  (await partners({ orderKey: 'id', order: 'asc', ...query }, actor)).partners.map((row) => row.partnerCode);

/** The mail service tells what became of a mail to somebody of a tenant, or to an administrator. */
async function mail(partnerId: number | null, outcome: 'sent' | 'bounced', times = 1) {
  const mailId = newId();
  const about = { subject: mailId, partnerId, times };
  return outcome === 'sent'
    ? harness.deliver(mailEvents.mailSent, { ...about, data: { mailId } })
    : harness.deliver(mailEvents.mailBounced, {
        ...about,
        data: { mailId, kind: 'permanent', sealed: sealedFor(mailId) },
      });
}
const sealedFor = (mailId: string) =>
  harness
    .sealsOf('mail')
    .seal(JSON.stringify({ email: 'gone@example.com', reason: '550' }), mailId, 'tenant');
async function countsOf(id: number) {
  const { body } = await harness.call(tenantRoutes.getPartner, { params: { pid: id } }, adminActor());
  return [body.mailCount, body.bounceCount];
}

describe('When the demo is seeded', () => {
  it('then its partners are 1 to 4, and a second time changes nothing', async () => {
    await harness.service.seed();
    const { partners: rows } = await partners({ orderKey: 'id', order: 'asc', perPage: 100 });
    expect(rows).toHaveLength(44);
    expect(rows.slice(0, 4).map(({ id, name, partnerCode }) => [id, name, partnerCode])).toEqual([
      [1, 'Demo Corporation', '1000'],
      [2, 'Second Company', '2000'],
      [3, 'Entry Studio', '3000'],
      [4, 'Expired Ltd', '4000'],
    ]);
    expect(rows[0]).toMatchObject({ licenseExpiredOn: '2028-11-21T09:00:00Z', unitName: 'Demo unit' });
    const ofSample = rows.filter(({ unitName }) => unitName === 'Sample unit');
    expect(new Set(ofSample.map(({ contractRank }) => contractRank))).toEqual(new Set(Object.keys(plans)));
    expect(await harness.events('partner.created')).toHaveLength(44);
    expect(await harness.events('unit.created')).toHaveLength(3);
    // The tests below count on the four others.
    await harness.sql('DELETE FROM partners WHERE unit_id = 3');
    await harness.sql('DELETE FROM units WHERE id = 3');
  });
});

describe('When units are listed', () => {
  it('then each comes with its partners, its administrators and what it consumes, sorted by name', async () => {
    await harness.deliver(identityEvents.adminCreated, {
      subject: 7,
      partnerId: null,
      data: { adminId: 7, name: 'Unit admin', email: 'unit@example.com', role: 63, unitId: 1 },
    });
    const { body } = await harness.call(tenantRoutes.listUnits, {}, adminActor());
    expect(body).toMatchObject({ currentPage: 1, totalPage: 1, totalCount: 2 });
    expect(body.units.map(({ unitName }) => unitName)).toEqual(['Demo unit', 'Other unit']);
    expect(body.units[0]).toMatchObject({
      allocatedLicense: 1000,
      consumedLicense: 125,
      admins: [{ adminId: 7, adminName: 'Unit admin', adminEmail: 'unit@example.com', role: 63 }],
    });
    expect(body.units[0]?.partners.map(({ id }) => id)).toEqual([1, 3, 4]);
    expect(body.units[1]?.admins).toEqual([]);
  });

  it('by name, then those that contain it ignoring case; a wildcard is a letter like others', async () => {
    const named = async (name: string) =>
      (await harness.call(tenantRoutes.listUnits, { query: { name } }, adminActor())).body.units.length;
    expect(await named('DEMO')).toBe(1);
    expect(await named('%')).toBe(0);
  });

  it('by a unit administrator, then it is their own alone', async () => {
    const { body } = await harness.call(tenantRoutes.listUnits, {}, adminActor({ role: 63, unitId: 2 }));
    expect(body.units.map(({ unitId }) => unitId)).toEqual([2]);
    expect(body.totalCount).toBe(1);
  });

  it('with a platform administrator being told, then no unit gets one', async () => {
    await harness.deliver(identityEvents.adminCreated, {
      subject: 8,
      partnerId: null,
      data: { adminId: 8, name: 'Platform', email: 'admin@example.com', role: 127, unitId: null },
    });
    const { body } = await harness.call(tenantRoutes.listUnits, {}, adminActor());
    expect(body.units.flatMap(({ admins }) => admins.map(({ adminId }) => adminId))).toEqual([7]);
  });
});

describe('When partners are listed', () => {
  it('then every filter holds', async () => {
    expect(await codes({ name: 'sTUDIO' })).toEqual(['3000']);
    expect(await codes({ code: '00' })).toEqual(['1000', '2000', '3000', '4000']);
    expect(await codes({ code: '20' })).toEqual(['2000']);
    expect(await codes({ contractRank: 'enterprise' })).toEqual(['1000']);
    expect(await codes({ licenseType: 'device' })).toEqual(['2000']);
    expect(await codes({ licenseType: 'device', contractRank: 'trial' })).toEqual([]);
  });

  it('by the end of the licence or the last bounce, then both ends are included', async () => {
    const ends = '2026-10-21T09:00:00Z';
    expect(await codes({ licenseExpiredOnStart: ends, licenseExpiredOnEnd: ends })).toEqual(['4000']);
    expect(await codes({ licenseExpiredOnEnd: '2026-10-21T08:59:59Z' })).toEqual([]);
    expect(await codes({ licenseExpiredOnStart: '2026-10-21T09:00:01Z' })).toEqual(['1000']);
    expect(await codes({ bounceInfoStart: '2000-01-01T00:00:00Z' })).toEqual([]);
    const bounced = '2026-11-21T09:00:00Z';
    await mail(3, 'bounced');
    expect(await codes({ bounceInfoStart: bounced, bounceInfoEnd: bounced })).toEqual(['3000']);
    expect(await codes({ bounceInfoEnd: '2026-11-21T08:59:59Z' })).toEqual([]);
    expect(await codes({ bounceInfoStart: '2026-11-21T09:00:01Z' })).toEqual([]);
  });

  it('then what became of their mails is counted, each once', async () => {
    const before = await countsOf(2);
    for (let sent = 0; sent < 3; sent += 1) await mail(2, 'sent');
    await mail(2, 'bounced');
    await mail(null, 'sent');
    await mail(2, 'bounced', 2);
    expect(await countsOf(2)).toEqual([(before[0] ?? 0) + 3, (before[1] ?? 0) + 2]);
    const sorted = await partners({ orderKey: 'bounceCount', order: 'desc' });
    expect(sorted.partners[0]?.id).toBe(2);
  });

  it('then the order and the ties are the same as sorted by hand, on every page', async () => {
    const all = (await partners({ perPage: 100, orderKey: 'id', order: 'asc' })).partners;
    const ranks = Object.keys(plans);
    const keyOf = {
      id: (row) => row.id,
      name: (row) => row.name,
      partnerCode: (row) => row.partnerCode,
      contractRank: (row) => ranks.indexOf(row.contractRank),
      licenseCount: (row) => row.licenseCount,
    } satisfies Record<string, (row: (typeof all)[number]) => number | string>;
    const orderKeys = ['id', 'name', 'partnerCode', 'contractRank', 'licenseCount'] as const;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...orderKeys),
        fc.constantFrom('asc' as const, 'desc' as const),
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 1, max: 4 }),
        async (orderKey, order, page, perPage) => {
          const key = keyOf[orderKey];
          const compare = (a: number | string, b: number | string) => (a < b ? -1 : a > b ? 1 : 0);
          const sorted = all.toSorted((a, b) => compare(key(a), key(b)) || a.id - b.id);
          if (order === 'desc') sorted.reverse();
          const reply = await partners({ orderKey, order, page, perPage });
          expect(reply.partners).toEqual(sorted.slice((page - 1) * perPage, page * perPage));
          expect(reply.totalPage).toBe(Math.ceil(4 / perPage));
        },
      ),
      { numRuns: 40 },
    );
  });

  it('by the end of the licence, then those without one come last either way', async () => {
    expect(await codes({ orderKey: 'licenseExpiredOn', order: 'asc' })).toEqual([
      '4000',
      '1000',
      '2000',
      '3000',
    ]);
    expect(await codes({ orderKey: 'licenseExpiredOn', order: 'desc' })).toEqual([
      '1000',
      '4000',
      '3000',
      '2000',
    ]);
  });

  it('with all, then ids and names of every one', async () => {
    const { body } = await harness.call(tenantRoutes.listPartners, { query: { all: 'true' } }, adminActor());
    expect(body).toEqual({
      partners: [
        { id: 1, name: 'Demo Corporation' },
        { id: 3, name: 'Entry Studio' },
        { id: 4, name: 'Expired Ltd' },
        { id: 2, name: 'Second Company' },
      ],
    });
  });

  it('by a unit administrator, then those of the unit alone, also with all', async () => {
    const actor = adminActor({ role: 63, unitId: 2 });
    expect(await codes({}, actor)).toEqual(['2000']);
    const { body } = await harness.call(tenantRoutes.listPartners, { query: { all: 'true' } }, actor);
    expect(body.partners).toEqual([{ id: 2, name: 'Second Company' }]);
  });

  it('with an unknown sort key or a page that is none, then E40002 on the field', async () => {
    for (const [query, field] of [
      ['order_key=password', 'order_key'],
      ['page=0', 'page'],
      ['per_page=101', 'per_page'],
      ['name=%00', 'name'],
      ['license_expired_on_start=yesterday', 'license_expired_on_start'],
    ]) {
      const reply = await harness.raw({
        method: 'GET',
        url: `/v2/admin/partners?${query}`,
        actor: adminActor(),
      });
      expect(reply.status).toBe(400);
      expect(reply.body).toMatchObject({ code: 'E40002', errors: [{ field }] });
    }
  });
});

describe('When a partner is read', () => {
  const read = async (id: number | string, actor = adminActor()) =>
    harness.raw({ method: 'GET', url: `/v1/admin/partners/${id}`, actor });

  it('then all of it comes', async () => {
    const { body } = await harness.call(tenantRoutes.getPartner, { params: { pid: 1 } }, adminActor());
    expect(body).toMatchObject({
      id: 1,
      partnerCode: '1000',
      uapFileLimit: 0,
      operationLogDownloadFlag: true,
      bounceCount: 0,
      mailCount: 0,
      lang: 'ja',
    });
  });

  it('that does not exist, then E40402; with an id that is none, E40401', async () => {
    expect((await read(99)).body.code).toBe('E40402');
    expect((await read('99999999999999999999')).body.code).toMatch(/E4040[12]/);
    expect((await read('x')).body.code).toBe('E40401');
  });

  it('by the administrator of another unit, then E40305', async () => {
    expect(await read(1, adminActor({ role: 63, unitId: 2 }))).toMatchObject({
      status: 403,
      body: { code: 'E40305' },
    });
    expect((await read(2, adminActor({ role: 63, unitId: 2 }))).status).toBe(200);
  });

  it('by somebody of a tenant or by nobody, then 401', async () => {
    const asPartner = await harness.raw({
      method: 'GET',
      url: '/v1/admin/partners/1',
      actor: partnerActor({ partnerId: 1 }),
    });
    expect(asPartner).toMatchObject({ status: 401, body: { code: 'E40102' } });
    const asNobody = await harness.raw({ method: 'GET', url: '/v1/admin/partners/1' });
    expect(asNobody).toMatchObject({ status: 401, body: { code: 'E40101' } });
  });
});

describe('When another service asks for a partner', () => {
  it('by code or id, then it gets it', async () => {
    const byCode = await harness.callAs('identity', findPartner, { body: { partnerCode: '2000' } });
    expect(byCode).toMatchObject({ status: 200, body: { partnerId: 2, contractRank: 'standard', json: '' } });
    const byId = await harness.callAs('user', findPartner, { body: { partnerId: 2 } });
    expect(byId.body).toEqual(byCode.body);
  });

  it('that does not exist, then E40402', async () => {
    const reply = await harness.callAs('identity', findPartner, { body: { partnerCode: '2' } });
    expect(reply).toMatchObject({ status: 404, body: { code: 'E40402' } });
  });

  it('and is none that may ask, then E40301', async () => {
    const reply = await harness.callAs('gateway', findPartner, { body: { partnerId: 2 } });
    expect(reply).toMatchObject({ status: 403, body: { code: 'E40301' } });
  });
});
