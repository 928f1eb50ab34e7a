import { setTimeout as sleep } from 'node:timers/promises';
import { send, signIn, signInAdmin } from '@portal/testing/http-client';
import { startProduct } from '@portal/testing/product';
import { type Benchmark, quantile } from './support/figure.ts';
import { withDatabase } from './support/product-database.ts';

const changes = 100;
const limitMs = 100;
const feltWithinMs = 10_000;

/**
 * The rank of a company goes to one without the contract API `token` and back, while a player asks for it again and again: from
 * the commit of the change, which PostgreSQL keeps, to the last call that still got the answer of before.
 */
export const benchmark: Benchmark = async () => {
  const product = await startProduct({ LOG_LEVEL: 'warn' });
  try {
    await withDatabase(product, 'postgres', (client) =>
      client.query('ALTER SYSTEM SET track_commit_timestamp = on'),
    );
    await product.stop();
    await product.start();
    const admin = await signInAdmin(product);
    const player = await signIn(product, '1000', 'taro', 'bench');
    const isRefused = async () =>
      (await send(product, 'GET', '/v1/user/token', { token: player })).status === 403;
    const samples: number[] = [];
    for (let change = 0; change < changes; change += 1) {
      const refuses = change % 2 === 0;
      const body = { contract_rank: refuses ? 'standard' : 'enterprise' };
      const changing = send(product, 'PUT', '/v1/admin/partners/1', { token: admin, body });
      const deadline = Date.now() + feltWithinMs;
      let before = 0;
      for (;;) {
        const at = Date.now();
        if ((await isRefused()) === refuses) break;
        before = at;
        if (at > deadline) throw new Error('The change was never felt');
      }
      const { status } = await changing;
      if (status !== 200) throw new Error(`The rank was not changed: ${status}`);
      const committed = await withDatabase(product, 'portal_tenant', async (client) => {
        const { rows } = await client.query<{ at: number }>(
          'SELECT extract(epoch FROM pg_xact_commit_timestamp(xmin))::float8 * 1000 AS at FROM partners WHERE partner_id = 1',
        );
        return rows[0]?.at ?? Number.NaN;
      });
      samples.push(Math.max(0, before - committed));
      await sleep(20);
    }
    const [p50 = 0, p99 = 0] = [0.5, 0.99].map((share) => quantile(samples, share));
    return [
      {
        what: 'Change of a rank, from the commit to the refusal of the next call, embedded; p99',
        target: `${limitMs} ms`,
        measured: `${Math.round(p99)} ms`,
        value: p99,
        better: 'lower',
        detail: `${samples.length} changes by PUT, median ${Math.round(p50)} ms, by PostgreSQL's commit timestamps`,
        met: p99 < limitMs,
      },
    ];
  } finally {
    await product.remove();
  }
};
