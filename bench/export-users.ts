import { batchRoutes } from '@portal/contracts';
import { startProduct } from '@portal/testing/product';
import type { Client } from 'pg';
import { copyRate } from './support/copy.ts';
import { exportRows } from './support/export.ts';
import { type Benchmark, median, megabytes, percent } from './support/figure.ts';
import { watchMemory } from './support/processes.ts';
import { withDatabase } from './support/product-database.ts';
import { companyAdmin, signIn } from './support/session.ts';
import { sizeOr } from './support/size.ts';

const userCount = sizeOr(1_000_000);
const rounds = 3;
const target = 0.8;
const memoryLimit = 50e6;

/** What users.csv holds, as PostgreSQL has it: no zone, no words, no care for spreadsheets. */
const sameRows = `
  SELECT account.name, email, login_user_id, json, team.ids, account.id, role, player.names, account.created_at, last_login_at
  FROM accounts account
  LEFT JOIN (SELECT account_id, string_agg(group_id::text, ',' ORDER BY group_id) AS ids FROM memberships
    WHERE partner_id = ${companyAdmin.partnerId} GROUP BY account_id) team ON team.account_id = account.id
  LEFT JOIN (SELECT account_id, string_agg(name, ',' ORDER BY created_at, uuid) AS names FROM devices
    WHERE partner_id = ${companyAdmin.partnerId} GROUP BY account_id) player ON player.account_id = account.id
  WHERE account.partner_id = ${companyAdmin.partnerId} AND is_user ORDER BY account.id`;

/** users.csv of a million users, from the request until the file is in the store, against COPY of the same rows to nobody. */
export const benchmark: Benchmark = async () => {
  const product = await startProduct({ LOG_LEVEL: 'warn' });
  try {
    return await withDatabase(product, 'portal_user', async (client) => {
      await insertUsers(client);
      const { api } = await signIn(product.url, companyAdmin);
      const params = { pid: companyAdmin.partnerId };
      const rates = { ours: [] as number[], copy: [] as number[] };
      let rows = 0;
      const memory = await watchMemory(product.pid);
      for (let round = 0; round < rounds; round += 1) {
        const { rate, rowCount } = await exportRows({
          create: () => api.call(batchRoutes.createUsersCsv, { params, query: {} }),
          status: (batchId) => api.call(batchRoutes.getUsersCsv, { params: { ...params, batchId } }),
        });
        rows = rowCount;
        rates.ours.push(rate);
        rates.copy.push(await copyRate(client, sameRows));
      }
      const risen = memory.stop();
      const ratio = median(rates.ours) / median(rates.copy);
      const perSecond = (rate: number) => `${Math.round(rate).toLocaleString('en')} rows/s`;
      return [
        {
          what: `Export of ${userCount.toLocaleString('en')} users, against COPY TO STDOUT of the same rows`,
          target: percent(target),
          measured: percent(ratio),
          value: ratio,
          better: 'higher',
          detail:
            `${perSecond(median(rates.ours))} from the request to the file, COPY ${perSecond(median(rates.copy))}; ` +
            `median of ${rounds}, ${rows.toLocaleString('en')} rows`,
          met: ratio >= target,
          growth: {
            title: 'users.csv, from the request to the file',
            unit: 's',
            value: rows / median(rates.ours),
          },
        },
        {
          what: 'Memory above idle while exporting',
          target: `below ${megabytes(memoryLimit)}`,
          measured: megabytes(risen),
          value: risen,
          better: 'lower',
          detail: `${rounds} exports one after the other, the whole product in one process`,
          met: risen < memoryLimit,
        },
      ];
    });
  } finally {
    await product.remove();
  }
};

/** Each in one group, every tenth with a device, half with an e-mail address. */
async function insertUsers(client: Client): Promise<void> {
  const values = [companyAdmin.partnerId, userCount];
  await client.query(
    `INSERT INTO accounts (partner_id, name, name_key, email, email_key, login_user_id, login_user_id_key, role, is_user, json,
       max_device_count_limited_flag, max_device_count, created_at, updated_at, group_marks)
     SELECT $1, 'Bench ' || i, 'bench ' || i, CASE WHEN i % 2 = 0 THEN mail END, CASE WHEN i % 2 = 0 THEN mail END,
       CASE WHEN i % 2 = 1 THEN 'bench' || i END, CASE WHEN i % 2 = 1 THEN 'bench' || i END, 0, true,
       CASE WHEN i % 5 = 0 THEN '{"seat": ' || i || '}' END, false, 0, at, at,
       ',' || (SELECT min(id) FROM groups WHERE partner_id = $1) || ','
     FROM (SELECT i, 'bench' || i || '@example.com' AS mail, timestamptz '2026-01-01' + i * interval '1 second' AS at
       FROM generate_series(1, $2::integer) i) made`,
    values,
  );
  // No triggers: the accounts have the marks of their groups, and an export reads no others.
  await client.query('SET session_replication_role = replica');
  await client.query(
    `INSERT INTO memberships (partner_id, group_id, account_id)
     SELECT $1, (SELECT min(id) FROM groups WHERE partner_id = $1), id FROM accounts
     WHERE partner_id = $1 AND name LIKE 'Bench %'`,
    [companyAdmin.partnerId],
  );
  await client.query(
    `INSERT INTO devices (partner_id, uuid, account_id, name, os_type, os_version, player_version, created_at)
     SELECT $1, gen_random_uuid(), id, 'iPad of ' || name, 'ios', '19', '1', created_at FROM accounts
     WHERE partner_id = $1 AND name LIKE 'Bench %' AND id % 10 = 0`,
    [companyAdmin.partnerId],
  );
  await client.query('VACUUM ANALYZE');
}
