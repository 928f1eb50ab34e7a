import type { Client } from 'pg';
import { sizeOr } from './size.ts';

export const partnerCount = sizeOr(100_000);
export const unitCount = 200;

/**
 * Partners of every rank over a year in as many units each, half of them with an end, a tenth with a bounce, most with users or
 * devices and mails of the last month.
 */
export async function insertPartners(client: Client): Promise<void> {
  await client.query(
    `INSERT INTO units (name, name_key, allocated_license, owner_partnerid, can_force_distribute_app, created_at, updated_at)
     SELECT 'Bench ' || i, 'bench ' || i, 10000000, 0, false, now(), now() FROM generate_series(1, $1::integer) i`,
    [unitCount],
  );
  await client.query(
    `INSERT INTO partners (unit_id, name, name_key, partner_code, partner_code_key, contract_rank, license_type, license_count,
       license_expired_on, user_device_limit, uap_file_limit, file_public_flag, operation_log_download_flag, email,
       partner_item, json, comment, managers, lang, time_zone, bounce_count, created_at, updated_at)
     SELECT (SELECT min(id) FROM units WHERE name LIKE 'Bench %') + i % $2, name, lower(name), code, code,
       (ARRAY['free', 'trial', 'entry', 'standard', 'enterprise'])[1 + i % 5]::contract_rank,
       (ARRAY['user', 'device'])[1 + i % 2]::license_type, 1 + i::bigint * 7907 % 900,
       CASE WHEN i % 2 = 0 THEN timestamptz '2026-01-01' + (i::bigint * 7901 % 63072000) * interval '1 second' END,
       0, 1, true, false, 'contact-' || i || '@example.com', '', '', repeat('A comment. ', 20), '', 'ja', 'Asia/Tokyo',
       (i % 10 = 0)::integer, at, at
     FROM (SELECT i, (ARRAY['株式会社', 'Sato', 'Tanaka', 'Ito', 'Suzuki'])[1 + i % 5] || ' ' || i::bigint * 7919 % $1 AS name,
         'b-' || i::bigint * 7919 % 99999999 AS code,
         timestamptz '2026-01-01' + (i::bigint * 7919 % 31536000) * interval '1 second' AS at
       FROM generate_series(1, $1::integer) i) made`,
    [partnerCount, unitCount],
  );
  await client.query(
    `INSERT INTO bounces (partner_id, email, kind, reason, occurred_at)
     SELECT partner_id, 'gone@example.com', 'hard', '550', created_at FROM partners WHERE bounce_count > 0`,
  );
  await client.query(
    `INSERT INTO licence_use (partner_id, kind, count)
     SELECT partner_id, kind, partner_id % 500 FROM partners, unnest(ARRAY['user', 'device']::licence_holder_kind[]) AS kind
     ON CONFLICT DO NOTHING`,
  );
  await client.query(
    `INSERT INTO daily_mails (partner_id, day, sent)
     SELECT partner_id, now()::date - days, 3 FROM partners, generate_series(0, 9) AS days ON CONFLICT DO NOTHING`,
  );
  await client.query('VACUUM ANALYZE');
}
