import { type changeKinds, previewRoutes } from '@portal/contracts';
import { startProduct } from '@portal/testing/product';
import { deviceCount, insertDelivery } from './delivery-list.ts';
import { type Benchmark, quantile } from './support/figure.ts';
import { withDatabase } from './support/product-database.ts';
import { companyAdmin, signIn } from './support/session.ts';

const limitMs = 1_000;
const asked = 20;

/** Changes that concern everybody, some, and nobody. */
const changes: readonly { what: (typeof changeKinds)[number]; body: object; users: number }[] = [
  { what: 'groups', body: { groupIds: [] }, users: deviceCount },
  {
    what: 'groups',
    body: { groupIds: [9_001, 9_002, 9_003, 9_004, 9_005, 9_006, 9_007, 9_008, 9_009] },
    users: 1,
  },
  { what: 'file', body: { fileName: 'Bench.uap', fileSize: 10 }, users: deviceCount },
  { what: 'deletion', body: {}, users: deviceCount },
];

/** Previews of changes of a file with 1,000,000 people, over HTTP. */
export const benchmark: Benchmark = async () => {
  const product = await startProduct({ LOG_LEVEL: 'warn', RATE_LIMIT: 'off' });
  try {
    const id = await withDatabase(product, 'portal_file', async (client) => {
      const made = await insertDelivery(client);
      // The triggers were passed over.
      await client.query(
        `UPDATE audiences audience SET fingerprint = known.fingerprint
         FROM (SELECT audience_id, sum(fingerprint_of(user_id)) AS fingerprint FROM people GROUP BY 1) known
         WHERE audience.id = known.audience_id`,
      );
      return made;
    });
    const { api } = await signIn(product.url, companyAdmin);
    const params = { pid: companyAdmin.partnerId, id };
    const samples: number[] = [];
    for (let n = 0; n < asked * changes.length; n += 1) {
      const { body, users, what } = changes[n % changes.length] ?? { body: {}, users: 0, what: 'deletion' };
      const begun = performance.now();
      const shown = await api.call(previewRoutes.previewChange, { params, body: { what, body } as never });
      samples.push(performance.now() - begun);
      const concerned = shown.gains.users + shown.loses.users + shown.changes.users;
      if (concerned < users || concerned > deviceCount) throw new Error(JSON.stringify(shown));
    }
    const p95 = quantile(samples, 0.95);
    return [
      {
        what: `Preview of a change for ${deviceCount} users; p95`,
        target: `${limitMs} ms`,
        measured: `${Math.round(p95)} ms`,
        value: p95,
        better: 'lower',
        detail: `${samples.length} of ${changes.length} kinds, one after the other: median ${Math.round(quantile(samples, 0.5))} ms`,
        met: p95 < limitMs,
      },
    ];
  } finally {
    await product.remove();
  }
};
