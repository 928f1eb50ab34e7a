import { userRoutes } from '@portal/contracts';
import { atRate } from './support/at-rate.ts';
import {
  commitTimes,
  latencies,
  latencyFigure,
  startProductWithCommitTimes,
} from './support/commit-times.ts';
import type { Benchmark } from './support/figure.ts';
import { withDatabase } from './support/product-database.ts';
import { companyAdmin, signIn } from './support/session.ts';

const perSecond = 200;
const load = { warmUpSeconds: 2, seconds: 15 };
const limitMs = 20;
const arrivesWithinMs = 30_000;

/**
 * Groups made over HTTP, 200 a second, until the file service has them: from the commit of the group and its outbox row in
 * the user service's database to that of the copy in the file service's.
 */
export const benchmark: Benchmark = async () => {
  const product = await startProductWithCommitTimes();
  try {
    const { api } = await signIn(product.url, companyAdmin);
    let made = 0;
    const createGroup = async () => {
      made += 1;
      const body = { name: `bench ${made}` };
      return (await api.call(userRoutes.createGroup, { params: { pid: companyAdmin.partnerId }, body })).id;
    };
    await atRate(createGroup, perSecond, load.warmUpSeconds);
    const timesIn = (database: string, idColumn: string) => async (ids: readonly number[]) =>
      withDatabase(product, database, (client) => commitTimes(client, { table: 'groups', idColumn, ids }));
    const samples = await latencies(
      await atRate(createGroup, perSecond, load.seconds),
      { left: timesIn('portal_user', 'id'), arrived: timesIn('portal_file', 'group_id') },
      arrivesWithinMs,
    );
    return [
      latencyFigure('Event, from the commit to the committed effect in another service, embedded', samples, {
        how: `groups made over HTTP, ${perSecond} a second`,
        limitMs,
      }),
    ];
  } finally {
    await product.remove();
  }
};
