import { send, signInAdmin } from '@portal/testing/http-client';
import { type SharedProduct, sharedProduct } from '@portal/testing/shared-product';
import { beforeAll, expect, test } from 'vitest';

let product: SharedProduct;
beforeAll(async () => {
  product = await sharedProduct();
});

test('When a partner is created with demo users, then each signs in with the shown password within seconds', async () => {
  const token = await signInAdmin(product);
  const { body, status } = await send(product, 'POST', '/v1/admin/partners', {
    token,
    body: {
      name: 'To be tried',
      partner_code: 'tried',
      unit_id: 1,
      contract_rank: 'standard',
      license_count: 3,
      create_demo_users: true,
    },
  });
  expect(status).toBe(201);
  const users = body.demoUsers as { loginUserId: string; password: string }[];
  expect(users.map(({ loginUserId }) => loginUserId)).toEqual(['demo1', 'demo2', 'demo3']);
  for (const { loginUserId, password } of users) {
    const login = { partner_code: 'tried', login_user_id: loginUserId, password };
    const signIn = async () =>
      send(product, 'POST', '/v2/partner/login', {
        body: { ...login, platform: { uuid: `device-of-${loginUserId}` } },
      });
    await expect.poll(async () => (await signIn()).status, { timeout: 10_000 }).toBe(200);
    const { user } = (await signIn()).body;
    expect(user).toMatchObject({ groups: [{ name: 'Demo' }] });
  }
});
