import { hash, verify } from '@node-rs/argon2';
import { createApiClient } from '@portal/api-client';
import { identityRoutes } from '@portal/contracts';
import { type Product, startProduct } from '@portal/testing/product';
import { type Benchmark, percent } from './support/figure.ts';
import { withDatabase } from './support/product-database.ts';

const target = 0.9;
const seconds = 10;
/** Callers at once: more than hashes at once, so that none of them waits for a caller. */
const callers = 8;
/** Each signs in with a device of their own: nobody waits for the row of another. */
const users = 200;
const partnerId = 1;
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
    const stored = await hash(password, cost);
    await insertUsers(product, stored);
    let next = 0;
    const signIn = async () => {
      next = (next + 1) % users;
      const login = `bench-${next}`;
      return api.call(identityRoutes.partnerLogin, {
        body: { partnerCode: '1000', loginUserId: login, password, platform: { uuid: login } },
      });
    };

    // Until every device is known, and the machine is warm.
    for (let left = users; left > 0; left -= 1) await signIn();
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

/** Users with this hash, whatever the licence says. */
async function insertUsers(product: Product, passwordHash: string): Promise<void> {
  await withDatabase(product, 'portal_user', async (client) =>
    client.query(
      `INSERT INTO accounts (partner_id, name, name_key, login_user_id, login_user_id_key, password_hash, role, is_user,
         max_device_count_limited_flag, max_device_count, created_at, updated_at)
       SELECT $1, login, login, login, login, $2, 0, true, false, 0, now(), now()
       FROM (SELECT 'bench-' || i AS login FROM generate_series(0, $3::integer - 1) i) made`,
      [partnerId, passwordHash, users],
    ),
  );
}

async function perSecond(atOnce: number, forSeconds: number, work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  const end = begun + forSeconds * 1000;
  let done = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (performance.now() < end) {
        await work();
        done += 1;
      }
    }),
  );
  return done / ((performance.now() - begun) / 1000);
}
