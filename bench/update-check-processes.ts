import { fileRoutes } from '@portal/contracts';
import { freePort } from '@portal/testing/product';
import { projectNode } from '@portal/testing/project';
import { withDistributed } from './support/distributed.ts';
import { type Benchmark, median, percent } from './support/figure.ts';
import { endProgram, startProgram } from './support/processes.ts';
import { inTurns, requestRate } from './support/request-rate.ts';
import { signIn } from './support/session.ts';

const rounds = 3;
const seconds = 6;
const target = 0.7;

/** The update check through gateway and file service as processes, against a bare Fastify route behind a bare proxy. */
export const benchmark: Benchmark = async () =>
  withDistributed(async ({ url: portal }) => {
    const { api, token } = await signIn(portal, { partnerCode: '1000', user: 'taro', device: 'bench' });
    const { cursor } = await api.call(fileRoutes.listDelivered, { query: { perPage: 100 } });
    const url = `${portal}/v1/user/files?since=${encodeURIComponent(cursor)}`;
    const headers = { authorization: `Bearer ${token}`, 'x-agent': 'bench/1.0.0' };
    const body = await (await fetch(url, { headers })).text();
    const [routePort, proxyPort] = [await freePort(), await freePort()];
    const programs = [
      await startProgram(projectNode, ['bench/support/bare-route.ts', String(routePort), body]),
      await startProgram(projectNode, [
        'bench/support/bare-proxy.ts',
        String(proxyPort),
        `http://127.0.0.1:${routePort}`,
      ]),
    ];
    try {
      const ours = (duration: number) => requestRate(url, headers, duration);
      const raw = (duration: number) => requestRate(`http://127.0.0.1:${proxyPort}/`, {}, duration);
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
          what: 'Update check through gateway and file service as processes, against a bare route behind @fastify/http-proxy',
          target: percent(target),
          measured: percent(ratio),
          value: ratio,
          better: 'higher',
          detail: `${Math.round(median(rates.ours))} and ${Math.round(median(rates.raw))} requests/s`,
          met: ratio >= target,
        },
      ];
    } finally {
      for (const program of programs) await endProgram(program);
    }
  });
