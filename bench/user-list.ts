import { fromWire, type RouteRequest, userRoutes } from '@portal/contracts';
import { startProduct } from '@portal/testing/product';
import type { Client } from 'pg';
import type { Benchmark } from './support/figure.ts';
import { type ListAnswer, measureListPages } from './support/list-pages.ts';
import { withDatabase } from './support/product-database.ts';
import { companyAdmin, signIn } from './support/session.ts';

/** Fewer, to see how it grows. */
const userCount = Number(process.env['BENCH_USERS'] ?? 1_000_000);
const perPage = 100;
const limitMs = 100;

const { listUsers } = userRoutes;
type Query = RouteRequest<typeof listUsers>['query'];

const spring = '2026-03-01T00:00:00Z';
const summer = '2026-06-01T00:00:00Z';

/** Every filter of the contract, alone and together. */
const filters: Record<string, Query> = {
  none: {},
  name: { name: 'sato' },
  rareName: { name: `sato ${String((685 * 7919) % userCount).slice(0, 4)}` },
  loginId: { loginId: String(userCount - 1).slice(0, 4) },
  address: { loginId: '@example.com' },
  id: { id: userCount / 2 },
  osType: { osType: 'ios' },
  osVersion: { osType: 'ios', osVersion: '19.1' },
  playerVersion: { playerVersion: '5.0.1' },
  group: { group: 1 },
  groupUnset: { groupUnset: true },
  createdAt: { createdAtStart: spring, createdAtEnd: summer },
  loginAt: { loginAtStart: spring, loginAtEnd: summer },
  together: { name: 'sato', osType: 'ios', createdAtStart: spring },
};

/** The user list over HTTP in a large tenant: every filter, order key and direction; first, middle and last page. */
export const benchmark: Benchmark = async () => {
  const product = await startProduct({ LOG_LEVEL: 'warn', RATE_LIMIT: 'off' });
  try {
    await withDatabase(product, 'portal_user', insertUsers);
    const { api } = await signIn(product.url, companyAdmin);

    async function list(query: Query): Promise<ListAnswer> {
      const begun = performance.now();
      const answer = await api.send(listUsers, {
        params: { pid: companyAdmin.partnerId },
        query: { ...query, perPage },
      });
      const text = await answer.text();
      const ms = performance.now() - begun;
      const reply = listUsers.response.parse(fromWire(listUsers.response)(JSON.parse(text)));
      if (reply.totalCount === 0) {
        throw new Error(`No users for ${JSON.stringify(query)}`);
      }
      return { ms, totalPage: reply.totalPage };
    }

    return [
      await measureListPages({
        what: `User list of a tenant with ${userCount.toLocaleString('en')} users`,
        ...{ limitMs, perPage, filters, list },
        orderKeys: listUsers.query.shape.orderKey.unwrap().options,
      }),
    ];
  } finally {
    await product.remove();
  }
};

const osTypeOf = `(ARRAY['ios', 'android', 'windows'])[1 + id % 3]`;
const versionsOf = `'19.' || id % 7, '5.0.' || id % 5`;

/**
 * Users over a year, most with an address, two thirds with a device, four fifths in one of eleven groups. They are marked
 * with these, or the database would write a million of them again.
 */
export async function insertUsers(client: Client): Promise<void> {
  const values = [companyAdmin.partnerId, userCount];
  await client.query(
    `INSERT INTO groups (partner_id, name, name_key, note, role, created_at, updated_at)
     SELECT $1, 'Bench ' || i, 'bench ' || i, '', 0, now(), now() FROM generate_series(1, 10) i`,
    [companyAdmin.partnerId],
  );
  const { rows } = await client.query<{ ids: number[] }>(
    `SELECT array_agg(id ORDER BY id) AS ids FROM groups WHERE partner_id = $1 AND name LIKE 'Bench %'`,
    [companyAdmin.partnerId],
  );
  const groupOf = `CASE WHEN id % 11 = 0 THEN 1 ELSE (ARRAY[${rows[0]?.ids}])[1 + id % 10] END`;
  await client.query(
    `INSERT INTO accounts (partner_id, id, name, name_key, email, email_key, login_user_id, login_user_id_key, password_hash,
       role, is_user, max_device_count_limited_flag, max_device_count, last_login_at, created_at, updated_at, group_marks,
       platform_marks)
     SELECT $1, id, name, lower(name), email, email, login_id, login_id, NULL, 0, true, false, 0, login, at, at,
       group_marks(CASE WHEN id % 5 = 0 THEN '{}' ELSE ARRAY[${groupOf}] END),
       CASE WHEN login IS NULL THEN '' ELSE platform_mark(${osTypeOf}, ${versionsOf}) END
     FROM (SELECT nextval(pg_get_serial_sequence('accounts', 'id'))::integer AS id,
         (ARRAY['Sato', 'Suzuki', '高橋', 'Tanaka', 'Ito'])[1 + i % 5] || ' ' || i::bigint * 7919 % $2 AS name,
         CASE WHEN i % 4 <> 0 THEN 'person-' || i::bigint * 7907 % $2 || '@example.com' END AS email,
         CASE WHEN i % 4 = 0 THEN 'person-' || i::bigint * 7907 % $2 END AS login_id,
         timestamptz '2026-01-01' + (i::bigint * 7901 % 31536000) * interval '1 second' AS at,
         CASE WHEN i % 3 <> 0 THEN timestamptz '2026-01-01' + (i::bigint * 7919 % 31536000) * interval '1 second' END AS login
       FROM generate_series(1, $2::integer) i) made`,
    values,
  );
  // No triggers: the marks are there.
  await client.query('SET session_replication_role = replica');
  const ofBench = `partner_id = $1 AND name ~ ' [0-9]+$'`;
  await client.query(
    `INSERT INTO devices (partner_id, uuid, account_id, name, os_type, os_version, player_version, created_at, last_login_at)
     SELECT $1, 'device-' || id, id, 'Device', ${osTypeOf}, ${versionsOf}, created_at, last_login_at
     FROM accounts WHERE ${ofBench} AND last_login_at IS NOT NULL`,
    [companyAdmin.partnerId],
  );
  await client.query(
    `INSERT INTO memberships (partner_id, group_id, account_id)
     SELECT $1, ${groupOf}, id FROM accounts WHERE ${ofBench} AND id % 5 <> 0`,
    [companyAdmin.partnerId],
  );
  await client.query('VACUUM ANALYZE');
}
