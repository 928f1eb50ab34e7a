import type { Client } from 'pg';
import { sizeOr } from './size.ts';

export const pushUserCount = sizeOr(1_000_000);
/** A group that everybody is in, and one of a hundredth. */
export const pushGroups = { all: 900_001, some: 900_002 };
/** No other user of the product has such an id. */
const firstUserId = 10_000_001;

/**
 * Users of a tenant in the database of the push service, four fifths with a device that pushes reach and a tenth of these with
 * two. People come after their devices and before their groups: all are counted in one go.
 */
export async function insertPushPeople(client: Client, partnerId: number): Promise<void> {
  await client.query(
    `INSERT INTO groups (group_id, partner_id, name) VALUES ($2, $1, 'Bench all'), ($3, $1, 'Bench some')`,
    [partnerId, pushGroups.all, pushGroups.some],
  );
  const people = `generate_series(${firstUserId}, ${firstUserId + pushUserCount - 1}) AS id`;
  const devicesOf = (id: string) => `CASE WHEN ${id} % 5 = 0 THEN 0 WHEN ${id} % 10 = 1 THEN 2 ELSE 1 END`;
  await client.query(
    `INSERT INTO devices (partner_id, uuid, user_id, registration, service, number, token, token_hash)
     SELECT $1::integer, 'bench-' || id || '-' || device, id, 1, (ARRAY['fcm', 'apns'])[1 + id % 2], id * 2::bigint + device,
       sha256(('token ' || id || ' ' || device)::bytea), sha256(('hash ' || id || ' ' || device)::bytea)
     FROM ${people}, generate_series(1, ${devicesOf('id')}) AS device`,
    [partnerId],
  );
  await client.query(
    `INSERT INTO people (user_id, partner_id, login_id, is_user, devices)
     SELECT id, $1::integer, 'bench-' || id, true, ${devicesOf('id')} FROM ${people}`,
    [partnerId],
  );
  await client.query(
    `INSERT INTO memberships (partner_id, group_id, user_id)
     SELECT $1::integer, group_id, id FROM ${people}, unnest($2::integer[]) AS group_id
     WHERE group_id = $3 OR id % 100 = 1`,
    [partnerId, [pushGroups.all, pushGroups.some], pushGroups.all],
  );
  await client.query('VACUUM ANALYZE');
}
