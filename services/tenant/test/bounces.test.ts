import { mailEvents, type RouteRequest, tenantRoutes } from '@portal/contracts';
import { newId } from '@portal/kernel';
import { type Actor, adminActor, type ServiceHarness, startServiceHarness } from '@portal/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { tenantService } from '../src/service.ts';
import { expectRefusal } from './expect-refusal.ts';

let harness: ServiceHarness;
let pid: number;
const platform = adminActor();
const ofUnit = adminActor({ role: 1, unitId: 1 });
const day = 24 * 3_600_000;

beforeAll(async () => {
  harness = await startServiceHarness(tenantService);
  for (const name of ['North', 'South']) {
    await harness.call(tenantRoutes.createUnit, { body: { name, allocatedLicense: 1_000 } }, platform);
  }
});
afterAll(async () => harness.stop());

beforeEach(async () => {
  const body = { name: 'A company', unitId: 1, contractRank: 'entry', licenseCount: 1 } as const;
  pid = (await harness.call(tenantRoutes.createPartner, { body }, platform)).body.id;
});

async function sent(partnerId: number | null) {
  const mailId = newId();
  await harness.deliver(mailEvents.mailSent, { subject: mailId, partnerId, data: { mailId } });
}
async function bounced(
  email: string,
  {
    kind = 'permanent',
    partnerId = pid,
  }: { kind?: 'permanent' | 'temporary'; partnerId?: number | null } = {},
) {
  const mailId = newId();
  const text = JSON.stringify({ email, reason: `550 ${email} is unknown` });
  const sealed = harness.sealsOf('mail').seal(text, mailId, 'tenant');
  await harness.deliver(mailEvents.mailBounced, {
    subject: mailId,
    partnerId,
    data: { mailId, kind, sealed },
    times: 2,
  });
}
type Query = RouteRequest<typeof tenantRoutes.listBounces>['query'];
const bounces = async (query: Query = {}, actor: Actor = platform) =>
  (await harness.call(tenantRoutes.listBounces, { params: { pid }, query }, actor)).body;
async function row(
  query: RouteRequest<typeof tenantRoutes.listPartners>['query'] = {},
  actor: Actor = platform,
) {
  const { body } = await harness.call(
    tenantRoutes.listPartners,
    { query: { perPage: 100, ...query } },
    actor,
  );
  if (!('totalCount' in body)) throw new Error('Not a page');
  return body.partners.find(({ id }) => id === pid);
}

describe('When mails to people of a partner bounce', () => {
  test('then each is listed once, newest first, and counted', async () => {
    await bounced('one@example.com');
    harness.clock.advance(60_000);
    await bounced('two@example.com', { kind: 'temporary' });
    await bounced('nobody@example.com', { partnerId: null });
    expect(await bounces()).toEqual({
      currentPage: 1,
      totalPage: 1,
      totalCount: 2,
      bounces: [
        {
          id: expect.any(Number),
          email: 'two@example.com',
          kind: 'soft',
          reason: '550 two@example.com is unknown',
          occurredAt: '2026-11-21T09:01:00Z',
        },
        expect.objectContaining({
          email: 'one@example.com',
          kind: 'hard',
          occurredAt: '2026-11-21T09:00:00Z',
        }),
      ],
    });
    expect((await bounces({ order: 'asc', perPage: 1 })).bounces[0]?.email).toBe('one@example.com');
    expect(await row()).toMatchObject({ bounceCount: 2, mailCount: 0 });
    expect(await row({}, ofUnit)).toMatchObject({ bounceCount: 2 });
  });

  test('then the list of partners is filtered by the times of all of them, both ends included', async () => {
    harness.clock.set(new Date('2027-03-01T10:00:00Z'));
    await bounced('early@example.com');
    harness.clock.set(new Date('2027-03-05T10:00:00Z'));
    await bounced('late@example.com');
    const within = async (bounceInfoStart: string, bounceInfoEnd: string, actor = platform) =>
      (await row({ bounceInfoStart, bounceInfoEnd }, actor)) !== undefined;
    expect(await within('2027-03-01T10:00:00Z', '2027-03-01T10:00:00Z')).toBe(true);
    expect(await within('2027-03-05T10:00:00Z', '2027-03-06T00:00:00Z')).toBe(true);
    expect(await within('2027-03-01T10:00:01Z', '2027-03-05T09:59:59Z')).toBe(false);
    expect(await within('2027-03-01T00:00:00Z', '2027-03-02T00:00:00Z', ofUnit)).toBe(true);
  });

  test('then their administrators see them, those of other units do not', async () => {
    await bounced('one@example.com');
    expect((await bounces({}, ofUnit)).totalCount).toBe(1);
    const params = { pid };
    const stranger = adminActor({ role: 63, unitId: 2 });
    expectRefusal(await harness.refused(tenantRoutes.listBounces, { params }, stranger), 'E40305');
    const none = { params: { pid: 999_999 } };
    expectRefusal(await harness.refused(tenantRoutes.listBounces, none, platform), 'E40402');
  });

  test('then they are forgotten after 400 days, and counted no more', async () => {
    harness.clock.set(new Date('2028-01-01T00:00:00Z'));
    await bounced('old@example.com');
    harness.clock.advance(200 * day);
    await bounced('new@example.com');
    harness.clock.advance(201 * day);
    await harness.runJobs();
    expect((await bounces()).bounces.map(({ email }) => email)).toEqual(['new@example.com']);
    expect((await row())?.bounceCount).toBe(1);
  });
});

describe('When mails are sent to people of a partner', () => {
  test('then those of the last 30 days are counted', async () => {
    harness.clock.set(new Date('2029-06-01T23:00:00Z'));
    await sent(pid);
    await sent(pid);
    await sent(null);
    harness.clock.advance(2 * day);
    await sent(pid);
    const detail = async () =>
      (await harness.call(tenantRoutes.getPartner, { params: { pid } }, ofUnit)).body.mailCount;
    expect((await row())?.mailCount).toBe(3);
    expect(await detail()).toBe(3);
    harness.clock.advance(28 * day);
    expect((await row())?.mailCount).toBe(1);
    expect(await detail()).toBe(1);
    harness.clock.advance(2 * day);
    expect((await row())?.mailCount).toBe(0);
  });
});
