import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { type FileHarness, someBytes, startFileHarness } from './file-harness.ts';

let harness: FileHarness;
beforeAll(async () => {
  harness = await startFileHarness();
});
afterEach(() => vi.restoreAllMocks());
afterAll(async () => harness.stop());

const second = 1_000;

/** Of each tenant so many are due, since so many seconds. */
async function due(tenants: { partnerId: number; count: number; since: number }[]): Promise<void> {
  await harness.sql(
    `INSERT INTO removals (partner_id, key, due_at)
     SELECT partner_id, 'partners/' || partner_id || '/gone-' || n, $4::timestamptz - since * interval '1 s'
     FROM unnest($1::integer[], $2::integer[], $3::integer[]) AS tenant (partner_id, count, since)
     CROSS JOIN LATERAL generate_series(1, count) n`,
    tenants.map(({ partnerId }) => partnerId),
    tenants.map(({ count }) => count),
    tenants.map(({ since }) => since),
    harness.clock.now(),
  );
}

const left = async () =>
  harness.sql<{ partner: number; count: number }>(
    'SELECT partner_id AS partner, count(*)::integer AS count FROM removals GROUP BY 1 ORDER BY 1',
  );

it('When a tenant has much to remove, then it holds up no other, a few go at the same time, and one run is enough', async () => {
  const remove = harness.storage.delete;
  let now = 0;
  let most = 0;
  const deleted = vi.spyOn(harness.storage, 'delete').mockImplementation(async (key) => {
    now += 1;
    most = Math.max(most, now);
    await remove(key);
    await new Promise(setImmediate);
    now -= 1;
  });
  await due([
    { partnerId: 1, count: 450, since: 3_600 },
    { partnerId: 2, count: 1, since: 1 },
    { partnerId: 3, count: 1, since: 1 },
  ]);
  await harness.runJobs();
  expect(await left()).toEqual([]);
  const keys = deleted.mock.calls.map(([key]) => key);
  expect(keys.indexOf('partners/2/gone-1')).toBeLessThan(60);
  expect(keys.indexOf('partners/3/gone-1')).toBeLessThan(60);
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(10);
});

it('When the store refuses what a tenant has, then that of others goes, and its own is tried again a minute later', async () => {
  await harness.storage.put('partners/5/gone-1', Readable.from([someBytes()]));
  const remove = harness.storage.delete;
  let refusing = true;
  const deleted = vi.spyOn(harness.storage, 'delete').mockImplementation(async (key) => {
    if (refusing && key.startsWith('partners/4/')) throw new Error('The store refuses it');
    await remove(key);
  });
  await due([
    { partnerId: 4, count: 150, since: 3_600 },
    { partnerId: 5, count: 30, since: 1 },
  ]);
  await harness.runJobs();
  await expect.poll(harness.afterJobs(left)).toEqual([{ partner: 4, count: 150 }]);
  expect(await harness.storage.head('partners/5/gone-1')).toBeUndefined();
  // Each once, until its minute is over.
  await expect
    .poll(
      harness.afterJobs(async () => deleted.mock.calls.length),
      { timeout: 10_000 },
    )
    .toBe(180);
  refusing = false;
  harness.clock.advance(60 * second);
  await harness.runJobs();
  expect(await left()).toEqual([]);
});
