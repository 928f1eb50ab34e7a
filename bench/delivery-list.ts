import { deliveryRoutes, fromWire, type RouteRequest, rolloutRoutes } from '@portal/contracts';
import { startProduct } from '@portal/testing/product';
import { deliverToAll, deviceCount, releaseInStages } from './support/delivered-file.ts';
import { type Benchmark, type Figure, quantile } from './support/figure.ts';
import { type ListAnswer, measureListPages } from './support/list-pages.ts';
import { companyAdmin, signIn } from './support/session.ts';

const perPage = 100;
const pageLimitMs = 150;
const numbersLimitMs = 200;
const numbersAsked = 100;
const inStages = ' in stages';

const { getDelivery, listDeliveryDevices } = deliveryRoutes;
type Query = RouteRequest<typeof listDeliveryDevices>['query'];

/** Every filter of the contract, alone and together. */
const filters: Record<string, Query> = {
  none: {},
  user: { user: 'sato' },
  rareUser: { user: `sato ${'7791'.slice(0, String(deviceCount).length - 3)}` },
  login: { user: `person-${String(deviceCount - 1).slice(0, 4)}` },
  device: { device: 'tablet 12' },
  uuid: { device: `bench-${deviceCount / 2}` },
  version: { version: 1 },
  notSeen: { status: 'not_seen' },
  installed: { status: 'installed' },
  failed: { status: 'failed' },
  several: { status: 'downloading,downloaded' },
  reason: { reason: 'room' },
  group: { group: 9_003 },
  at: { atStart: '2026-03-01T00:00:00Z', atEnd: '2026-06-01T00:00:00Z' },
  together: { group: 9_003, status: 'failed', user: 'sato' },
};

/**
 * What has become of a file with 1,000,000 devices, over HTTP: its numbers, and the list of its devices; of one version, of two while
 * the second goes out in stages, and after that was halted.
 */
export const benchmark: Benchmark = async () => {
  const product = await startProduct({ LOG_LEVEL: 'warn', RATE_LIMIT: 'off' });
  try {
    const id = await deliverToAll(product);
    const { api } = await signIn(product.url, companyAdmin);
    const params = { pid: companyAdmin.partnerId, id };

    async function measureNumbers(when: string): Promise<Figure> {
      const samples: number[] = [];
      for (let n = 0; n < numbersAsked; n += 1) {
        const begun = performance.now();
        const { versions } = await api.call(getDelivery, { params });
        samples.push(performance.now() - begun);
        const told = versions
          .flatMap(({ states }) => Object.values(states))
          .reduce((sum, count) => sum + count, 0);
        const targeted = versions.reduce((sum, version) => sum + version.targeted.devices, 0);
        if (targeted !== deviceCount || told !== deviceCount) throw new Error(JSON.stringify(versions));
      }
      const p95 = quantile(samples, 0.95);
      return {
        what: `Numbers of a file with ${deviceCount} devices${when}; p95`,
        target: `${numbersLimitMs} ms`,
        measured: `${Math.round(p95)} ms`,
        value: p95,
        better: 'lower',
        detail:
          `${numbersAsked} times, one after the other: median ${Math.round(quantile(samples, 0.5))} ms, ` +
          `first ${Math.round(samples[0] ?? Number.NaN)} ms, slowest ${Math.round(Math.max(...samples))} ms`,
        met: p95 < numbersLimitMs,
        ...(when === inStages && {
          growth: {
            title: 'What has become of a version in stages, its numbers: p95',
            unit: 'ms',
            value: p95,
          },
        }),
      };
    }

    async function list(query: Query): Promise<ListAnswer> {
      const begun = performance.now();
      const answer = await api.send(listDeliveryDevices, { params, query: { ...query, perPage } });
      const text = await answer.text();
      const ms = performance.now() - begun;
      const reply = listDeliveryDevices.response.parse(
        fromWire(listDeliveryDevices.response)(JSON.parse(text)),
      );
      if (reply.devices.length === 0) throw new Error(`No devices for ${JSON.stringify(query)}`);
      return { ms, totalPage: reply.totalPage };
    }

    async function measureList(when: string): Promise<Figure> {
      const figure = await measureListPages({
        what: `Devices of a file with ${deviceCount}${when}`,
        ...{ limitMs: pageLimitMs, perPage, filters, list },
        orderKeys: listDeliveryDevices.query.shape.orderKey.unwrap().options,
      });
      const title = 'A page of its devices, any filter and order: p95';
      return { ...figure, ...(when === inStages && { growth: { title, unit: 'ms', value: figure.value } }) };
    }

    const measureBoth = async (when: string) => [await measureNumbers(when), await measureList(when)];
    const plain = await measureBoth('');
    await releaseInStages(product, api, id);
    const staged = await measureBoth(inStages);
    await api.call(rolloutRoutes.haltRollout, { params });
    return [...plain, ...staged, ...(await measureBoth(' after a halt'))];
  } finally {
    await product.remove();
  }
};
