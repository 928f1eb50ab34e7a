import { tenantEvents, userRoutes } from '@portal/contracts';
import { verifyLogin } from '@portal/contracts/internal';
import { partnerActor } from '@portal/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startUserHarness, stateOf, type UserHarness } from './user-harness.ts';

let harness: UserHarness;

beforeAll(async () => {
  harness = await startUserHarness();
});
afterAll(async () => harness.stop());

const people = async () =>
  harness.sql(
    `SELECT a.partner_id, coalesce(a.email, a.login_user_id) AS login, a.role, a.is_user,
       array_remove(array_agg(g.name), NULL) AS groups
     FROM accounts a
     LEFT JOIN memberships m ON m.account_id = a.id LEFT JOIN groups g ON g.id = m.group_id
     GROUP BY a.id ORDER BY a.id`,
  );

const admin = (partner_id: number, login: string) => ({
  partner_id,
  login,
  role: 268_435_456,
  is_user: false,
  groups: [],
});
const user = (partner_id: number, login: string, role: number, ...groups: string[]) => ({
  partner_id,
  login,
  role,
  is_user: true,
  groups,
});

describe('When the demo is seeded', () => {
  it('then it waits for the partners and makes the people of the specification', async () => {
    const seeding = harness.service.seed();
    harness.unheardPartners.set(1, stateOf(1, { licenseCount: 100 }));
    await harness.deliver(tenantEvents.partnerCreated, {
      subject: 2,
      partnerId: 2,
      data: stateOf(2, { contractRank: 'standard', licenseType: 'device', licenseCount: 10 }),
    });
    harness.unheardPartners.set(3, stateOf(3, { contractRank: 'entry', licenseCount: 20 }));
    harness.unheardPartners.set(4, stateOf(4, { contractRank: 'trial', licenseCount: 5 }));
    await seeding;
    expect(await people()).toEqual([
      admin(1, 'partner@example.com'),
      user(1, 'taro', 0, 'Sales'),
      user(1, 'hanako@example.com', 0, 'Field'),
      user(1, 'jiro', 0),
      user(1, 'dev', 16),
      user(1, 'pusher', 1),
      admin(2, 'second@example.com'),
      user(2, 'crew1', 0, 'Crew'),
      admin(3, 'entry@example.com'),
      admin(4, 'expired@example.com'),
    ]);
    expect(await harness.events('user.created')).toHaveLength(10);
    expect(await harness.events('group.created')).toHaveLength(3);
  });

  it('then each signs in with the demo password', async () => {
    for (const { partner_id, login } of await people()) {
      const name = String(login).includes('@') ? 'email' : 'loginUserId';
      const { status } = await harness.callAs('identity', verifyLogin, {
        body: { partnerId: Number(partner_id), [name]: String(login), password: 'Passw0rd-demo' },
      });
      expect([login, status]).toEqual([login, 200]);
    }
  });

  it('then a second time changes nothing, and what was deleted stays away', async () => {
    const actor = partnerActor({ partnerId: 2 });
    const list = await harness.call(userRoutes.listUsers, { params: { pid: 2 }, query: {} }, actor);
    const ids = list.body.users.map(({ id }) => id);
    await harness.call(userRoutes.deleteUsers, { params: { pid: 2 }, body: { ids } }, actor);
    const [before, events] = [await people(), await harness.events()];
    await harness.service.seed();
    expect(await people()).toEqual(before);
    expect(await harness.events()).toEqual(events);
  });
});

describe('When a seed was cut short', () => {
  it('then it goes on where it stopped', async () => {
    await harness.sql('DELETE FROM milestones');
    await harness.sql('DELETE FROM accounts WHERE partner_id > 2');
    await harness.service.seed();
    expect(await people()).toHaveLength(10);
  });
});
