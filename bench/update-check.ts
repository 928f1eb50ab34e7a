import { fileRoutes, rolloutRoutes } from '@portal/contracts';
import { freePort, type Product, startProduct } from '@portal/testing/product';
import { projectNode } from '@portal/testing/project';
import { type Benchmark, type Figure, median, percent } from './support/figure.ts';
import type { Probe } from './support/probe.ts';
import { endProgram, processorSeconds, startProgram } from './support/processes.ts';
import { inTurns, requestRate } from './support/request-rate.ts';
import { companyAdmin, signIn } from './support/session.ts';

const rounds = 3;
/** Of one turn of one side. */
const seconds = 6;
const warmUpSeconds = 2;
/** Of the figure without stages. */
const leastShare = 0.95;

/** What players ask most: is there anything new? Through the gateway, when nothing is, against one bare route. */
export const benchmark: Benchmark = async () => {
  const product = await startProduct({ LOG_LEVEL: 'warn' });
  const barePort = await freePort();
  try {
    const { headers, token, url } = await askNothingNew(product);
    const body = await (await fetch(url, { headers })).text();
    const bare = await startProgram(projectNode, ['bench/support/bare-route.ts', String(barePort), body]);
    const ours = (duration: number) => requestRate(url, headers, duration);
    const raw = (duration: number) => requestRate(`http://127.0.0.1:${barePort}/`, {}, duration);
    try {
      await inTurns(
        () => ours(warmUpSeconds),
        () => raw(warmUpSeconds),
        1,
      );
      const rates = await inTurns(
        () => ours(seconds),
        () => raw(seconds),
        rounds,
      );
      const ratio = median(rates.ours) / median(rates.raw);
      const staged = await measureStages(product, token);
      return [
        {
          what: 'Update check with nothing new, against a bare Fastify route with the same bytes',
          target: '80 %',
          measured: percent(ratio),
          value: ratio,
          better: 'higher',
          detail: `${Math.round(median(rates.ours))} and ${Math.round(median(rates.raw))} requests/s`,
          met: ratio >= 0.8,
        },
        staged,
      ];
    } finally {
      await endProgram(bare);
    }
  } finally {
    await product.remove();
  }
};

/** How many are answered in a second. */
export const probe: Probe = {
  what: 'Update checks with nothing new, each second',
  better: 'higher',
  async prepare(product) {
    const { headers, url } = await askNothingNew(product);
    await requestRate(url, headers, warmUpSeconds);
    return async () => requestRate(url, headers, 1);
  },
};

/** What a player asks that has everything. */
async function askNothingNew(product: Product) {
  const { api, token } = await signIn(product.url, { partnerCode: '1000', user: 'taro', device: 'bench' });
  const { cursor } = await api.call(fileRoutes.listDelivered, { query: { perPage: 100 } });
  const url = `${product.url}/v1/user/files?since=${encodeURIComponent(cursor)}`;
  return { token, url, headers: { authorization: `Bearer ${token}`, 'x-agent': 'bench/1.0.0' } };
}

/** The same question while a version goes out in stages and while none does, in turns. */
async function measureStages(product: Product, token: string): Promise<Figure> {
  const { api } = await signIn(product.url, companyAdmin);
  const { api: player } = await signIn(product.url, { partnerCode: '1000', user: 'taro', device: 'bench' });
  const pid = companyAdmin.partnerId;
  const list = await api.call(fileRoutes.listFiles, { params: { pid }, query: {} });
  if (!('totalPage' in list)) throw new Error('Not a page of files');
  const file = list.files.find(({ groups, state }) => groups.length > 0 && state === 'delivered');
  if (!file) throw new Error('The demo delivers no file');
  const params = { pid, id: file.id };
  const groupIds = file.groups.map(({ id }) => id);
  const assign = async (body: { groupIds: number[]; rollout?: object | null }) =>
    api.call(fileRoutes.assignGroups, { params, body: body as never });

  const halves = { plain: [] as number[], staged: [] as number[] };
  const micros = { plain: [] as number[], staged: [] as number[] };
  const measure = async (kind: keyof typeof halves, duration: number) => {
    await assign({ groupIds: [] });
    const stages = [{ percent: 50 }, { percent: 100, after: 'P1D' }];
    await assign({ groupIds, rollout: kind === 'staged' ? { stages } : null });
    if (kind === 'staged') {
      const { state } = await api.call(rolloutRoutes.getRollout, { params });
      if (state !== 'running') throw new Error(`Its stages are ${state}`);
    }
    const { cursor } = await player.call(fileRoutes.listDelivered, { query: { perPage: 100 } });
    const url = `${product.url}/v1/user/files?since=${encodeURIComponent(cursor)}`;
    const before = await processorSeconds(product.pid);
    const rate = await requestRate(
      url,
      { authorization: `Bearer ${token}`, 'x-agent': 'bench/1.0.0' },
      duration,
    );
    micros[kind].push((((await processorSeconds(product.pid)) - before) * 1e6) / (rate * duration));
    halves[kind].push(rate);
    if (kind === 'staged') await assign({ groupIds, rollout: null });
  };
  await measure('staged', warmUpSeconds);
  halves.staged.length = 0;
  micros.staged.length = 0;
  for (let round = 0; round < rounds; round += 1) {
    // Whatever else the machine does meets both.
    for (const kind of round % 2 === 0 ? (['plain', 'staged'] as const) : (['staged', 'plain'] as const))
      await measure(kind, seconds);
  }
  const ratio = median(halves.staged) / median(halves.plain);
  const told = (kind: keyof typeof halves) =>
    `${Math.round(median(halves[kind]))} requests/s, ${Math.round(median(micros[kind]))} µs each`;
  return {
    what: 'Update check while a version goes out in stages, against while none does',
    target: percent(leastShare),
    measured: percent(ratio),
    value: ratio,
    better: 'higher',
    detail: `${told('staged')}, and ${told('plain')}`,
    met: ratio >= leastShare,
  };
}
