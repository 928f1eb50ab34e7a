import { deliveryRoutes, fromWire, type RouteRequest } from '@portal/contracts';
import { startProduct } from '@portal/testing/product';
import type { Client } from 'pg';
import { type Benchmark, quantile } from './support/figure.ts';
import { type ListAnswer, measureListPages } from './support/list-pages.ts';
import { withDatabase } from './support/product-database.ts';
import { companyAdmin, signIn } from './support/session.ts';

export const deviceCount = Number(process.env['BENCH_DEVICES'] ?? 1_000_000);
const perPage = 100;
const pageLimitMs = 150;
const numbersLimitMs = 200;
const numbersAsked = 100;

const { getDelivery, listDeliveryDevices } = deliveryRoutes;
type Query = RouteRequest<typeof listDeliveryDevices>['query'];

/** Every filter of the contract, alone and together. */
const filters: Record<string, Query> = {
  none: {},
  user: { user: 'sato' },
  rareUser: { user: 'sato 7791' },
  login: { user: 'person-9999' },
  device: { device: 'tablet 12' },
  uuid: { device: 'bench-500000' },
  version: { version: 1 },
  notSeen: { status: 'not_seen' },
  installed: { status: 'installed' },
  failed: { status: 'failed' },
  several: { status: 'downloading,downloaded' },
  reason: { reason: 'room' },
  group: { group: 9_003 },
  at: { atStart: '2026-03-01T00:00:00Z', atEnd: '2026-06-01T00:00:00Z' },
  together: { group: 9_003, status: 'failed', user: 'sato' },
};

/** What has become of a file with 1,000,000 devices, over HTTP: its numbers, and the list of its devices. */
export const benchmark: Benchmark = async () => {
  const product = await startProduct({ LOG_LEVEL: 'warn', RATE_LIMIT: 'off' });
  try {
    const id = await withDatabase(product, 'portal_file', insertDelivery);
    const { api } = await signIn(product.url, companyAdmin);
    const params = { pid: companyAdmin.partnerId, id };

    const samples: number[] = [];
    for (let n = 0; n < numbersAsked; n += 1) {
      const begun = performance.now();
      const { states, targeted } = await api.call(getDelivery, { params });
      samples.push(performance.now() - begun);
      const sum = Object.values(states).reduce((total, count) => total + count, 0);
      if (targeted.devices !== deviceCount || sum !== deviceCount)
        throw new Error(JSON.stringify({ states, targeted }));
    }
    const p95 = quantile(samples, 0.95);

    async function list(query: Query): Promise<ListAnswer> {
      const begun = performance.now();
      const answer = await api.send(listDeliveryDevices, { params, query: { ...query, perPage } });
      const text = await answer.text();
      const ms = performance.now() - begun;
      const reply = listDeliveryDevices.response.parse(
        fromWire(listDeliveryDevices.response)(JSON.parse(text)),
      );
      if (reply.devices.length === 0) throw new Error(`No devices for ${JSON.stringify(query)}`);
      return { ms, totalPage: reply.totalPage };
    }

    return [
      {
        what: `Numbers of a file with ${deviceCount} devices; p95`,
        target: `${numbersLimitMs} ms`,
        measured: `${Math.round(p95)} ms`,
        value: p95,
        better: 'lower',
        detail: `${numbersAsked} times, one after the other: median ${Math.round(quantile(samples, 0.5))} ms`,
        met: p95 < numbersLimitMs,
      },
      await measureListPages({
        what: `Devices of a file with ${deviceCount}`,
        ...{ limitMs: pageLimitMs, perPage, filters, list },
        orderKeys: listDeliveryDevices.query.shape.orderKey.unwrap().options,
      }),
    ];
  } finally {
    await product.remove();
  }
};

/**
 * A file for ten groups, people in fifty sets of these, and of three quarters of the devices what has become of it. The triggers that
 * count would count each row; here all are counted at once.
 */
export async function insertDelivery(client: Client): Promise<number> {
  const pid = companyAdmin.partnerId;
  const { rows } = await client.query<{ id: number }>(
    `INSERT INTO files (partner_id, name, note, file_name, name_folded, note_folded, live_file_name, is_uap, version,
       current_version_id, completed_at, assigned_at, changed_in, created_at, updated_at)
     VALUES ($1, 'Bench', '', 'Bench.uap', 'bench', '', 'bench.uap', true, 1, nextval('versions_id_seq'), now(), now(), 1, now(), now())
     RETURNING id`,
    [pid],
  );
  const id = rows[0]?.id ?? 0;
  await client.query(
    `INSERT INTO versions (id, partner_id, file_id, upload_id, slot, status, unattended, size, object_key, incoming_key, sha256,
       opened_at, urls_expire_at)
     SELECT current_version_id, partner_id, id, gen_random_uuid(), 'current', 'complete', false, 10, 'a/' || id, 'b/' || id,
       repeat('0', 64), created_at, created_at
     FROM files WHERE id = $1`,
    [id],
  );
  await client.query(
    `INSERT INTO groups (group_id, partner_id, name) SELECT 9000 + i, $1, 'Bench ' || i FROM generate_series(1, 10) i`,
    [pid],
  );
  await client.query(
    `INSERT INTO assignments (partner_id, file_id, group_id, added_in, announced)
     SELECT $1, $2, 9000 + i, 1, true FROM generate_series(1, 10) i`,
    [pid, id],
  );
  await client.query(`SET session_replication_role = replica`);
  await client.query(
    `INSERT INTO audiences (id, partner_id, group_ids)
     SELECT 900000 + i, $1, ARRAY(SELECT DISTINCT g FROM unnest(ARRAY[9001 + i % 10, 9001 + (i / 10 + i) % 10]) g ORDER BY g)
     FROM generate_series(0, 49) i ON CONFLICT DO NOTHING`,
    [pid],
  );
  await client.query(
    `INSERT INTO people (user_id, partner_id, name, name_folded, login_id, login_folded, audience_id)
     SELECT 9000000 + i, $1, name, lower(name), 'person-' || i, 'person-' || i, audience.ids[1 + i % cardinality(audience.ids)]
     FROM (SELECT i, (ARRAY['Sato', 'Suzuki', '高橋', 'Tanaka', 'Ito'])[1 + i % 5] || ' ' || i::bigint * 7919 % $2 AS name
       FROM generate_series(1, $2::integer) i) made
     CROSS JOIN (SELECT array_agg(id ORDER BY id) AS ids FROM audiences WHERE id >= 900000) audience`,
    [pid, deviceCount],
  );
  await client.query(
    `INSERT INTO devices (partner_id, uuid, user_id, name, name_folded, os_type, os_version, player_version, user_folded, login_folded,
       audience_id)
     SELECT partner_id, 'bench-' || user_id - 9000000, user_id, 'Tablet ' || user_id::bigint * 7907 % $1,
       'tablet ' || user_id::bigint * 7907 % $1, 'ios', '19.1', '5.0.1', name_folded, login_folded, audience_id
     FROM people WHERE user_id > 9000000`,
    [deviceCount],
  );
  await client.query(
    `INSERT INTO receipts (file_id, version, device_id, partner_id, audience_id, status, reason, at, told_by)
     SELECT $1, 1, id, partner_id, audience_id, status, CASE WHEN status = 'failed' AND id % 3 > 0
         THEN (ARRAY['No room', 'The package is broken'])[id % 3] END,
       timestamptz '2026-01-01' + (id::bigint * 7901 % 31536000) * interval '1 second', 'player'
     FROM (SELECT *, (ARRAY['seen', 'downloading', 'downloaded', 'installed', 'installed', 'installed', 'installed', 'failed',
         'removed'])[1 + id % 9] AS status
       FROM devices WHERE uuid LIKE 'bench-%' AND id % 4 > 0) device`,
    [id],
  );
  await client.query(
    `INSERT INTO delivery_counts (file_id, version, audience_id, status, reason, partner_id, count)
     SELECT file_id, version, audience_id, status, CASE status WHEN 'failed' THEN coalesce(reason, '') ELSE '' END, partner_id, count(*)
     FROM receipts WHERE file_id = $1 GROUP BY 1, 2, 3, 4, 5, 6`,
    [id],
  );
  await client.query(
    `UPDATE audiences audience SET devices = known.count, people = known.count
     FROM (SELECT audience_id, count(*) AS count FROM devices WHERE uuid LIKE 'bench-%' GROUP BY 1) known
     WHERE audience.id = known.audience_id`,
  );
  await client.query(`SET session_replication_role = origin`);
  await client.query('VACUUM ANALYZE');
  return id;
}
