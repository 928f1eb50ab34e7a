import { pushRoutes, type RouteRequest } from '@portal/contracts';
import { startProduct } from '@portal/testing/product';
import { type Benchmark, type Figure, quantile } from './support/figure.ts';
import { withDatabase } from './support/product-database.ts';
import { insertPushPeople, pushGroups, pushUserCount } from './support/push-people.ts';
import { companyAdmin, signIn } from './support/session.ts';

const calls = 100;
const plainCounts = 10;
const limitMs = 300;
const everyone = pushUserCount.toLocaleString('en');

const { countPushAudience } = pushRoutes;
type Audience = RouteRequest<typeof countPushAudience>['body'];

/**
 * What the confirm page of a push notification asks, over HTTP, in a tenant with 1,000,000 users: how many people and devices an
 * audience has; against a plain count of the same in SQL.
 */
export const benchmark: Benchmark = async () => {
  const product = await startProduct({ LOG_LEVEL: 'warn', RATE_LIMIT: 'off' });
  try {
    const { partnerId } = companyAdmin;
    const plainMs = await withDatabase(product, 'portal_push', async (client) => {
      await insertPushPeople(client, partnerId);
      const samples: number[] = [];
      for (let count = 0; count < plainCounts; count += 1) {
        const begun = performance.now();
        await client.query('SELECT count(*), count(DISTINCT user_id) FROM devices WHERE partner_id = $1', [
          partnerId,
        ]);
        samples.push(performance.now() - begun);
      }
      return quantile(samples, 0.5);
    });
    const { api } = await signIn(product.url, companyAdmin);

    async function measure(what: string, body: Audience, least: number): Promise<Figure> {
      const samples: number[] = [];
      for (let call = 0; call < calls; call += 1) {
        const begun = performance.now();
        const { users } = await api.call(countPushAudience, { params: { pid: partnerId }, body });
        samples.push(performance.now() - begun);
        if (users < least) throw new Error(`Only ${users} users are counted`);
      }
      const [median, p95] = [quantile(samples, 0.5), quantile(samples, 0.95)];
      return {
        what: `Push audience counted, ${what}; p95`,
        target: `${limitMs} ms`,
        measured: `${Math.round(p95)} ms`,
        value: p95,
        better: 'lower',
        detail: `${calls} calls, one after the other: median ${median.toFixed(1)} ms, ${(median / plainMs).toFixed(3)} of a plain count of all devices in SQL (${Math.round(plainMs)} ms)`,
        met: p95 < limitMs,
      };
    }

    const named = await withDatabase(product, 'portal_push', async (client) => {
      const { rows } = await client.query<{ id: number }>(
        'SELECT user_id AS id FROM people WHERE partner_id = $1 ORDER BY user_id DESC LIMIT 1000',
        [partnerId],
      );
      return rows.map(({ id }) => id);
    });
    const ofGroup = await measure(`a group of ${everyone} users`, { groupId: pushGroups.all }, pushUserCount);
    return [
      await measure(`everyone of ${everyone} users`, {}, pushUserCount),
      {
        ...ofGroup,
        growth: {
          title: 'The audience of a push counted, a group of everyone: p95',
          unit: 'ms',
          value: ofGroup.value,
        },
      },
      await measure('1,000 users that are named', { userIds: named }, named.length),
    ];
  } finally {
    await product.remove();
  }
};
