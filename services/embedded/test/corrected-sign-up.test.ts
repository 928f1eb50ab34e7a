import { send, signIn, signInAdmin } from '@portal/testing/http-client';
import { type SharedProduct, sharedProduct } from '@portal/testing/shared-product';
import { beforeAll, expect, test, vi } from 'vitest';

/** Somebody mistypes their address when they sign up, and the operator corrects it: over all services that have a part in it. */

let product: SharedProduct;
beforeAll(async () => {
  product = await sharedProduct();
});
const patience = { timeout: 15_000, interval: 200 };
const password = 'Chosen-1234';

test('When the address of a free sign-up is corrected, then the mail to the right one activates the company', async () => {
  const [typo, right] = ['typo@sign-up.example', 'right@sign-up.example'];
  const made = await send(product, 'POST', '/v2/signup', {
    headers: { 'x-api-key': 'demo-api-key' },
    body: {
      email: typo,
      first_name: 'Hanako',
      last_name: 'Yamada',
      company_name: 'Mistyped',
      tel: '03-1234-5678',
    },
  });
  expect(made.status).toBe(201);
  const tokenTo = async (email: string) =>
    vi.waitFor(async () => {
      const mails = await send(product, 'GET', `/dev/mailbox?to=${email}`);
      const [, found] =
        /partner\/password\/init\?reset_token=([\w-]+)/.exec(JSON.stringify(mails.body)) ?? [];
      if (found === undefined) throw new Error('No mail yet');
      return found;
    }, patience);
  const stranger = await tokenTo(typo);

  const token = await signInAdmin(product);
  const at = `/v1/admin/partners/${String(made.body.id)}/admins`;
  const { body } = await send(product, 'GET', at, { token });
  const [admin] = [body.admins].flat();
  const id = String(Object(admin).id);
  const corrected = await send(product, 'PUT', `${at}/${id}`, { token, body: { email: right } });
  expect(corrected.status).toBe(200);
  const choose = async (resetToken: string) =>
    send(product, 'PUT', '/v1/user/password/init', { body: { reset_token: resetToken, password } });
  const chosen = await tokenTo(right);
  expect((await choose(stranger)).body.code).toBe('E40004');
  expect((await choose(chosen)).status).toBe(200);
  expect(await signIn(product, String(made.body.partnerCode), right, undefined, password)).not.toBe('');
}, 60_000);
