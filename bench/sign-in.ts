import { hash, verify } from '@node-rs/argon2';
import { createApiClient } from '@portal/api-client';
import { identityRoutes } from '@portal/contracts';
import { freePort, type Product, startProduct } from '@portal/testing/product';
import { projectNode } from '@portal/testing/project';
import { type Benchmark, percent } from './support/figure.ts';
import { endProgram, startProgram } from './support/processes.ts';
import { superuserUrl, withDatabase } from './support/product-database.ts';
import { passwordCost } from './support/session.ts';

const target = 0.6;
const seconds = 10;
/** Callers at once: more than hashes at once, so that none of them waits for a caller. */
const callers = 8;
/** Each signs in with a device of their own, so that no sign-in waits for another's row lock. */
const users = 200;
const partnerId = 1;
const password = 'Passw0rd-demo';
/** What the product hashes at once. */
const hashesAtOnce = 2;

/**
 * Players that sign in over HTTP, against the bare argon2id check of a password: what a sign-in costs besides is what is
 * missing. How near one can come where caller and database share the machine is told by the least sign-in that there can
 * be.
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
    const stored = await hash(password, passwordCost);
    await insertUsers(product, stored);
    let next = 0;
    const nextLogin = () => {
      next = (next + 1) % users;
      return `bench-${next}`;
    };
    const signIn = async () => {
      const login = nextLogin();
      return api.call(identityRoutes.partnerLogin, {
        body: { partnerCode: '1000', loginUserId: login, password, platform: { uuid: login } },
      });
    };
    const barePort = await freePort();
    const leastSignIn = async () => {
      const reply = await fetch(`http://127.0.0.1:${barePort}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ login: nextLogin(), password }),
      });
      if (!reply.ok) throw new Error(`The bare route answers ${reply.status}`);
      await reply.arrayBuffer();
    };

    // Until every device is known, and the machine is warm.
    for (let left = users; left > 0; left -= 1) await signIn();
    await perSecond(callers, 2, signIn);
    // In turns, so that what else the machine does is shared.
    const rates = { bare: 0, least: 0, product: 0 };
    const rounds = 3;
    const database = await superuserUrl(product, 'portal_user');
    const bare = await startProgram(projectNode, [
      'bench/support/bare-sign-in.ts',
      String(barePort),
      database,
    ]);
    try {
      await perSecond(callers, 2, leastSignIn);
      for (let round = 0; round < rounds; round += 1) {
        rates.bare +=
          (await perSecond(hashesAtOnce, seconds / rounds, async () => verify(stored, password))) / rounds;
        rates.product += (await perSecond(callers, seconds / rounds, signIn)) / rounds;
        rates.least += (await perSecond(callers, seconds / rounds, leastSignIn)) / rounds;
      }
    } finally {
      await endProgram(bare);
    }
    const ratio = rates.product / rates.bare;
    return [
      {
        what: 'Players who sign in, against the bare argon2id check',
        target: `${percent(target)} of its rate`,
        measured: percent(ratio),
        value: ratio,
        better: 'higher',
        detail:
          `${rates.product.toFixed(1)} sign-ins/s, ${rates.bare.toFixed(1)} checks/s; ` +
          `the least sign-in that there can be ${percent(rates.least / rates.bare)}, ${rates.least.toFixed(1)}/s`,
        met: ratio >= target,
      },
    ];
  } finally {
    await product.remove();
  }
};

/** Users with this hash, whatever the licence says, and where the least sign-ins are written. */
async function insertUsers(product: Product, passwordHash: string): Promise<void> {
  await withDatabase(product, 'portal_user', async (client) => {
    await client.query('CREATE TABLE bare_sign_ins (id bigserial PRIMARY KEY, account_id integer NOT NULL)');
    await client.query(
      `INSERT INTO accounts (partner_id, name, name_key, login_user_id, login_user_id_key, password_hash, role, is_user,
         max_device_count_limited_flag, max_device_count, created_at, updated_at)
       SELECT $1, login, login, login, login, $2, 0, true, false, 0, now(), now()
       FROM (SELECT 'bench-' || i AS login FROM generate_series(0, $3::integer - 1) i) made`,
      [partnerId, passwordHash, users],
    );
  });
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
