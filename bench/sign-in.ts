import { hash, verify } from '@node-rs/argon2';
import { createApiClient } from '@portal/api-client';
import { identityRoutes } from '@portal/contracts';
import { startProduct } from '@portal/testing/product';
import { type Benchmark, percent } from './support/figure.ts';

const target = 0.9;
const seconds = 10;
/** Callers at once: more than hashes at once, so that none of them waits for a caller. */
const callers = 8;
const password = 'Passw0rd-demo';
/** What the product hashes with, and how many at once. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const hashesAtOnce = 2;

/**
 * Players that sign in over HTTP, against the bare argon2id check of a password in a process of its own kind: what a
 * sign-in costs besides is what is missing.
 */
export const benchmark: Benchmark = async () => {
  const product = await startProduct({ LOG_LEVEL: 'warn', RATE_LIMIT: 'off' });
  try {
    const api = createApiClient({
      baseUrl: product.url,
      getToken: () => undefined,
      language: () => 'en',
      agent: 'bench/1.0.0',
    });
    const signIn = async (caller: number) =>
      api.call(identityRoutes.partnerLogin, {
        body: { partnerCode: '1000', loginUserId: 'taro', password, platform: { uuid: `bench-${caller}` } },
      });
    const stored = await hash(password, cost);

    await perSecond(callers, 2, signIn);
    // In turns, so that what else the machine does is shared.
    const rates = { bare: 0, product: 0 };
    const rounds = 3;
    for (let round = 0; round < rounds; round += 1) {
      rates.bare +=
        (await perSecond(hashesAtOnce, seconds / rounds, async () => verify(stored, password))) / rounds;
      rates.product += (await perSecond(callers, seconds / rounds, signIn)) / rounds;
    }
    const ratio = rates.product / rates.bare;
    return [
      {
        what: 'Players who sign in, against the bare argon2id check',
        target: `${percent(target)} of its rate`,
        measured: percent(ratio),
        detail: `${rates.product.toFixed(1)} sign-ins/s, ${rates.bare.toFixed(1)} checks/s`,
        met: ratio >= target,
      },
    ];
  } finally {
    await product.remove();
  }
};

async function perSecond(
  atOnce: number,
  forSeconds: number,
  work: (caller: number) => Promise<unknown>,
): Promise<number> {
  const begun = performance.now();
  const end = begun + forSeconds * 1000;
  let done = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async (_, caller) => {
      while (performance.now() < end) {
        await work(caller);
        done += 1;
      }
    }),
  );
  return done / ((performance.now() - begun) / 1000);
}
