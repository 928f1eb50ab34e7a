import { setTimeout as sleep } from 'node:timers/promises';
import { withClient } from '@portal/database';
import type { Engines } from '@portal/testing/distributed';
import { send, signIn, signInAdmin } from '@portal/testing/http-client';
import {
  commitTimes,
  keepCommitTimes,
  latencyFigure,
  startProductWithCommitTimes,
} from './support/commit-times.ts';
import { withDistributed } from './support/distributed.ts';
import type { Benchmark } from './support/figure.ts';
import { superuserUrl } from './support/product-database.ts';

const warmUp = 20;
const changes = 200;
const limits = { embedded: 100, kafka: 500 };
const noticedWithinMs = 10_000;
const partnerId = 1;

/**
 * The rank of a company goes to one without the contract API `token` and back, while a player asks for it again and again: from
 * the commit of the change to the last call that still got the answer of before. In one process, and as processes over Kafka.
 */
export const benchmark: Benchmark = async () => {
  const what = 'Change of a rank, from the commit to the refusal of the next call';
  const how = 'changes by PUT';
  const product = await startProductWithCommitTimes();
  let embedded: number[];
  try {
    embedded = await measure(product, await superuserUrl(product, 'portal_tenant'));
  } finally {
    await product.remove();
  }
  const overKafka = await withDistributed(
    async (set, engines) => measure(set, databaseUrl(engines, 'portal_tenant')),
    async (engines) => {
      await withClient(databaseUrl(engines, 'postgres'), keepCommitTimes);
      await engines.started.get('postgres')?.stop();
      await engines.started.get('postgres')?.start();
    },
  );
  return [
    latencyFigure(`${what}, embedded`, embedded, { how, limitMs: limits.embedded }),
    latencyFigure(`${what}, over Kafka`, overKafka, { how, limitMs: limits.kafka }),
  ];
};

const databaseUrl = ({ settings }: Engines, database: string) =>
  new URL(`/${database}`, settings.DATABASE_URL).href;

async function measure(portal: { readonly url: string }, tenantUrl: string): Promise<number[]> {
  const admin = await signInAdmin(portal);
  const player = await signIn(portal, '1000', 'taro', 'bench');
  const isRefused = async () =>
    (await send(portal, 'GET', '/v1/user/token', { token: player })).status === 403;
  return withClient(tenantUrl, async (client) => {
    const samples: number[] = [];
    for (let change = 0; change < warmUp + changes; change += 1) {
      const refuses = change % 2 === 0;
      const body = { contract_rank: refuses ? 'standard' : 'enterprise' };
      const changing = send(portal, 'PUT', `/v1/admin/partners/${partnerId}`, { token: admin, body });
      const deadline = Date.now() + noticedWithinMs;
      let before = 0;
      for (;;) {
        const at = Date.now();
        if ((await isRefused()) === refuses) break;
        before = at;
        if (at > deadline) throw new Error('The change never had an effect');
      }
      const { status } = await changing;
      if (status !== 200) throw new Error(`The rank was not changed: ${status}`);
      const committed = await commitTimes(client, {
        table: 'partners',
        idColumn: 'partner_id',
        ids: [partnerId],
      });
      if (change >= warmUp) samples.push(Math.max(0, before - (committed.get(partnerId) ?? Number.NaN)));
      await sleep(20);
    }
    return samples;
  });
}
