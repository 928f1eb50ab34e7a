import { tenantEvents, tenantRoutes } from '@portal/contracts';
import { adminActor, type ServiceHarness, startServiceHarness } from '@portal/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tenantService } from '../src/service.ts';
import { expectRefusal } from './expect-refusal.ts';

/** What becomes of a change to fewer licences while the user service does not say whether they are enough. */

let harness: ServiceHarness;
let unitId: number;
const platform = adminActor();

beforeAll(async () => {
  harness = await startServiceHarness(tenantService, { leavesHoldsUnanswered: true });
  const body = { name: 'Unit', allocatedLicense: 100 };
  unitId = (await harness.call(tenantRoutes.createUnit, { body }, platform)).body.id;
});
afterAll(async () => harness.stop());

async function partner(): Promise<number> {
  const body = { name: 'A company', unitId, contractRank: 'standard' as const, licenseCount: 10 };
  return (await harness.call(tenantRoutes.createPartner, { body }, platform)).body.id;
}
const lower = async (pid: number, licenseCount = 5) =>
  harness.refused(tenantRoutes.updatePartner, { params: { pid }, body: { licenseCount } }, platform);
const licencesOf = async (pid: number) =>
  (await harness.call(tenantRoutes.getPartner, { params: { pid } }, platform)).body.licenseCount;
const holds = async (pid: number) =>
  harness.sql<{ holdId: string }>(`SELECT hold_id AS "holdId" FROM licence_holds WHERE partner_id = $1`, pid);
const asked = async (pid: number) => expect.poll(() => holds(pid), { interval: 5 }).toHaveLength(1);
/** What is told of the hold of a partner, in order. */
async function told(pid: number): Promise<string[]> {
  await harness.settled();
  const known: string[] = [tenantEvents.licenceHoldAsked.type, tenantEvents.licenceHoldEnded.type];
  const events = await harness.events();
  return events
    .filter(({ subject, type }) => subject === String(pid) && known.includes(type))
    .map(({ type }) => type);
}

describe('When a change to fewer licences is not answered', () => {
  test('then E50301 after ten seconds, nothing has changed, and the question is taken back', async () => {
    const pid = await partner();
    const reply = lower(pid);
    await asked(pid);
    harness.clock.advance(9_900);
    expect(await holds(pid)).toHaveLength(1);
    harness.clock.advance(200);
    expectRefusal(await reply, 'E50301');
    expect(await licencesOf(pid)).toBe(10);
    expect(await holds(pid)).toEqual([]);
    expect(await told(pid)).toEqual(['licence_hold.asked', 'licence_hold.ended']);
  });

  test('then another change to fewer waits for its turn, and both are refused in time', async () => {
    const pid = await partner();
    const first = lower(pid, 5);
    await asked(pid);
    harness.clock.advance(5_000);
    const second = lower(pid, 4);
    harness.clock.advance(5_100);
    expectRefusal(await first, 'E50301');
    await asked(pid);
    harness.clock.advance(10_100);
    expectRefusal(await second, 'E50301');
    expect(await licencesOf(pid)).toBe(10);
  });

  test('and more licences are given meanwhile, then these do not wait', async () => {
    const pid = await partner();
    const reply = lower(pid);
    await asked(pid);
    const raise = { params: { pid }, body: { licenseCount: 12 } };
    expect((await harness.call(tenantRoutes.updatePartner, raise, platform)).status).toBe(200);
    harness.clock.advance(10_100);
    expectRefusal(await reply, 'E50301');
    expect(await licencesOf(pid)).toBe(12);
  });

  test('and the partner is deleted meanwhile, then E40402 at once', async () => {
    const pid = await partner();
    const reply = lower(pid);
    await asked(pid);
    const gone = await harness.call(tenantRoutes.deletePartner, { params: { pid } }, platform);
    expect(gone.status).toBe(200);
    expectRefusal(await reply, 'E40402');
  });

  test('and whoever asked has died, then the hold is given up five seconds after its time', async () => {
    const pid = await partner();
    const reply = lower(pid);
    await asked(pid);
    const until = harness.clock.now().getTime() + 10_000;
    // As if nobody waited: the row of one that died looks the same.
    await harness.sql(
      'UPDATE licence_holds SET until = $2 WHERE partner_id = $1',
      pid,
      new Date(until - 10_000),
    );
    harness.clock.advance(4_900);
    await harness.runJobs();
    expect(await holds(pid)).toHaveLength(1);
    harness.clock.advance(200);
    await harness.runJobs();
    expect(await holds(pid)).toEqual([]);
    expectRefusal(await reply, 'E50301');
    expect(await licencesOf(pid)).toBe(10);
    expect(await told(pid)).toEqual(['licence_hold.asked', 'licence_hold.ended']);
  });
});
