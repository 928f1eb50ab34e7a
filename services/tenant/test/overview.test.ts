import { mailEvents, type RouteReply, type RouteRequest, tenantRoutes, userEvents } from '@portal/contracts';
import { newId } from '@portal/kernel';
import {
  type Actor,
  adminActor,
  partnerActor,
  playerActor,
  type ServiceHarness,
  startServiceHarness,
} from '@portal/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tenantService } from '../src/service.ts';
import { expectRefusal } from './expect-refusal.ts';

let harness: ServiceHarness;
const platform = adminActor();
const ofUnit = (unitId: number, role = 1) => adminActor({ role, unitId });
const day = 24 * 3_600_000;

beforeAll(async () => {
  harness = await startServiceHarness(tenantService);
});
afterAll(async () => harness.stop());

const overview = async (actor: Actor): Promise<RouteReply<typeof tenantRoutes.getOverview>> =>
  (await harness.call(tenantRoutes.getOverview, {}, actor)).body;
const unit = async (name: string, allocatedLicense: number) =>
  (await harness.call(tenantRoutes.createUnit, { body: { name, allocatedLicense } }, platform)).body.id;
const partner = async (body: RouteRequest<typeof tenantRoutes.createPartner>['body']) =>
  (await harness.call(tenantRoutes.createPartner, { body }, platform)).body.id;
const user = async (partnerId: number, userId: number) =>
  harness.deliver(userEvents.userCreated, {
    subject: userId,
    partnerId,
    data: { ...userEvents.userCreated.example, userId, isUser: true, groupIds: [] },
  });

const ranksWithout = { free: 0, trial: 0, entry: 0, standard: 0, enterprise: 0 };

describe('When an administrator looks at the home', () => {
  test('and there is nothing yet, then everything is 0', async () => {
    expect(await overview(platform)).toEqual({
      tenantsByRank: ranksWithout,
      licences: { allocated: 0, given: 0, inUse: 0 },
      ending: { count: 0, partners: [] },
      newTenants: 0,
      failedMails: 0,
    });
  });

  test('then it shows the partners of all units, or of their own', async () => {
    const north = await unit('North', 100);
    const south = await unit('South', 50);
    const old = await partner({ name: 'Old', unitId: north, contractRank: 'standard', licenseCount: 10 });
    harness.clock.advance(31 * day);
    const now = harness.clock.now().getTime();
    const inDays = (days: number) => `${new Date(now + days * day).toISOString().slice(0, 19)}Z`;
    const ending = async (name: string, unitId: number, days: number) =>
      partner({ name, unitId, contractRank: 'entry', licenseCount: 2, licenseExpiredOn: inDays(days) });
    const soon = await ending('Soon', north, 3);
    const last = await ending('On the last day', south, 30);
    await ending('Later', north, 31);
    await ending('Over', north, 0);
    const byDevices = await partner({
      name: 'By devices',
      unitId: south,
      contractRank: 'enterprise',
      licenseType: 'device',
      licenseCount: 5,
    });
    for (const userId of [1, 2, 3]) await user(old, userId);
    // Of a partner that counts devices, the users take no licence.
    await user(byDevices, 4);
    for (const uuid of ['a', 'b']) {
      await harness.deliver(userEvents.deviceRegistered, {
        subject: uuid,
        partnerId: byDevices,
        data: { ...userEvents.deviceRegistered.example, uuid },
      });
    }
    for (const partnerId of [soon, last]) {
      const mailId = newId();
      const sealed = harness
        .sealsOf('mail')
        .seal(JSON.stringify({ email: 'a@example.com', reason: 'x' }), mailId, 'tenant');
      await harness.deliver(mailEvents.mailBounced, {
        subject: mailId,
        partnerId,
        data: { mailId, kind: 'permanent', sealed },
      });
    }
    expect(await overview(platform)).toEqual({
      tenantsByRank: { ...ranksWithout, entry: 4, standard: 1, enterprise: 1 },
      licences: { allocated: 150, given: 23, inUse: 5 },
      ending: {
        count: 2,
        partners: [
          { id: soon, name: 'Soon', licenseExpiredOn: inDays(3) },
          { id: last, name: 'On the last day', licenseExpiredOn: inDays(30) },
        ],
      },
      newTenants: 5,
      failedMails: 2,
    });
    expect(await overview(ofUnit(south))).toEqual({
      tenantsByRank: { ...ranksWithout, entry: 1, enterprise: 1 },
      licences: { allocated: 50, given: 7, inUse: 2 },
      ending: { count: 1, partners: [{ id: last, name: 'On the last day', licenseExpiredOn: inDays(30) }] },
      newTenants: 2,
      failedMails: 1,
    });
    harness.clock.advance(31 * day);
    expect(await overview(platform)).toMatchObject({ newTenants: 0, failedMails: 0 });
  });

  test('and many licences end, then they are counted, and the first ten named', async () => {
    const east = await unit('East', 100);
    const licenseExpiredOn = `${new Date(harness.clock.now().getTime() + day).toISOString().slice(0, 19)}Z`;
    for (let number = 0; number < 12; number += 1) {
      await partner({
        name: `E${number}`,
        unitId: east,
        contractRank: 'entry',
        licenseCount: 1,
        licenseExpiredOn,
      });
    }
    const { ending } = await overview(ofUnit(east));
    expect(ending.count).toBe(12);
    expect(ending.partners.map(({ name }) => name)).toEqual(
      Array.from({ length: 10 }, (_, number) => `E${number}`),
    );
  });

  test('as somebody of a tenant, then E40102', async () => {
    expectRefusal(await harness.refused(tenantRoutes.getOverview, {}, partnerActor()), 'E40102');
  });
});

describe('When an administrator looks at the summary of a tenant', () => {
  const summary = tenantRoutes.getSummary;
  let pid: number;
  let unitId: number;
  beforeAll(async () => {
    unitId = await unit('West', 100);
    pid = await partner({ name: 'Seen', unitId, contractRank: 'entry', licenseCount: 7 });
    await user(pid, 50);
  });

  test('then it is as the tenant sees it', async () => {
    const own = await harness.call(summary, { params: { pid } }, partnerActor({ partnerId: pid }));
    expect(own.body).toMatchObject({ partnerName: 'Seen', licenseCount: 7, licenseRemaining: 6 });
    for (const actor of [platform, ofUnit(unitId), ofUnit(unitId, 31)]) {
      const seen = await harness.call(summary, { params: { pid } }, actor);
      expect(seen).toMatchObject({ status: 200, body: own.body });
    }
  });

  test('of another unit, or one that does not exist, then E40402', async () => {
    const stranger = ofUnit(unitId + 1_000, 63);
    expectRefusal(await harness.refused(summary, { params: { pid } }, stranger), 'E40402');
    expectRefusal(await harness.refused(summary, { params: { pid: 999_999 } }, platform), 'E40402');
  });

  test('as a player or a user without the role, then E40301', async () => {
    const player = playerActor({ partnerId: pid, accountId: 50 });
    expectRefusal(await harness.refused(summary, { params: { pid } }, player), 'E40301');
    const developer = partnerActor({ partnerId: pid, role: 16 });
    expectRefusal(await harness.refused(summary, { params: { pid } }, developer), 'E40301');
  });
});
