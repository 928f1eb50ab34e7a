import { fileRoutes, userRoutes } from '@portal/contracts';
import { startProduct } from '@portal/testing/product';
import autocannon from 'autocannon';
import { type Benchmark, median } from './support/figure.ts';
import { processorSeconds } from './support/processes.ts';
import { companyAdmin, demoPassword, signIn } from './support/session.ts';

const people = 50;
const looks = 4_000;
const connections = 32;
const rounds = 5;
/** A million players who look every half an hour. */
const leastRate = 556;
const { partnerCode, partnerId: pid } = companyAdmin;

/**
 * A file is delivered to everyone of a company: every player's next look brings it. The looks come from 50 people, each of whom is
 * in another group, and each look is that of a player who has not heard of the file.
 */
export const benchmark: Benchmark = async () => {
  const product = await startProduct({ LOG_LEVEL: 'warn', RATE_LIMIT: 'off' });
  try {
    const { api } = await signIn(product.url, companyAdmin);
    const players: { token: string; cursor: () => Promise<string> }[] = [];
    for (let n = 0; n < people; n += 1) {
      const { id: groupId } = await api.call(userRoutes.createGroup, {
        params: { pid },
        body: { name: `Bench ${n}` },
      });
      const loginUserId = `bench-${n}`;
      await api.call(userRoutes.createUser, {
        params: { pid },
        body: { name: loginUserId, loginUserId, password: demoPassword, groupIds: [groupId] },
      });
      const { api: player, token } = await signIn(product.url, {
        partnerCode,
        user: loginUserId,
        device: loginUserId,
      });
      players.push({
        token,
        cursor: async () => (await player.call(fileRoutes.listDelivered, { query: { perPage: 100 } })).cursor,
      });
    }
    const list = await api.call(fileRoutes.listFiles, { params: { pid }, query: {} });
    const file = 'totalPage' in list ? list.files.find(({ state }) => state === 'delivered') : undefined;
    if (!file) throw new Error('The demo delivers no file');
    const assign = async (groupIds: number[]) =>
      api.call(fileRoutes.assignGroups, { params: { pid, id: file.id }, body: { groupIds } });

    const rates: number[] = [];
    const slowest: number[] = [];
    const micros: number[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      await assign([]);
      const askers: { path: string; token: string }[] = [];
      for (const { cursor, token } of players) {
        askers.push({ token, path: `/v1/user/files?since=${encodeURIComponent(await cursor())}` });
      }
      await assign([0]);
      const before = await processorSeconds(product.pid);
      const result = await lookAll(product.url, askers);
      // The first one warms up.
      if (round === 0) continue;
      micros.push((((await processorSeconds(product.pid)) - before) * 1e6) / looks);
      rates.push(looks / result.seconds);
      slowest.push(result.p99);
    }
    const rate = median(rates);
    return [
      {
        what: 'Next looks of the players of a company after a file is delivered to everyone',
        target: `${leastRate}/s`,
        measured: `${Math.round(rate)}/s`,
        value: rate,
        better: 'higher',
        detail: `${looks} looks of ${people} people, each in another group: p99 ${Math.round(median(slowest))} ms, ${Math.round(median(micros))} µs of the portal each`,
        met: rate >= leastRate,
      },
    ];
  } finally {
    await product.remove();
  }
};

/** Lets players look one after the other, on so many connections. @throws Error when a look does not bring the file */
async function lookAll(
  origin: string,
  askers: readonly { readonly path: string; readonly token: string }[],
): Promise<{ seconds: number; p99: number }> {
  let next = 0;
  const begun = performance.now();
  const result = await autocannon({
    url: origin,
    connections,
    amount: looks,
    setupClient(client) {
      const turn = () => {
        const { path, token } = askers[next++ % askers.length] ?? askers[0] ?? { path: '', token: '' };
        return {
          method: 'GET' as const,
          path,
          headers: { authorization: `Bearer ${token}`, 'x-agent': 'bench/1.0.0' },
        };
      };
      client.setRequests([{ ...turn(), setupRequest: (request) => ({ ...request, ...turn() }) }]);
      client.on('body', (body: Buffer) => {
        if (body.includes('"files":[]')) throw new Error('A look without the file');
      });
    },
  });
  const failed = result.non2xx + result.errors;
  if (failed > 0) throw new Error(`${failed} looks failed`);
  return { seconds: (performance.now() - begun) / 1000, p99: result.latency.p99 };
}
