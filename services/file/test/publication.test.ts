import { applicationRoutes, fileRoutes } from '@portal/contracts';
import { adminActor, playerActor } from '@portal/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FileHarness, someBytes, startFileHarness } from './file-harness.ts';

/** What a publication to very many tenants writes, and how soon their players have it. */

let harness: FileHarness;
const platform = adminActor();
const tenants = 10_000;
const ids = Array.from({ length: tenants }, (_, index) => index + 1);
/** Some of them, from both ends. */
const asked = [1, 2, tenants / 2, tenants - 1, tenants];
const withinMs = 5_000;

beforeAll(async () => {
  harness = await startFileHarness();
  await harness.sql(
    `INSERT INTO partners (partner_id, unit_id, name, name_folded, contract_rank, license_expired_on, uap_file_limit, file_public_flag)
     SELECT id, 1, 'Company ' || id, 'company ' || id, 'enterprise', NULL, 0, true FROM generate_series(1, ${tenants}) id`,
  );
  await harness.sql('ANALYZE');
});
afterAll(async () => harness.stop());

/** How many rows each table of the service has. */
async function rows(): Promise<Record<string, number>> {
  const tables = [
    'partners',
    'files',
    'versions',
    'assignments',
    'destinations',
    'memberships',
    'groups',
    'former_units',
  ];
  const counted = await harness.sql<{ name: string; count: number }>(
    tables.map((name) => `SELECT '${name}' AS name, count(*)::integer FROM ${name}`).join(' UNION ALL '),
  );
  return Object.fromEntries(counted.map(({ count, name }) => [name, count]));
}

const check = async (partnerId: number, since?: string) =>
  (
    await harness.call(
      fileRoutes.listDelivered,
      { query: since === undefined ? {} : { since } },
      playerActor({ partnerId, accountId: partnerId * 10 }),
    )
  ).body;

async function publish(destination: { allDeliverFlag: true } | { partnerIds: number[] }): Promise<number> {
  const bytes = someBytes();
  const body = {
    name: 'Viewer',
    saleType: 1 as const,
    fileName: 'viewer.uap',
    fileSize: bytes.length,
    ...destination,
  };
  const created = await harness.call(applicationRoutes.createApplication, { body }, platform);
  expect(created.status).toBe(201);
  await harness.put(created.body.signedUrl, bytes);
  const params = { uploadId: created.body.uploadId };
  await harness.call(fileRoutes.completeUpload, { params, body: { parts: [] } }, platform);
  return created.body.id;
}

describe('When an application is published to 10,000 tenants', () => {
  it.each([
    ['all that there are, then one row says so', { allDeliverFlag: true } as const, 1],
    ['that are named, then each is one row', { partnerIds: ids }, tenants],
  ])(
    '%s; none is of a person, and every player has it with the next update check',
    async (_, destination, written) => {
      const before = await rows();
      const cursors = await Promise.all(asked.map(async (partnerId) => (await check(partnerId)).cursor));
      const id = await publish(destination);
      const completedAt = performance.now();
      for (const [index, partnerId] of asked.entries()) {
        expect((await check(partnerId, cursors[index])).files.map((file) => file.id)).toEqual([id]);
      }
      expect(performance.now() - completedAt).toBeLessThan(withinMs);
      const after = await rows();
      const added = Object.keys(after).map((name) => [name, (after[name] ?? 0) - (before[name] ?? 0)]);
      expect(Object.fromEntries(added)).toEqual({
        partners: before['files'] === 0 ? 1 : 0,
        files: 1,
        versions: 1,
        assignments: 0,
        destinations: written,
        memberships: 0,
        groups: 0,
        former_units: 0,
      });
      await harness.call(applicationRoutes.deleteApplication, { params: { id } }, platform);
    },
  );
});
