import { fileRoutes } from '@portal/contracts';
import { freePort, startProduct } from '@portal/testing/product';
import autocannon from 'autocannon';
import { type Benchmark, median, percent } from './support/figure.ts';
import { endProgram, projectNode, startProgram } from './support/processes.ts';
import { signIn } from './support/session.ts';

const rounds = 3;
const load = { connections: 32, duration: 6 };

/** What players ask most: is there anything new? Through the gateway, when nothing is, against one bare route. */
export const benchmark: Benchmark = async () => {
  const product = await startProduct({ LOG_LEVEL: 'warn' });
  const barePort = await freePort();
  try {
    const { api, token } = await signIn(product.url, { partnerCode: '1000', user: 'taro', device: 'bench' });
    const { cursor } = await api.call(fileRoutes.listDelivered, { query: { perPage: 100 } });
    const url = `${product.url}/v1/user/files?since=${encodeURIComponent(cursor)}`;
    const headers = { authorization: `Bearer ${token}`, 'x-agent': 'bench/1.0.0' };
    const body = await (await fetch(url, { headers })).text();
    const bare = await startProgram(projectNode, ['bench/support/bare-route.ts', String(barePort), body]);
    const rates = { ours: [] as number[], bare: [] as number[] };
    try {
      await measure(url, headers, 2);
      await measure(`http://127.0.0.1:${barePort}/`, {}, 2);
      for (let round = 0; round < rounds; round += 1) {
        rates.ours.push(await measure(url, headers, load.duration));
        rates.bare.push(await measure(`http://127.0.0.1:${barePort}/`, {}, load.duration));
      }
    } finally {
      await endProgram(bare);
    }
    const ratio = median(rates.ours) / median(rates.bare);
    return [
      {
        what: 'Update check with nothing new, against a bare Fastify route with the same bytes',
        target: '50 %',
        measured: percent(ratio),
        detail: `${Math.round(median(rates.ours))} and ${Math.round(median(rates.bare))} requests/s, ${load.connections} connections`,
        met: ratio >= 0.5,
      },
    ];
  } finally {
    await product.remove();
  }
};

async function measure(url: string, headers: Record<string, string>, duration: number): Promise<number> {
  const result = await autocannon({ url, headers, connections: load.connections, duration });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx + result.errors} requests failed`);
  return result.requests.average;
}
