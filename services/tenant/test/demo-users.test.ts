import { isValidPassword, type RouteRequest, tenantEvents, tenantRoutes } from '@portal/contracts';
import { demoUsers, demoUsersSeal } from '@portal/contracts/internal';
import { adminActor, type ServiceHarness, startServiceHarness } from '@portal/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tenantService } from '../src/service.ts';

/** The users that a new partner is tried with: who they are, and who learns of their passwords. */

let harness: ServiceHarness;
let unitId: number;
const platform = adminActor();

beforeAll(async () => {
  harness = await startServiceHarness(tenantService);
  const body = { name: 'North', allocatedLicense: 1_000 };
  unitId = (await harness.call(tenantRoutes.createUnit, { body }, platform)).body.id;
});
afterAll(async () => harness.stop());

type Body = RouteRequest<typeof tenantRoutes.createPartner>['body'];
const create = async (more: Partial<Body> = {}, headers: Record<string, string> = {}) =>
  harness.call(
    tenantRoutes.createPartner,
    { body: { name: 'A company', unitId, contractRank: 'standard', licenseCount: 5, ...more }, headers },
    platform,
  );
const namesOf = (users: readonly { loginUserId: string }[] = []) =>
  users.map(({ loginUserId }) => loginUserId);
const requestsOf = async (pid: number) =>
  (await harness.events(tenantEvents.demoUsersRequested.type)).filter(
    ({ subject }) => subject === String(pid),
  );

describe('When a partner is created with users to try it with', () => {
  test('then the reply alone shows their passwords, each of its own, which the rules allow', async () => {
    const { body, status } = await create({ createDemoUsers: true });
    expect(status).toBe(201);
    expect(namesOf(body.demoUsers)).toEqual(['demo1', 'demo2', 'demo3']);
    const passwords = (body.demoUsers ?? []).map(({ password }) => password);
    expect(new Set(passwords).size).toBe(3);
    for (const password of passwords) expect([password, isValidPassword(password)]).toEqual([password, true]);
    const { body: shown } = await harness.call(
      tenantRoutes.getPartner,
      { params: { pid: body.id } },
      platform,
    );
    expect(JSON.stringify(shown)).not.toContain('demo');
  });

  test('then they are requested once, after the partner, and the user service alone reads the passwords', async () => {
    const { body } = await create({ createDemoUsers: true });
    const told = (await harness.events()).filter(({ subject }) => subject === String(body.id));
    expect(told.map(({ type }) => type)).toEqual([
      'partner.created',
      'partner.licence_changed',
      'demo_users.requested',
    ]);
    const everything = JSON.stringify(await harness.events());
    for (const { password } of body.demoUsers ?? []) expect(everything).not.toContain(password);

    const [request] = await requestsOf(body.id);
    expect(request).toMatchObject({ partnerid: body.id });
    const { sealed } = tenantEvents.demoUsersRequested.data.parse(request?.data);
    const opened = harness.sealsOf('user').open(sealed, demoUsersSeal(body.id));
    expect(demoUsers.parse(JSON.parse(opened))).toEqual(body.demoUsers);
    expect(() => harness.sealsOf('file').open(sealed, demoUsersSeal(body.id))).toThrow();
    expect(() => harness.sealsOf('user').open(sealed, demoUsersSeal(body.id + 1))).toThrow();
  });

  test('then there are no more than licences for users, and all three where devices are counted', async () => {
    const two = await create({ createDemoUsers: true, licenseCount: 2 });
    expect(namesOf(two.body.demoUsers)).toEqual(['demo1', 'demo2']);
    const devices = await create({ createDemoUsers: true, licenseType: 'device', licenseCount: 1 });
    expect(namesOf(devices.body.demoUsers)).toEqual(['demo1', 'demo2', 'demo3']);
  });

  test('then a repeat with the same key makes no other, and shows no passwords, which are not stored', async () => {
    const headers = { 'idempotency-key': 'demo-users-1' };
    const { body, status } = await create({ createDemoUsers: true }, headers);
    const again = await create({ createDemoUsers: true }, headers);
    expect([status, again.status]).toEqual([201, 201]);
    expect(body.demoUsers).toHaveLength(3);
    expect(again.body).toEqual({ id: body.id, partnerCode: body.partnerCode });
    expect(await requestsOf(body.id)).toHaveLength(1);
    const stored = await harness.sql('SELECT reply FROM messaging.idempotent_reply');
    expect(stored).toEqual([{ reply: { id: body.id, partner_code: body.partnerCode } }]);
  });
});

describe('When no users are wanted', () => {
  test.each([{}, { createDemoUsers: false }])('then none are told of, with %j', async (flag) => {
    const { body } = await create(flag);
    expect(Object.keys(body).sort()).toEqual(['id', 'partnerCode']);
    expect(await requestsOf(body.id)).toEqual([]);
  });

  test('then a change of the partner makes none, whatever it says', async () => {
    const { body } = await create();
    const { body: reply, status } = await harness.raw({
      method: 'PUT',
      url: `/v1/admin/partners/${body.id}`,
      payload: JSON.stringify({ name: 'Changed', create_demo_users: true }),
      actor: platform,
    });
    expect([status, reply]).toEqual([200, {}]);
    expect(await requestsOf(body.id)).toEqual([]);
  });

  test('then a flag that is neither true nor false is refused', async () => {
    const { body, status } = await harness.raw({
      method: 'POST',
      url: '/v1/admin/partners',
      payload: JSON.stringify({
        name: 'Never',
        unit_id: unitId,
        contract_rank: 'standard',
        create_demo_users: 'yes',
      }),
      actor: platform,
    });
    expect([status, body.code, body.errors.map(({ field }) => field)]).toEqual([
      400,
      'E40002',
      ['create_demo_users'],
    ]);
  });
});
