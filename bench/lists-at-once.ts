import { startProduct } from '@portal/testing/product';
import autocannon from 'autocannon';
import { insertFiles } from './file-list.ts';
import { type Benchmark, median } from './support/figure.ts';
import type { Probe } from './support/probe.ts';
import { processorSeconds } from './support/processes.ts';
import { withDatabase } from './support/product-database.ts';
import { companyAdmin, signIn } from './support/session.ts';

const fileCount = 20_000;
const perPage = 50;
const connections = 8;
const rounds = 5;

/** Pages of a list of files that eight administrators of a company ask for at once, each page as often as any other. */
export const benchmark: Benchmark = async () => {
  const product = await startProduct({ LOG_LEVEL: 'warn', RATE_LIMIT: 'off' });
  try {
    const rate = await probe.prepare(product);
    const before = await processorSeconds(product.pid);
    const rates: number[] = [];
    for (let round = 0; round < rounds; round += 1) rates.push(await rate());
    const pages = rates.reduce((sum, one) => sum + one, 0);
    const ms = ((await processorSeconds(product.pid)) - before) * 1_000;
    return [
      {
        what: `Pages of a list of ${fileCount.toLocaleString('en')} files for ${connections} connections`,
        target: 'none',
        measured: `${Math.round(median(rates))}/s`,
        value: median(rates),
        better: 'higher',
        detail: `${perPage} rows each; ${(ms / pages).toFixed(1)} ms of the portal's processor time a page`,
        met: true,
      },
    ];
  } finally {
    await product.remove();
  }
};

/** How many pages in a second. */
export const probe: Probe = {
  what: `Pages of a list of ${fileCount.toLocaleString('en')} files for ${connections} connections, each second`,
  better: 'higher',
  async prepare(product) {
    await withDatabase(product, 'portal_file', async (client) => insertFiles(client, fileCount));
    const { token } = await signIn(product.url, companyAdmin);
    let page = 0;
    const rate = async (seconds: number) => {
      const result = await autocannon({
        url: product.url,
        connections,
        duration: seconds,
        setupClient(client) {
          const turn = () => {
            page = (page + 7) % (fileCount / perPage);
            return {
              method: 'GET' as const,
              path: `/v1/partner/partners/${companyAdmin.partnerId}/files?page=${page + 1}&per_page=${perPage}`,
              headers: { authorization: `Bearer ${token}`, 'x-agent': 'bench/1.0.0' },
            };
          };
          client.setRequests([{ ...turn(), setupRequest: (request) => ({ ...request, ...turn() }) }]);
        },
      });
      if (result.non2xx + result.errors > 0) throw new Error(`${result.non2xx + result.errors} pages failed`);
      return result.requests.average;
    };
    await rate(3);
    return async () => rate(1);
  },
};
