import { type RouteRequest, toCamel, userRoutes } from '@portal/contracts';
import { startProduct } from '@portal/testing/product';
import type { Client } from 'pg';
import type { Benchmark } from './support/figure.ts';
import { type ListAnswer, measureListPages } from './support/list-pages.ts';
import { withDatabase } from './support/product-database.ts';
import { companyAdmin, signIn } from './support/session.ts';

const userCount = 1_000_000;
const perPage = 100;
const limitMs = 150;

const { listUsers } = userRoutes;
type Query = RouteRequest<typeof listUsers>['query'];

const spring = '2026-03-01T00:00:00Z';
const summer = '2026-06-01T00:00:00Z';

/** Every filter of the contract, alone and together. */
const filters: Record<string, Query> = {
  none: {},
  name: { name: 'sato' },
  rareName: { name: 'sato 7791' },
  loginId: { loginId: '9999' },
  address: { loginId: '@example.com' },
  id: { id: 500_000 },
  osType: { osType: 'ios' },
  osVersion: { osType: 'ios', osVersion: '19.1' },
  playerVersion: { playerVersion: '5.0.1' },
  group: { group: 1 },
  groupUnset: { groupUnset: true },
  createdAt: { createdAtStart: spring, createdAtEnd: summer },
  loginAt: { loginAtStart: spring, loginAtEnd: summer },
  together: { name: 'sato', osType: 'ios', createdAtStart: spring },
};

/** The user list over HTTP in a tenant with 1,000,000 users: every filter, order key and direction; first, middle and last page. */
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
      const reply = listUsers.response.parse(toCamel(JSON.parse(text)));
      if (!('totalPage' in reply) || reply.totalCount === 0) {
        throw new Error(`No users for ${JSON.stringify(query)}`);
      }
      return { ms, totalPage: reply.totalPage };
    }

    return [
      await measureListPages({
        what: 'User list of a tenant with 1,000,000 users',
        ...{ limitMs, perPage, filters, list },
        orderKeys: listUsers.query.shape.orderKey.unwrap().options,
      }),
    ];
  } finally {
    await product.remove();
  }
};

/** Users over a year, most with an address, two thirds with a device, four fifths in one of ten groups. */
async function insertUsers(client: Client): Promise<void> {
  const values = [companyAdmin.partnerId, userCount];
  await client.query(
    `INSERT INTO accounts (partner_id, name, name_key, email, email_key, login_user_id, login_user_id_key, password_hash,
       role, is_user, max_device_count_limited_flag, max_device_count, last_login_at, created_at, updated_at)
     SELECT $1, name, lower(name), email, email, id, id, NULL, 0, true, false, 0, login, at, at
     FROM (SELECT (ARRAY['Sato', 'Suzuki', '高橋', 'Tanaka', 'Ito'])[1 + i % 5] || ' ' || i::bigint * 7919 % $2 AS name,
         CASE WHEN i % 4 <> 0 THEN 'person-' || i::bigint * 7907 % $2 || '@example.com' END AS email,
         CASE WHEN i % 4 = 0 THEN 'person-' || i::bigint * 7907 % $2 END AS id,
         timestamptz '2026-01-01' + (i::bigint * 7901 % 31536000) * interval '1 second' AS at,
         CASE WHEN i % 3 <> 0 THEN timestamptz '2026-01-01' + (i::bigint * 7919 % 31536000) * interval '1 second' END AS login
       FROM generate_series(1, $2::integer) i) made`,
    values,
  );
  await client.query(
    `INSERT INTO devices (partner_id, uuid, account_id, name, os_type, os_version, player_version, created_at, last_login_at)
     SELECT partner_id, 'device-' || id, id, 'Device', (ARRAY['ios', 'android', 'windows'])[1 + id % 3], '19.' || id % 7,
       '5.0.' || id % 5, created_at, last_login_at
     FROM accounts WHERE partner_id = $1 AND last_login_at IS NOT NULL AND name LIKE '% %'`,
    [companyAdmin.partnerId],
  );
  await client.query(
    `INSERT INTO groups (partner_id, name, name_key, note, role, created_at, updated_at)
     SELECT $1, 'Bench ' || i, 'bench ' || i, '', 0, now(), now() FROM generate_series(1, 10) i`,
    [companyAdmin.partnerId],
  );
  await client.query(
    `INSERT INTO memberships (partner_id, group_id, account_id)
     SELECT a.partner_id, CASE WHEN a.id % 11 = 0 THEN 1 ELSE g.id END, a.id FROM accounts a
     JOIN (SELECT id, row_number() OVER (ORDER BY id) - 1 AS place FROM groups WHERE partner_id = $1 AND name LIKE 'Bench %') g
       ON g.place = a.id % 10
     WHERE a.partner_id = $1 AND a.is_user AND a.id % 5 <> 0
     ON CONFLICT DO NOTHING`,
    [companyAdmin.partnerId],
  );
  await client.query('VACUUM ANALYZE');
}
