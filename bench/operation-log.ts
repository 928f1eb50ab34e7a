import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { batchRoutes, userRoutes } from '@portal/contracts';
import { type Product, startProduct } from '@portal/testing/product';
import type { Client } from 'pg';
import { copyRate } from './support/copy.ts';
import { exportRows } from './support/export.ts';
import { type Benchmark, type Figure, median, percent } from './support/figure.ts';
import { withDatabase } from './support/product-database.ts';
import { companyAdmin, signIn } from './support/session.ts';

const rowCount = 10_000_000;
const months = 12;
const rounds = 3;
const target = 0.5;

const requests = 400;
/** Between two requests, so that what is done after an answer is none of the next request's time. */
const paceMs = 60;
const maxCost = 0.05;

const month = { operationDateStart: '2026-03-01T00:00:00Z', operationDateEnd: '2026-04-01T00:00:00Z' };

/** What operation_logs.csv holds of the month, as PostgreSQL has it. */
const sameRows = `
  SELECT at, person.name, role, address, agent, operation, target, result
  FROM logs.operation_logs log
  LEFT JOIN people person ON person.kind = log.account_kind AND person.account_id = log.account_id
  WHERE log.partner_id = ${companyAdmin.partnerId} AND at >= '${month.operationDateStart}' AND at < '${month.operationDateEnd}'
  ORDER BY at, event_id`;

export const benchmark: Benchmark = async () => [await cost(), await monthExported()];

/** The same change of a group over HTTP in two products, one of which does not log it; they take turns. */
async function cost(): Promise<Figure> {
  const logging = await startProduct({ LOG_LEVEL: 'warn' });
  const silent = await startProduct({
    LOG_LEVEL: 'warn',
    NODE_OPTIONS: `--import=${join(import.meta.dirname, 'support', 'unlogged.ts')}`,
  });
  try {
    const [withLog, without] = [await changesOf(logging), await changesOf(silent)];
    const times = { withLog: [] as number[], without: [] as number[] };
    for (let request = 0; request < requests; request += 1) {
      // The second run would be slowed by the work that the first has left behind.
      if (request % 2 === 0) times.withLog.push(await withLog());
      times.without.push(await without());
      if (request % 2 === 1) times.withLog.push(await withLog());
    }
    const [logged, bare] = [median(times.withLog), median(times.without)];
    const share = logged / bare - 1;
    return {
      what: 'What the operation log adds to the time of a small change',
      target: `below ${percent(maxCost)}`,
      measured: percent(share),
      value: logged / bare,
      better: 'lower',
      detail: `a group changed over HTTP: ${logged.toFixed(2)} ms, not logged ${bare.toFixed(2)} ms; median of ${requests} each, in turns`,
      met: share < maxCost,
    };
  } finally {
    await logging.remove();
    await silent.remove();
  }
}

/** Changes a group each time. @returns how many milliseconds it took */
async function changesOf(product: Product): Promise<() => Promise<number>> {
  const { api } = await signIn(product.url, companyAdmin);
  const { id } = await api.call(userRoutes.createGroup, {
    params: { pid: companyAdmin.partnerId },
    body: { name: 'Changed' },
  });
  let changes = 0;
  return async () => {
    await sleep(paceMs);
    changes += 1;
    const begun = performance.now();
    await api.call(userRoutes.updateGroup, {
      params: { pid: companyAdmin.partnerId, id },
      body: { note: `Change ${changes}` },
    });
    return performance.now() - begun;
  };
}

/** One month of ten million operations, from the request until the file is in the store, against COPY of the same rows. */
async function monthExported(): Promise<Figure> {
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
      return {
        what: 'Export of a month out of 10,000,000 operations, against COPY TO STDOUT of the same rows',
        target: percent(target),
        measured: percent(ratio),
        value: ratio,
        better: 'higher',
        detail:
          `${perSecond(median(rates.ours))} from the request to the file, COPY ${perSecond(median(rates.copy))}; ` +
          `median of ${rounds}, ${rows.toLocaleString('en')} rows`,
        met: ratio >= target,
      };
    });
  } finally {
    await product.remove();
  }
}

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
