import { demoPassword, send, signIn } from '@portal/testing/http-client';
import { type Product, startProduct } from '@portal/testing/product';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** The whole product with its rate limits on, behind a proxy that names the addresses. */

let product: Product;
beforeAll(async () => {
  product = await startProduct({ RATE_LIMIT: 'on', TRUSTED_PROXIES: '127.0.0.1' });
});
afterAll(() => product?.remove());

const from = (address: string, options: { token?: string; body?: unknown } = {}) => ({
  ...options,
  headers: { 'x-forwarded-for': address },
});
const person = (password: string, email = 'partner@example.com') => ({
  partner_code: '1000',
  email,
  password,
});
const signInFrom = async (address: string, password: string, email?: string) =>
  (await send(product, 'POST', '/v2/partner/login', from(address, { body: person(password, email) }))).status;

test('When more sign in rightly from one address at once than may try, then nobody comes too often', async () => {
  const many = Array.from({ length: 65 }, async () => signInFrom('192.0.2.1', demoPassword));
  expect(await Promise.all(many)).not.toContain(429);
  expect(await signInFrom('192.0.2.1', 'wrong', 'nobody@example.com')).toBe(401);
});

test('When secrets are tried from one address, then all routes count together and only what is new is held off', async () => {
  const address = '192.0.2.2';
  const token = await signIn(product, '1000', 'taro', 'device-of-taro');
  const reset = { reset_token: 'guess', password: demoPassword };
  const account = { email: 'nobody@example.com', partner_code: '1000' };
  const tries: (() => Promise<{ status: number }>)[] = [
    async () =>
      send(product, 'POST', '/v2/partner/login', from(address, { body: person('x', account.email) })),
    async () =>
      send(
        product,
        'POST',
        '/v1/admin/login',
        from(address, { body: { email: account.email, password: 'x' } }),
      ),
    async () => send(product, 'POST', '/v1/partner/password/reset_mail', from(address, { body: account })),
    async () => send(product, 'GET', '/v1/password/reset/session?reset_token=guess', from(address)),
    async () => send(product, 'PUT', '/v1/user/password/init', from(address, { body: reset })),
    async () => send(product, 'GET', '/v1/user/files', from(address, { token: 'guess' })),
  ];
  const statuses: number[] = [];
  for (let i = 0; i < 66; i += 1) statuses.push((await tries[i % 6]?.())?.status ?? 0);
  expect(new Set(statuses.slice(0, 60))).toEqual(new Set([200, 400, 401]));
  expect(new Set(statuses.slice(60))).toEqual(new Set([429]));

  expect(await signInFrom(address, demoPassword)).toBe(429);
  expect(await signInFrom('192.0.2.3', demoPassword)).toBe(200);
  const check = await send(product, 'GET', '/v1/user/files', from(address, { token }));
  expect(check.status).toBe(200);
});
