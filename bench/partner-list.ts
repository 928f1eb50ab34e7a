import { fromWire, type RouteRequest, tenantRoutes } from '@portal/contracts';
import { startProduct } from '@portal/testing/product';
import type { Benchmark } from './support/figure.ts';
import { type ListAnswer, measureListPages } from './support/list-pages.ts';
import { insertPartners, partnerCount } from './support/many-partners.ts';
import { withDatabase } from './support/product-database.ts';
import { signInAdministrator } from './support/session.ts';

const perPage = 100;
const limitMs = 100;

const { listPartners } = tenantRoutes;
type Query = RouteRequest<typeof listPartners>['query'];

const spring = '2026-03-01T00:00:00Z';
const summer = '2026-06-01T00:00:00Z';

/** Every filter of the contract, alone and together. */
const filters: Record<string, Query> = {
  none: {},
  search: { q: 'sato' },
  rareSearch: { q: `sato ${'77914'.slice(0, String(partnerCount).length - 2)}` },
  name: { name: '株式会社' },
  code: { code: '99' },
  unit: { unitId: 100 },
  rank: { contractRank: 'enterprise' },
  licenceType: { licenseType: 'device' },
  end: { licenseExpiredOnStart: spring, licenseExpiredOnEnd: summer },
  created: { createdAtStart: spring, createdAtEnd: summer },
  bounces: { bounceInfoStart: spring, bounceInfoEnd: summer },
  together: { name: '株式会社', licenseType: 'user', createdAtStart: spring, bounceInfoStart: spring },
};

/** The partner list over HTTP at 100,000 partners: every filter, order key and direction; first, middle and last page. */
export const benchmark: Benchmark = async () => {
  const product = await startProduct({ LOG_LEVEL: 'warn', RATE_LIMIT: 'off' });
  try {
    await withDatabase(product, 'portal_tenant', insertPartners);
    const api = await signInAdministrator(product.url);

    async function list(query: Query): Promise<ListAnswer> {
      const begun = performance.now();
      const answer = await api.send(listPartners, { query: { ...query, perPage } });
      const text = await answer.text();
      const ms = performance.now() - begun;
      const reply = listPartners.response.parse(fromWire(listPartners.response)(JSON.parse(text)));
      if (!('totalPage' in reply) || reply.totalCount === 0) {
        throw new Error(`No partners for ${JSON.stringify(query)}`);
      }
      return { ms, totalPage: reply.totalPage };
    }

    const figure = await measureListPages({
      what: `Partner list at ${partnerCount.toLocaleString('en')} partners`,
      ...{ limitMs, perPage, filters, list },
      orderKeys: listPartners.query.shape.orderKey.unwrap().options,
    });
    const title = 'A page of the partners, any filter and order: p95';
    return [{ ...figure, growth: { title, unit: 'ms', value: figure.value } }];
  } finally {
    await product.remove();
  }
};
