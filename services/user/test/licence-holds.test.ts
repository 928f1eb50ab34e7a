import { tenantEvents, userEvents, userRoutes } from '@portal/contracts';
import { newId } from '@portal/kernel';
import { partnerActor } from '@portal/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startUserHarness, stateOf, type UserHarness } from './user-harness.ts';

/** What the user service does while a contract is changed to fewer licences, or to those of another type. */

let harness: UserHarness;
beforeAll(async () => {
  harness = await startUserHarness();
});
afterAll(async () => harness.stop());

const until = '2026-11-21T09:00:10Z';

async function ask(
  partnerId: number,
  limit: { licenseType?: 'user' | 'device'; licenseCount: number },
  late = until,
) {
  const holdId = newId();
  await harness.deliver(tenantEvents.licenceHoldAsked, {
    subject: partnerId,
    partnerId,
    data: { partnerId, holdId, licenseType: 'user', until: late, ...limit },
  });
  const answers = await harness.events(userEvents.licenceHoldAnswered.type);
  const answer = answers.map(({ data }) => userEvents.licenceHoldAnswered.data.parse(data));
  return { holdId, ...answer.find((one) => one.holdId === holdId) };
}

const end = async (partnerId: number, holdId: string) =>
  harness.deliver(tenantEvents.licenceHoldEnded, {
    subject: partnerId,
    partnerId,
    data: { partnerId, holdId },
  });

let logins = 0;
const create = async (pid: number) => {
  const { body, status } = await harness.refused(
    userRoutes.createUser,
    { params: { pid }, body: { name: 'A', loginUserId: `held-${logins++}`, password: 'Secret-word-7' } },
    partnerActor({ partnerId: pid }),
  );
  return status === 201 ? 201 : body.code;
};

describe('When a contract is about to have fewer licences', () => {
  test('then no user more than that is made until the contract says so, and as many as before if it does not', async () => {
    const { pid } = await harness.partner({ licenseCount: 3 });
    expect(await create(pid)).toBe(201);
    const { held, holdId, inUse } = await ask(pid, { licenseCount: 2 });
    expect([held, inUse]).toEqual([true, 1]);
    expect([await create(pid), await create(pid)]).toEqual([201, 'E40008']);
    await end(pid, holdId);
    expect([await create(pid), await create(pid)]).toEqual([201, 'E40008']);
  });

  test('then an earlier state of the contract does not lift it', async () => {
    const { pid } = await harness.partner({ licenseCount: 3 });
    await ask(pid, { licenseCount: 0 });
    await harness.deliver(tenantEvents.partnerUpdated, {
      subject: pid,
      partnerId: pid,
      data: stateOf(pid, { licenseCount: 3, name: 'Renamed', revision: 2 }),
    });
    expect(await create(pid)).toBe('E40008');
  });

  test('then less than is in use is not held, with how much that is', async () => {
    const { pid } = await harness.partner({ licenseCount: 3 });
    for (let n = 0; n < 2; n += 1) expect(await create(pid)).toBe(201);
    expect(await ask(pid, { licenseCount: 1 })).toMatchObject({ held: false, inUse: 2 });
    expect(await create(pid)).toBe(201);
  });

  test('then a question that comes too late holds nothing', async () => {
    const { pid } = await harness.partner({ licenseCount: 3 });
    const now = harness.clock.now().toISOString();
    expect(await ask(pid, { licenseCount: 0 }, now)).toMatchObject({ held: false });
    expect(await create(pid)).toBe(201);
  });

  test('then users who are made at that moment fit, or it is not held', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { pid } = await harness.partner({ licenseCount: 6 });
      const [made, { held, inUse = 0 }] = await Promise.all([
        Promise.all(Array.from({ length: 6 }, async () => create(pid))),
        ask(pid, { licenseCount: 3 }),
      ]);
      const users = made.filter((code) => code === 201).length;
      expect(held ? users <= 3 : users === 6 && inUse > 3, JSON.stringify({ held, inUse, users })).toBe(true);
    }
  });
});

test('When licences are about to count something else, then neither limit is passed meanwhile', async () => {
  const { pid } = await harness.partner({ licenseCount: 2 });
  const { held, holdId } = await ask(pid, { licenseType: 'device', licenseCount: 1 });
  expect(held).toBe(true);
  expect([await create(pid), await create(pid), await create(pid)]).toEqual([201, 201, 'E40008']);
  await harness.deliver(tenantEvents.partnerUpdated, {
    subject: pid,
    partnerId: pid,
    data: stateOf(pid, { licenseType: 'device', licenseCount: 1, revision: 2 }),
  });
  await end(pid, holdId);
  expect(await create(pid)).toBe(201);
});

test('When the end of a hold is lost, then it ends after a day', async () => {
  const { pid } = await harness.partner({ licenseCount: 3 });
  await ask(pid, { licenseCount: 0 }, '2036-01-01T00:00:00Z');
  expect(await create(pid)).toBe('E40008');
  harness.clock.advance(24 * 3_600_000 + 1_000);
  await harness.runJobs();
  expect(await create(pid)).toBe(201);
});
