import { setTimeout as sleep } from 'node:timers/promises';
import { userRoutes } from '@portal/contracts';
import { type Product, startProduct } from '@portal/testing/product';
import { atRate } from './support/at-rate.ts';
import { type Benchmark, quantile } from './support/figure.ts';
import { withDatabase } from './support/product-database.ts';
import { companyAdmin, signIn } from './support/session.ts';

const perSecond = 200;
const load = { warmUpSeconds: 2, seconds: 15 };
const limitMs = 100;
const arrivesWithinMs = 30_000;

/**
 * Groups made over HTTP, 200 a second, until the file service has them. PostgreSQL itself keeps the moment of every
 * commit, to the microsecond and by one clock: that of the group and its outbox row in the user service's database, and
 * that of the copy in the file service's.
 */
export const benchmark: Benchmark = async () => {
  const product = await startProduct({ LOG_LEVEL: 'warn' });
  try {
    await withDatabase(product, 'postgres', (client) =>
      client.query('ALTER SYSTEM SET track_commit_timestamp = on'),
    );
    await product.stop();
    await product.start();
    const { api } = await signIn(product.url, companyAdmin);
    let made = 0;
    const createGroup = async () => {
      made += 1;
      const body = { name: `bench ${made}` };
      return (await api.call(userRoutes.createGroup, { params: { pid: companyAdmin.partnerId }, body })).id;
    };
    await atRate(createGroup, perSecond, load.warmUpSeconds);
    const ids = await atRate(createGroup, perSecond, load.seconds);
    const samples = await latencies(product, ids);
    const [p50 = 0, p99 = 0, longest = 0] = [0.5, 0.99, 1].map((share) => quantile(samples, share));
    return [
      {
        what: 'Event, from the commit to the committed effect in another service, embedded; p99',
        target: `${limitMs} ms`,
        measured: `${Math.round(p99)} ms`,
        value: p99,
        better: 'lower',
        detail:
          `${samples.length} groups made over HTTP, ${perSecond} a second: median ${Math.round(p50)} ms, ` +
          `longest ${Math.round(longest)} ms, by PostgreSQL's commit timestamps`,
        met: p99 < limitMs,
      },
    ];
  } finally {
    await product.remove();
  }
};

/** Milliseconds from commit to commit, once every group has arrived. */
async function latencies(product: Product, ids: readonly number[]): Promise<number[]> {
  const deadline = performance.now() + arrivesWithinMs;
  for (;;) {
    const arrived = await commitTimes(product, 'portal_file', 'group_id', ids);
    if (arrived.size === ids.length) {
      const left = await commitTimes(product, 'portal_user', 'id', ids);
      return ids.map((id) => (arrived.get(id) ?? Number.NaN) - (left.get(id) ?? Number.NaN));
    }
    if (performance.now() > deadline) throw new Error(`${ids.length - arrived.size} groups never arrived`);
    await sleep(200);
  }
}

/** When the row of each group was committed, in milliseconds. */
async function commitTimes(
  product: Product,
  database: string,
  idColumn: string,
  ids: readonly number[],
): Promise<Map<number, number>> {
  return withDatabase(product, database, async (client) => {
    const { rows } = await client.query<{ id: number; at: number }>(
      `SELECT ${idColumn} AS id, extract(epoch FROM pg_xact_commit_timestamp(xmin))::float8 * 1000 AS at
       FROM groups WHERE ${idColumn} = ANY($1::integer[])`,
      [ids],
    );
    return new Map(rows.map(({ id, at }) => [id, at]));
  });
}
