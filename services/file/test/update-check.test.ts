import { fileRoutes } from '@portal/contracts';
import { enterScope } from '@portal/database';
import { playerActor } from '@portal/testing';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FileHarness, startFileHarness } from './file-harness.ts';

let harness: FileHarness;
const player = playerActor({ accountId: 12 });

beforeAll(async () => {
  harness = await startFileHarness();
  await harness.partner(1);
  await harness.group(3, 'Sales');
  await harness.user(12, [3]);
});
afterAll(async () => harness.stop());

const check = async (since?: string) => {
  const query = { perPage: 100, ...(since === undefined ? {} : { since }) };
  return (await harness.call(fileRoutes.listDelivered, { query }, player)).body;
};

/** As another instance of the service would. */
async function asService(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: harness.databaseUrl });
  await client.connect();
  await enterScope(client, harness.databaseUrl, { kind: 'system', why: 'test' });
  await client.query(sql);
  await client.end();
}

/** How often the groups of a player were read. */
async function reads(): Promise<number> {
  // Statistics are written when a session is idle; a look at once would miss the last ones.
  await new Promise((resolve) => setTimeout(resolve, 1500));
  const [row] = await harness.sql<{ count: number }>(
    `SELECT sum(calls)::integer AS count FROM (SELECT seq_scan + coalesce(idx_scan, 0) AS calls FROM pg_stat_user_tables
      WHERE relname = 'memberships') scans`,
  );
  return row?.count ?? 0;
}

describe('When a player that is up to date asks again', () => {
  it('then the database is not asked', async () => {
    const { cursor } = await check();
    await check(cursor);
    const before = await reads();
    for (let i = 0; i < 50; i += 1)
      expect(await check(cursor)).toMatchObject({ files: [], removedIds: [], cursor });
    // The reads of the first two may be counted late.
    expect(await reads()).toBeLessThan(before + 5);
  });

  it('then what was acknowledged is in the very next answer', async () => {
    for (let i = 0; i < 20; i += 1) {
      const id = await harness.upload({ fileName: `next${i}.uap` });
      const { cursor } = await check();
      await check(cursor);
      await harness.assign(id, [3]);
      expect((await check(cursor)).files.map((file) => file.id)).toEqual([id]);
    }
  });

  it('then what another instance wrote is in the answer within moments', async () => {
    const id = await harness.upload({ fileName: 'elsewhere.uap' });
    await harness.assign(id, [3]);
    const { cursor } = await check();
    await check(cursor);
    await asService(`BEGIN;
      UPDATE partners SET change_counter = change_counter + 1 WHERE partner_id = 1;
      UPDATE files SET name = 'changed', changed_in = (SELECT change_counter FROM partners WHERE partner_id = 1)
        WHERE id = ${id};
      SELECT pg_notify('file_changes', '1'); COMMIT`);
    await expect.poll(async () => (await check(cursor)).files.map(({ name }) => name)).toEqual(['changed']);
  });

  it('then nothing is missed while the connection that listens is cut', async () => {
    const { cursor } = await check();
    await check(cursor);
    await asService(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'file changes'`,
    );
    const id = await harness.upload({ fileName: 'cut.uap' });
    await harness.assign(id, [3]);
    expect((await check(cursor)).files.map((file) => file.id)).toEqual([id]);
  });
});

describe('When players of many tenants ask at the same time', () => {
  it('then each is answered by the contract of its own tenant, as it is by now', async () => {
    const tenants = Array.from({ length: 20 }, (_, index) => 100 + index);
    for (const tenant of tenants) {
      await harness.partner(tenant);
      await harness.user(1_000 + tenant, [], tenant);
    }
    const ask = async () =>
      Promise.all(
        tenants.map(async (partnerId) => {
          const actor = playerActor({ partnerId, accountId: 1_000 + partnerId });
          const { status, body } = await harness.refused(fileRoutes.listDelivered, { query: {} }, actor);
          return status === 200 ? status : body.code;
        }),
      );
    expect(new Set(await ask())).toEqual(new Set([200]));
    // No event tells of it, as where one was lost.
    const ended = "license_expired_on = '2020-01-01T00:00:00.000Z'";
    await harness.sql(`UPDATE partners SET ${ended} WHERE partner_id >= 100 AND partner_id % 2 = 1`);
    await harness.sql('DELETE FROM partners WHERE partner_id = 118');
    await new Promise((resolve) => setTimeout(resolve, 5_100));
    expect(await ask()).toEqual(tenants.map((tenant) => (tenant % 2 === 1 ? 'E40302' : 200)));
  });
});
