import type { ApiClient } from '@portal/api-client';
import { fileRoutes, type RolloutPlan } from '@portal/contracts';
import type { Product } from '@portal/testing/product';
import type { Client } from 'pg';
import { withDatabase } from './product-database.ts';
import { companyAdmin } from './session.ts';
import { sizeOr } from './size.ts';

export const deviceCount = sizeOr(1_000_000);
const fileName = 'Bench.uap';
/** Of the devices, those that get the second version in its first stage. */
const percent = 30;

/** A file that a million devices are to have; answers its id. */
export async function deliverToAll(product: Product): Promise<number> {
  await withDatabase(product, 'portal_user', async (client) => {
    await client.query(
      `INSERT INTO groups (id, partner_id, name, name_key, note, role, created_at, updated_at)
       SELECT 9000 + i, $1, 'Bench ' || i, 'bench ' || i, '', 0, now(), now() FROM generate_series(1, 10) i`,
      [companyAdmin.partnerId],
    );
  });
  return withDatabase(product, 'portal_file', async (client) =>
    withoutIndexes(client, ['people', 'devices', 'receipts'], async () => insertDelivery(client)),
  );
}

/** Millions of rows go in several times as fast before their indexes are made than after. */
async function withoutIndexes<T>(
  client: Client,
  tables: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition FROM pg_index
     WHERE indrelid = ANY ($1::regclass[]) AND NOT indisprimary`,
    [tables],
  );
  await client.query(`SET maintenance_work_mem = '512MB'`);
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`);
  const result = await work();
  for (const { definition } of rows) await client.query(definition);
  await client.query('VACUUM ANALYZE');
  return result;
}

/** Gives a file a second version, which goes out in stages, and tells what has become of it. */
export async function releaseInStages(product: Product, api: ApiClient, id: number): Promise<void> {
  const params = { pid: companyAdmin.partnerId, id };
  const bytes = Buffer.from('small');
  const rollout: RolloutPlan = { stages: [{ percent }, { percent: 100 }] };
  const body = { fileName, fileSize: bytes.length, rollout };
  const upload = await api.call(fileRoutes.updateFile, { params, body });
  if (!('uploadId' in upload)) throw new Error('No upload was opened');
  await fetch(upload.signedUrl, { method: 'PUT', body: bytes });
  await api.call(fileRoutes.completeUpload, { params: { uploadId: upload.uploadId }, body: {} });
  await withDatabase(product, 'portal_file', async (client) => insertToldInStages(client, id));
}

async function insertToldInStages(client: Client, id: number): Promise<void> {
  await client.query(`SET session_replication_role = replica`);
  await client.query(
    `INSERT INTO receipts (file_id, version, device_id, partner_id, audience_id, status, reason, at, told_by)
     SELECT $1::integer, 2, id, partner_id, audience_id, status, CASE WHEN status = 'failed' THEN 'No room' END,
       timestamptz '2026-06-01' + (id::bigint * 7901 % 8000000) * interval '1 second', 'player'
     FROM (SELECT *, (ARRAY['seen', 'downloading', 'downloaded', 'installed', 'installed', 'failed'])[1 + id % 6] AS status
       FROM devices WHERE uuid LIKE 'bench-%' AND id % 5 > 0 AND (place + place_of($1::integer || '.2')) % 100 < $2) device`,
    [id, percent],
  );
  await client.query(
    `INSERT INTO delivery_counts (file_id, version, audience_id, status, reason, partner_id, count)
     SELECT file_id, version, audience_id, status, coalesce(reason, ''), partner_id, count(*)
     FROM receipts WHERE file_id = $1 AND version = 2 GROUP BY 1, 2, 3, 4, 5, 6`,
    [id],
  );
  await client.query(
    `INSERT INTO place_counts (file_id, version, audience_id, status, place, partner_id, count)
     SELECT receipt.file_id, receipt.version, receipt.audience_id, receipt.status, device.place, receipt.partner_id, count(*)
     FROM receipts receipt JOIN devices device ON device.id = receipt.device_id
     WHERE receipt.file_id = $1 AND receipt.version = 2 GROUP BY 1, 2, 3, 4, 5, 6`,
    [id],
  );
  await client.query(`SET session_replication_role = origin`);
  await client.query('VACUUM ANALYZE');
}

/**
 * A file for ten groups, people in fifty sets of these, and of three quarters of the devices what has become of it. The triggers that
 * count would count each row; here all are counted at once.
 */
async function insertDelivery(client: Client): Promise<number> {
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
       opened_at, urls_expire_at, number, live_from)
     SELECT current_version_id, partner_id, id, gen_random_uuid(), 'current', 'complete', false, 10, 'a/' || id, 'b/' || id,
       repeat('0', 64), created_at, created_at, 1, created_at
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
    `INSERT INTO people (user_id, partner_id, name, name_folded, login_id, login_folded, audience_id, places)
     SELECT 9000000 + i, $1, name, lower(name), 'person-' || i, 'person-' || i, audience.ids[1 + i % cardinality(audience.ids)],
       ARRAY[place_of('bench-' || i)]
     FROM (SELECT i, (ARRAY['Sato', 'Suzuki', '高橋', 'Tanaka', 'Ito'])[1 + i % 5] || ' ' || i::bigint * 7919 % $2 AS name
       FROM generate_series(1, $2::integer) i) made
     CROSS JOIN (SELECT array_agg(id ORDER BY id) AS ids FROM audiences WHERE id >= 900000) audience`,
    [pid, deviceCount],
  );
  await client.query(
    `INSERT INTO devices (partner_id, uuid, user_id, name, name_folded, os_type, os_version, player_version, user_folded, login_folded,
       audience_id, place)
     SELECT partner_id, 'bench-' || user_id - 9000000, user_id, 'Tablet ' || user_id::bigint * 7907 % $1,
       'tablet ' || user_id::bigint * 7907 % $1, 'ios', '19.1', '5.0.1', name_folded, login_folded, audience_id,
       places[1]
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
    `UPDATE audiences audience SET devices = known.count, people = known.count, fingerprint = known.fingerprint
     FROM (SELECT audience_id, count(*) AS count, sum(fingerprint_of(user_id)) AS fingerprint FROM people
       WHERE user_id > 9000000 GROUP BY 1) known
     WHERE audience.id = known.audience_id`,
  );
  await client.query(
    `INSERT INTO audience_places (audience_id, places, partner_id, people)
     SELECT audience_id, places, partner_id, count(*) FROM people WHERE user_id > 9000000 GROUP BY 1, 2, 3`,
  );
  await client.query(`SET session_replication_role = origin`);
  return id;
}
