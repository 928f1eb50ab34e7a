import { pushRoutes as routes } from '@portal/contracts';
import { adminActor } from '@portal/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { appCertificate, type PushHarness, startPushHarness } from './push-harness.ts';

let harness: PushHarness;
const day = 24 * 3_600_000;
const end = new Date('2026-12-31T00:00:00Z');
let ios: Awaited<ReturnType<typeof appCertificate>>;

beforeAll(async () => {
  harness = await startPushHarness();
  ios = await appCertificate({ notAfter: end });
});
afterAll(async () => harness.stop());

/** What was told of the ends of certificates of a partner, once the jobs have run at this time. */
async function toldAt(pid: number | null, time: Date) {
  harness.clock.set(time);
  await harness.runJobs();
  return (await harness.events('certification.ending'))
    .filter(({ partnerid }) => partnerid === pid)
    .map(({ data }) => data);
}
const before = (days: number) => new Date(end.getTime() - days * day);

describe('When a certificate ends', () => {
  test('then it is told 30 days before and 7 days before, once each, and not after', async () => {
    const own = await harness.partner();
    const certificationId = await own.certification({ name: 'Sales', ...ios });
    const notice = (days: number) => ({
      certificationId,
      name: 'Sales',
      certificateExpiresAt: '2026-12-31T00:00:00Z',
      days,
    });
    expect(await toldAt(own.pid, before(31))).toEqual([]);
    expect(await toldAt(own.pid, before(30))).toEqual([notice(30)]);
    expect(await toldAt(own.pid, before(8))).toEqual([notice(30)]);
    expect(await toldAt(own.pid, before(7))).toEqual([notice(30), notice(7)]);
    expect(await toldAt(own.pid, before(1))).toEqual([notice(30), notice(7)]);
    expect(await toldAt(own.pid, before(-1))).toEqual([notice(30), notice(7)]);
  });

  test('in less than 7 days when it comes, then that alone is told; of another certificate it is told anew', async () => {
    harness.clock.set(before(5));
    const own = await harness.partner();
    const id = await own.certification(ios);
    const android = await own.certification({ name: 'Android' });
    const told = async (days: number) => (await toldAt(own.pid, before(days))).map((data) => Object(data));
    expect(await told(5)).toMatchObject([{ certificationId: id, days: 7 }]);
    const params = { pid: own.pid, id };
    await harness.call(routes.updateCertification, { params, body: { name: 'Renamed' } }, own.admin);
    expect(await told(4)).toHaveLength(1);
    const other = await appCertificate({ notAfter: new Date(end.getTime() + 20 * day) });
    await harness.call(routes.updateCertification, { params, body: other }, own.admin);
    expect(await told(3)).toMatchObject([{ days: 7 }, { certificationId: id, name: 'Renamed', days: 30 }]);
    expect(android).toBeGreaterThan(id);
  });

  test('and is the operator’s, then no company admin is told', async () => {
    harness.clock.set(before(5));
    await harness.call(routes.createOperatorCertification, { body: ios }, adminActor());
    expect(await toldAt(null, before(5))).toEqual([]);
  });
});
