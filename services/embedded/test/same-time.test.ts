import { setTimeout as sleep } from 'node:timers/promises';
import { demoPassword, send, signIn } from '@portal/testing/http-client';
import { type Product, startProduct } from '@portal/testing/product';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** The time of an answer does not tell who has an account: sign-ins and requests for mails take as long for unknown accounts. */

let product: Product;
beforeAll(async () => {
  product = await startProduct({ LOG_LEVEL: 'error' });
});
afterAll(() => product?.remove());

type Call = () => Promise<{ status: number }>;

const rounds = 16;
const sorted = (times: readonly number[]) => times.toSorted((a, b) => a - b);
const quantile = (times: readonly number[], part: number) =>
  sorted(times)[Math.floor(times.length * part)] ?? Number.NaN;
const median = (times: readonly number[]) => quantile(times, 0.5);

/** Answers how long each call takes, in ms: one of each in a round, in another order every time. */
async function measure(
  calls: Readonly<Record<string, Call>>,
  options: { expected: number; pauseMs?: number; afterRound?: (round: number) => Promise<unknown> },
): Promise<Map<string, number[]>> {
  const { afterRound, expected, pauseMs } = options;
  const names = Object.keys(calls);
  const times = new Map(names.map((name) => [name, [] as number[]]));
  for (const call of Object.values(calls)) await call();
  for (let round = 0; round < rounds; round += 1) {
    const shift = (round * 5) % names.length;
    const order = [...names.slice(shift), ...names.slice(0, shift)];
    for (const name of round % 2 === 0 ? order : order.toReversed()) {
      const start = performance.now();
      const { status } = (await calls[name]?.()) ?? {};
      times.get(name)?.push(performance.now() - start);
      expect(status).toBe(expected);
      // Work that goes on after an answer must not slow the next call.
      if (pauseMs !== undefined) await sleep(pauseMs);
    }
    await afterRound?.(round);
  }
  return times;
}

/**
 * Holds the median of each to that of those who are nobody. What these scatter follows the machine; of so many calls medians differ
 * by a fourth of it, and three times that is a difference.
 */
function expectAlike(times: ReadonlyMap<string, readonly number[]>): void {
  const nobody = [...times].filter(([name]) => name.startsWith('nobody')).flatMap(([, list]) => list);
  const scatter = quantile(nobody, 0.75) - quantile(nobody, 0.25);
  for (const [name, list] of times) {
    const difference = Math.abs(median(list) - median(nobody));
    expect(difference, `${name}: ${median(list)} ms, nobody: ${median(nobody)} ms`).toBeLessThan(
      0.8 * scatter + 1,
    );
  }
}

const settings = { retry: 2, timeout: 120_000 };
const wrong = 'Wrong-12345';

test(
  'When an administrator cannot sign in, then the answer takes as long for an unknown address',
  settings,
  async () => {
    const login = (email: string, password: string) => async () =>
      send(product, 'POST', '/v1/admin/login', { body: { email, password } });
    const locked = login('other-unit@example.com', wrong);
    for (let i = 0; i < 10; i += 1) await locked();
    const times = await measure(
      {
        'nobody 1': login('nobody-1@example.com', wrong),
        'nobody 2': login('nobody-2@example.com', wrong),
        somebody: login('unit@example.com', wrong),
        'somebody who is locked': locked,
        'somebody who is locked, with the right one': login('other-unit@example.com', demoPassword),
      },
      {
        expected: 401,
        // Before they are locked as well.
        afterRound: async (round) => round % 4 === 0 && login('unit@example.com', demoPassword)(),
      },
    );
    expectAlike(times);
  },
);

test(
  'When a person of a tenant cannot sign in, then the answer takes as long for nobody',
  settings,
  async () => {
    const token = await signIn(product, '1000', 'partner@example.com');
    const users = '/v1/partner/partners/1/users';
    const invited = { name: 'Invited', email: 'invited@example.com' };
    await send(product, 'POST', users, { token, body: invited });
    const login =
      (who: object, password = wrong) =>
      async () =>
        send(product, 'POST', '/v2/partner/login', { body: { partner_code: '1000', password, ...who } });
    for (let i = 0; i < 10; i += 1) await login({ login_user_id: 'jiro' })();
    const times = await measure(
      {
        'nobody 1': login({ email: 'nobody-1@example.com' }),
        'nobody 2': login({ email: 'nobody-2@example.com' }),
        'nobody by id': login({ login_user_id: 'nobody' }),
        somebody: login({ email: 'partner@example.com' }),
        'somebody by id': login({ login_user_id: 'dev' }),
        'somebody without a password': login({ email: invited.email }),
        'somebody who is locked': login({ login_user_id: 'jiro' }),
        'somebody who is locked, with the right one': login({ login_user_id: 'jiro' }, demoPassword),
      },
      {
        expected: 401,
        afterRound: async (round) => {
          if (round % 4 !== 0) return;
          await login({ email: 'partner@example.com' }, demoPassword)();
          await login({ login_user_id: 'dev' }, demoPassword)();
        },
      },
    );
    expectAlike(times);
  },
);

test.each([
  ['an administrator', '/v1/admin/password/reset_mail', 'admin@example.com', {}],
  ['a company admin', '/v1/partner/password/reset_mail', 'partner@example.com', { partner_code: '1000' }],
  ['a user', '/v1/user/password/reset_mail', 'hanako@example.com', { partner_code: '1000' }],
])('When a mail is asked for by %s, then the answer takes as long for nobody', settings, async (...given) => {
  const [, path, email, tenant] = given;
  const ask = (address: string) => async () =>
    send(product, 'POST', path, { body: { email: address, ...tenant } });
  const times = await measure(
    {
      'nobody 1': ask('nobody-1@example.com'),
      'nobody 2': ask('nobody-2@example.com'),
      somebody: ask(email),
    },
    { expected: 200, pauseMs: 25 },
  );
  expectAlike(times);
});
