import { applicationRoutes, fileRoutes, tenantEvents } from '@portal/contracts';
import { adminActor } from '@portal/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { admin, type FileHarness, startFileHarness } from './file-harness.ts';

let harness: FileHarness;

beforeAll(async () => {
  harness = await startFileHarness();
});
afterAll(async () => harness.stop());

it('When the demo is seeded, then its files are there, once, and what was deleted stays so', async () => {
  // The partner and its groups become known only while the seed waits.
  const seeding = harness.service.seed();
  await harness.partner(1);
  await harness.group(3, 'Sales');
  await harness.user(12, [3]);
  await seeding;
  const list = async () =>
    (
      await harness.call(
        fileRoutes.listFiles,
        { params: { pid: 1 }, query: { order: 'asc', includeIconUrl: 'true' } },
        admin,
      )
    ).body.files;
  const files = await list();
  expect(files).toMatchObject([
    { fileName: 'product-tour.uap', uploadStatus: 'complete', groups: [{ id: 3, name: 'Sales' }] },
    { fileName: 'company-handbook.ufpz', groups: [{ id: 0 }] },
    { fileName: 'next-release.uap', deliverReservationAt: '2026-11-28T09:00:00Z' },
  ]);
  for (const file of files) expect(file.iconSignedUrl).not.toBeNull();
  expect(await harness.delivered(12)).toEqual([files[0]?.id, files[1]?.id]);
  expect(await harness.delivered(99)).toEqual([files[1]?.id]);

  await harness.call(fileRoutes.deleteFile, { params: { pid: 1, id: files[0]?.id ?? 0 } }, admin);
  await harness.service.seed();
  expect((await list()).map(({ id }) => id)).toEqual([files[1]?.id, files[2]?.id]);
});

it('When the demo is seeded, then an application is delivered to the tenants of its third unit and another offered, once', async () => {
  const { example } = tenantEvents.partnerCreated;
  for (const [code, partnerId] of [
    ['5001', 5],
    ['5002', 6],
  ] as const) {
    harness.codes.set(code, { ...example, partnerId, unitId: 3 });
    await harness.partner(partnerId, 0, { unitId: 3 });
  }
  await harness.user(51, [], 5);
  await harness.service.seed();
  const ask = async () =>
    (await harness.call(applicationRoutes.listApplications, { query: { order: 'asc' } }, adminActor())).body;
  const { applications } = await ask();
  expect(applications).toMatchObject([
    { name: 'Safety guide', saleType: 1, unitId: null, partnerCount: 2, status: 'published' },
    { name: 'Museum map', saleType: 2, unitId: 3, allDeliverFlag: true, status: 'published' },
  ]);
  expect(await harness.delivered(51, 5)).toEqual([applications[0]?.id]);
  expect((await harness.delivered(99)).length).toBe(1);
  await harness.service.seed();
  expect((await ask()).totalCount).toBe(2);
});
