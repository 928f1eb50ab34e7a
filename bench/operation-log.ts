import { batchRoutes } from '@portal/contracts';
import { startProduct } from '@portal/testing/product';
import type { Client } from 'pg';
import { copyRate } from './support/copy.ts';
import { exportRows } from './support/export.ts';
import { type Benchmark, median, percent } from './support/figure.ts';
import { withDatabase } from './support/product-database.ts';
import { companyAdmin, signIn } from './support/session.ts';

const rowCount = 10_000_000;
const months = 12;
const rounds = 3;
const target = 0.5;

const month = { operationDateStart: '2026-03-01T00:00:00Z', operationDateEnd: '2026-04-01T00:00:00Z' };

/** What operation_logs.csv holds of the month, as PostgreSQL has it. */
const sameRows = `
  SELECT at, person.name, role, address, agent, operation, target, result
  FROM logs.operation_logs log
  LEFT JOIN people person ON person.kind = log.account_kind AND person.account_id = log.account_id
  WHERE log.partner_id = ${companyAdmin.partnerId} AND at >= '${month.operationDateStart}' AND at < '${month.operationDateEnd}'
  ORDER BY at, event_id`;

/** One month of ten million operations, from the request until the file is in the store, against COPY of the same rows. */
export const benchmark: Benchmark = async () => {
  const product = await startProduct({ LOG_LEVEL: 'warn' });
  try {
    return await withDatabase(product, 'portal_batch', async (client) => {
      await insertOperations(client);
      const { api } = await signIn(product.url, companyAdmin);
      const params = { pid: companyAdmin.partnerId };
      const rates = { ours: [] as number[], copy: [] as number[] };
      let rows = 0;
      for (let round = 0; round < rounds; round += 1) {
        const exported = await exportRows({
          create: () => api.call(batchRoutes.createOperationLogsCsv, { params, query: month }),
          status: (batchId) => api.call(batchRoutes.getOperationLogsCsv, { params: { ...params, batchId } }),
        });
        rows = exported.rowCount;
        rates.ours.push(exported.rate);
        rates.copy.push(await copyRate(client, sameRows));
      }
      const ratio = median(rates.ours) / median(rates.copy);
      const perSecond = (rate: number) => `${Math.round(rate).toLocaleString('en')} rows/s`;
      return [
        {
          what: 'Export of a month out of 10,000,000 operations, against COPY TO STDOUT of the same rows',
          target: percent(target),
          measured: percent(ratio),
          detail:
            `${perSecond(median(rates.ours))} from the request to the file, COPY ${perSecond(median(rates.copy))}; ` +
            `median of ${rounds}, ${rows.toLocaleString('en')} rows`,
          met: ratio >= target,
        },
      ];
    });
  } finally {
    await product.remove();
  }
};

/** Over a year, all of one tenant. */
async function insertOperations(client: Client): Promise<void> {
  for (let number = 0; number < months; number += 1) {
    const from = `2026-${String(number + 1).padStart(2, '0')}-01`;
    await client.query('SELECT logs.make_month($1::date)', [from]);
    await client.query(
      `INSERT INTO logs.operation_logs
         (at, event_id, partner_id, account_kind, account_id, role, address, agent, operation, target, result)
       SELECT $1::date + i * interval '2.8 seconds', gen_random_uuid(), $2, 'account', 1 + i % 5, 268435456,
         '203.0.113.' || i % 200, 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0',
         'updateGroup', '/v1/partner/partners/1/groups/' || i % 5000, '200'
       FROM generate_series(1, $3::integer) i`,
      [from, companyAdmin.partnerId, Math.ceil(rowCount / months)],
    );
  }
  await client.query('VACUUM ANALYZE');
}
