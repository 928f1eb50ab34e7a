import { tenantRoutes } from '@portal/contracts';
import { startProduct } from '@portal/testing/product';
import { type Benchmark, quantile } from './support/figure.ts';
import { insertPartners, partnerCount, unitCount } from './support/many-partners.ts';
import { withDatabase } from './support/product-database.ts';
import { signInAdministrator } from './support/session.ts';

const calls = 100;
const limitMs = 150;

/** The home of an administrator of the platform over HTTP, at 100,000 partners in 200 units. */
export const benchmark: Benchmark = async () => {
  const product = await startProduct({ LOG_LEVEL: 'warn', RATE_LIMIT: 'off' });
  try {
    await withDatabase(product, 'portal_tenant', insertPartners);
    const api = await signInAdministrator(product.url);
    const samples: number[] = [];
    for (let call = 0; call < calls; call += 1) {
      const begun = performance.now();
      const { tenantsByRank } = await api.call(tenantRoutes.getOverview, {});
      samples.push(performance.now() - begun);
      if (tenantsByRank.enterprise < partnerCount / 5) throw new Error('Not all partners are counted');
    }
    const p95 = quantile(samples, 0.95);
    return [
      {
        what: `Overview at ${partnerCount.toLocaleString('en')} partners in ${unitCount} units; p95`,
        target: `${limitMs} ms`,
        measured: `${Math.round(p95)} ms`,
        value: p95,
        better: 'lower',
        detail: `${calls} calls, one after the other: median ${Math.round(quantile(samples, 0.5))} ms`,
        met: p95 < limitMs,
      },
    ];
  } finally {
    await product.remove();
  }
};
