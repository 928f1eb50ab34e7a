import { fileRoutes } from '@portal/contracts';
import { freePort, startProduct } from '@portal/testing/product';
import { projectNode } from '@portal/testing/project';
import { type Benchmark, median, percent } from './support/figure.ts';
import { endProgram, startProgram } from './support/processes.ts';
import { inTurns, requestRate } from './support/request-rate.ts';
import { signIn } from './support/session.ts';

const rounds = 3;
const seconds = 6;

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
    const ours = (duration: number) => requestRate(url, headers, duration);
    const raw = (duration: number) => requestRate(`http://127.0.0.1:${barePort}/`, {}, duration);
    try {
      await inTurns(
        () => ours(2),
        () => raw(2),
        1,
      );
      const rates = await inTurns(
        () => ours(seconds),
        () => raw(seconds),
        rounds,
      );
      const ratio = median(rates.ours) / median(rates.raw);
      return [
        {
          what: 'Update check with nothing new, against a bare Fastify route with the same bytes',
          target: '50 %',
          measured: percent(ratio),
          value: ratio,
          better: 'higher',
          detail: `${Math.round(median(rates.ours))} and ${Math.round(median(rates.raw))} requests/s`,
          met: ratio >= 0.5,
        },
      ];
    } finally {
      await endProgram(bare);
    }
  } finally {
    await product.remove();
  }
};
