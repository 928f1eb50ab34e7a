import { formatDateTime } from '@portal/contracts';
import { enterScope, withClient } from '@portal/database';
import { partnerActor } from '@portal/testing';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type FileHarness, startFileHarness } from './file-harness.ts';

let harness: FileHarness;
/** Of each tenant, one file that is delivered to a group later. */
const model = new Map<number, number>();
const minute = 60_000;

beforeAll(async () => {
  harness = await startFileHarness();
  for (const partnerId of [1, 2, 3]) {
    await harness.partner(partnerId);
    await harness.group(partnerId * 10, 'Sales', partnerId);
    const fileName = `model-${partnerId}.uap`;
    const deliverReservationAt = formatDateTime(
      new Date(harness.clock.now().getTime() + 365 * 24 * 60 * minute),
    );
    model.set(
      partnerId,
      await harness.upload({ fileName, deliverReservationAt }, partnerActor({ partnerId })),
    );
  }
});
afterAll(async () => harness.stop());
beforeEach(() => harness.clock.advance(60 * minute));

/** Of each tenant so many deliveries or updates came due at one time, so many seconds ago. */
async function due(
  what: 'delivery' | 'update',
  tenants: { partnerId: number; count: number; since: number }[],
): Promise<void> {
  const time = what === 'delivery' ? 'deliver_reservation_at' : 'update_reservation_at';
  await harness.sql(
    `WITH made AS (
       INSERT INTO files SELECT (jsonb_populate_record(model, jsonb_build_object(
         'id', nextval('files_id_seq'), 'live_file_name', NULL, 'deliver_reservation_at', NULL,
         'reserved_version_id', CASE WHEN $5 = 'update' THEN model.current_version_id END,
         '${time}', $4::timestamptz - since * interval '1 s'))).*
       FROM unnest($1::integer[], $2::integer[], $3::integer[]) AS tenant (model_id, count, since)
       JOIN files model ON model.id = model_id CROSS JOIN LATERAL generate_series(1, count) n
       RETURNING id, partner_id)
     INSERT INTO assignments (partner_id, file_id, group_id, added_in, announced)
     SELECT partner_id, id, partner_id * 10, 1, $5 = 'update' FROM made`,
    tenants.map(({ partnerId }) => model.get(partnerId)),
    tenants.map(({ count }) => count),
    tenants.map(({ since }) => since),
    harness.clock.now(),
    what,
  );
}

/** The tenants of all events of the type, in their order. */
const told = async (type: string) => (await harness.events(type)).map(({ partnerid }) => partnerid);

it.each([
  ['delivery', 'file.delivered'],
  ['update', 'file.version_released'],
] as const)(
  'When more than a turn takes of one tenant is due (%s), then that of others is told meanwhile, and all in one run',
  async (what, type) => {
    const before = (await told(type)).length;
    await due(what, [
      { partnerId: 1, count: 60, since: 60 },
      { partnerId: 2, count: 1, since: 30 },
    ]);
    await harness.runJobs();
    const events = (await told(type)).slice(before);
    expect(events).toHaveLength(61);
    expect(events.indexOf(2)).toBeLessThan(60);
  },
);

it('When a tenant has a running change, then what is due of it holds no place, and is told later', async () => {
  const type = 'file.delivered';
  const before = (await told(type)).length;
  // Whatever becomes of the looks, the change ends with its connection.
  await withClient(harness.databaseUrl, async (another) => {
    await enterScope(another, harness.databaseUrl, { kind: 'partner', partnerId: 1 });
    await another.query('BEGIN');
    await another.query('SELECT FROM partners WHERE partner_id = 1 FOR UPDATE');
    await due('delivery', [
      { partnerId: 1, count: 60, since: 60 },
      { partnerId: 2, count: 5, since: 30 },
      { partnerId: 3, count: 1, since: 10 },
    ]);
    await harness.runJobs();
    const events = (await told(type)).slice(before);
    expect(events).not.toContain(1);
    expect(events).toHaveLength(6);
  });
  await expect.poll(harness.afterJobs(async () => (await told(type)).length - before)).toBe(66);
});
