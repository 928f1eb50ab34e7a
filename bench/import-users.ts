import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileRoutes, userCsvColumns, userRoutes } from '@portal/contracts';
import { type Product, startProduct } from '@portal/testing/product';
import { type Benchmark, median, percent } from './support/figure.ts';
import { withDatabase } from './support/product-database.ts';
import { signIn } from './support/session.ts';

const rows = 50_000;
const target = 0.45;
const knownWithinSeconds = 10;
/** One COPY differs from the next by a fifth: the one in the middle counts. */
const copies = 3;

/** Its licences count devices: it may have any number of users. */
const companyAdmin = { partnerId: 2, partnerCode: '2000', user: 'second@example.com' } as const;
/** No partner has this id, so the copied rows affect no other test data. */
const nobody = 1_000_000;

/**
 * An import of 50,000 users without passwords, from the completion of its upload to its last word, against COPY of the same
 * rows into the same table with its indexes.
 */
export const benchmark: Benchmark = async () => {
  const product = await startProduct({ LOG_LEVEL: 'warn' });
  try {
    const copySeconds = await copyRows(product);
    const importSeconds = await importRows(product);
    const begun = performance.now();
    await eventsAreThrough(product);
    const throughSeconds = (performance.now() - begun) / 1000;
    const ratio = copySeconds / importSeconds;
    return [
      {
        what: 'Import of 50,000 users without passwords, against COPY of the same rows into the same table',
        target: `${percent(target)} of its rows/s`,
        measured: percent(ratio),
        value: ratio,
        better: 'higher',
        detail:
          `import ${Math.round(rows / importSeconds)} rows/s (${importSeconds.toFixed(1)} s), ` +
          `COPY ${Math.round(rows / copySeconds)} rows/s (${copySeconds.toFixed(1)} s)`,
        met: ratio >= target,
      },
      {
        what: 'The same users known in every service after the end of the import',
        target: `${knownWithinSeconds} s`,
        measured: `${throughSeconds.toFixed(1)} s`,
        value: throughSeconds,
        better: 'lower',
        detail: 'until no event waits in any of them',
        met: throughSeconds <= knownWithinSeconds,
      },
    ];
  } finally {
    await product.remove();
  }
};

const nameOf = (i: number) => `Person ${(i * 7919) % rows}`;
const emailOf = (i: number) => `person-${(i * 7907) % rows}@example.com`;

async function copyRows(product: Product): Promise<number> {
  return withDatabase(product, 'portal_user', async (client) => {
    const file = join(product.dataDir, 'postgres', 'rows');
    const columns =
      'partner_id, name, name_key, email, email_key, role, is_user, max_device_count_limited_flag, max_device_count, ' +
      'created_at, updated_at';
    await client.query(
      `COPY (
         SELECT ${nobody}, name, lower(name), email, email, 0, true, false, 0, now(), now()
         FROM (SELECT 'Person ' || i::bigint * 7919 % ${rows} AS name,
             'person-' || i::bigint * 7907 % ${rows} || '@example.com' AS email
           FROM generate_series(0, ${rows - 1}) i) made
       ) TO '${file}'`,
    );
    const times: number[] = [];
    while (times.length < copies) {
      const begun = performance.now();
      await client.query(`COPY accounts (${columns}) FROM '${file}'`);
      times.push((performance.now() - begun) / 1000);
      await client.query(`DELETE FROM accounts WHERE partner_id = ${nobody}`);
      await client.query('VACUUM ANALYZE accounts');
    }
    return median(times);
  });
}

async function importRows(product: Product): Promise<number> {
  const { api } = await signIn(product.url, companyAdmin);
  const params = { pid: companyAdmin.partnerId };
  const lines = Array.from({ length: rows }, (_, i) => `${nameOf(i)},${emailOf(i)},,,,,0`);
  const opened = await api.call(fileRoutes.createUserImport, { params, body: { fileName: 'users.csv' } });
  await fetch(opened.signedUrl, { method: 'PUT', body: [userCsvColumns.join(), ...lines, ''].join('\r\n') });

  const begun = performance.now();
  await api.call(fileRoutes.completeUpload, { params: { uploadId: opened.uploadId }, body: {} });
  for (;;) {
    const state = await api.call(userRoutes.getUserImport, {
      params,
      query: { batchProcessId: opened.batchProcessId },
    });
    if (state.status === 'complete' && state.createCount === rows) return (performance.now() - begun) / 1000;
    if (state.status !== 'processing')
      throw new Error(`The import did not succeed: ${JSON.stringify(state)}`);
    await sleep(100);
  }
}

/** Waits until every service has taken in what happened. */
async function eventsAreThrough(product: Product): Promise<void> {
  await isEmpty(product, 'user', 'messaging.outbox');
  for (const service of ['tenant', 'file', 'identity', 'push', 'batch'])
    await isEmpty(product, service, "messaging.inbox WHERE status = 'live'");
}

async function isEmpty(product: Product, service: string, rows: string): Promise<void> {
  await withDatabase(product, `portal_${service}`, async (client) => {
    while ((await client.query(`SELECT 1 FROM ${rows} LIMIT 1`)).rowCount !== 0) await sleep(100);
  });
}
