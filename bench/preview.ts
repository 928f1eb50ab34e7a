import { type changeKinds, previewRoutes, rolloutRoutes } from '@portal/contracts';
import { startProduct } from '@portal/testing/product';
import { deliverToAll, deviceCount, releaseInStages } from './support/delivered-file.ts';
import { type Benchmark, type Figure, quantile } from './support/figure.ts';
import { companyAdmin, signIn } from './support/session.ts';

const limitMs = 1_000;
const asked = 40;

interface Asked {
  readonly what: (typeof changeKinds)[number];
  readonly body: object;
  /** At least so many people are concerned. */
  readonly users: number;
}

const allButOneGroup = [9_001, 9_002, 9_003, 9_004, 9_005, 9_006, 9_007, 9_008, 9_009];
const bytes = { fileName: 'Bench.uap', fileSize: 10 };

/** Changes that concern everybody, some, and nobody. */
const changes: readonly Asked[] = [
  { what: 'groups', body: { groupIds: [] }, users: deviceCount },
  { what: 'groups', body: { groupIds: allButOneGroup }, users: 1 },
  { what: 'file', body: bytes, users: deviceCount },
  { what: 'deletion', body: {}, users: deviceCount },
];
const inStages: readonly Asked[] = [
  ...changes,
  { what: 'file', body: { ...bytes, rollout: { stages: [{ percent: 10 }, { percent: 100 }] } }, users: 1 },
  { what: 'restore', body: { version: 1 }, users: deviceCount },
  { what: 'rollout', body: { action: 'advance', stage: 2 }, users: 1 },
];
/** Who keeps the version that it halts is not known yet. */
const ofHalt: readonly Asked[] = [{ what: 'rollout', body: { action: 'halt' }, users: 1 }];
const afterHalt: readonly Asked[] = [
  ...changes,
  { what: 'restore', body: { version: 1 }, users: deviceCount },
  { what: 'rollout', body: { action: 'resume' }, users: 1 },
  { what: 'rollout', body: { action: 'cancel' }, users: 0 },
];

/** Previews of changes of a file with 1,000,000 people, over HTTP: of one version, of two in stages, of a halt, and after it. */
export const benchmark: Benchmark = async () => {
  const product = await startProduct({ LOG_LEVEL: 'warn', RATE_LIMIT: 'off' });
  try {
    const id = await deliverToAll(product);
    const { api } = await signIn(product.url, companyAdmin);
    const params = { pid: companyAdmin.partnerId, id };

    async function measure(when: string, some: readonly Asked[]): Promise<Figure> {
      const samples: number[] = [];
      for (const { body, users, what } of some) {
        const ofOne: number[] = [];
        for (let n = 0; n < asked; n += 1) {
          const begun = performance.now();
          const shown = await api.call(previewRoutes.previewChange, {
            params,
            body: { what, body } as never,
          });
          ofOne.push(performance.now() - begun);
          const concerned = shown.gains.users + shown.loses.users + shown.changes.users;
          if (concerned < users || concerned > deviceCount)
            throw new Error(JSON.stringify({ what, body, shown }));
        }
        const [middle, most] = [quantile(ofOne, 0.5), quantile(ofOne, 0.95)];
        console.log(
          `  ${what} ${JSON.stringify(body)}${when}: median ${Math.round(middle)} ms, p95 ${Math.round(most)} ms`,
        );
        samples.push(...ofOne);
      }
      const p95 = quantile(samples, 0.95);
      return {
        what: `Preview of a change for ${deviceCount} users${when}; p95`,
        target: `${limitMs} ms`,
        measured: `${Math.round(p95)} ms`,
        value: p95,
        better: 'lower',
        detail: `${samples.length} of ${some.length === 1 ? 'one kind' : `${some.length} kinds`}, one after the other: median ${Math.round(quantile(samples, 0.5))} ms`,
        met: p95 < limitMs,
        ...(when === '' && {
          growth: { title: 'The preview of a change of a file: p95', unit: 'ms', value: p95 },
        }),
      };
    }

    const plain = await measure('', changes);
    await releaseInStages(product, api, id);
    const staged = await measure(' in stages', inStages);
    const halt = await measure(' in stages: a halt', ofHalt);
    await api.call(rolloutRoutes.haltRollout, { params });
    return [plain, staged, halt, await measure(' after a halt', afterHalt)];
  } finally {
    await product.remove();
  }
};
