import { demoPassword, importUsers, send, signIn } from '@portal/testing/http-client';
import { type SharedProduct, sharedProduct } from '@portal/testing/shared-product';
import { beforeAll, expect, test, vi } from 'vitest';

/** When a call that ends sessions is answered, they are ended, however busy the portal is. */

const users = '/v1/partner/partners/1/users';
const adminBit = 268_435_456;

let product: SharedProduct;
let token: string;
beforeAll(async () => {
  product = await sharedProduct();
  token = await signIn(product, '1000', 'partner@example.com');
});

/** A new person of the first partner who is signed in. */
async function signedIn(loginUserId: string) {
  const body = { name: 'Somebody', login_user_id: loginUserId, password: demoPassword, role: adminBit };
  const { body: made } = await send(product, 'POST', users, { token, body });
  const theirs = await signIn(product, '1000', loginUserId);
  return { id: Number(made['id']), token: theirs };
}
/** A company admin who has forgotten their password. */
async function mailedAdmin(email: string) {
  const body = { name: 'Somebody', email, password: demoPassword };
  const { body: made } = await send(product, 'POST', '/v1/partner/partners/1/admins', { token, body });
  await send(product, 'POST', '/v1/partner/password/reset_mail', { body: { email, partner_code: '1000' } });
  return { id: Number(made['id']) };
}
async function linkTo(address: string): Promise<string> {
  return vi.waitFor(
    async () => {
      const { body } = await send(product, 'GET', `/dev/mailbox?to=${address}`);
      const [, link] = /reset_token=([\w-]+)/.exec(JSON.stringify(body)) ?? [];
      if (link === undefined) throw new Error('No mail yet');
      return link;
    },
    { timeout: 10_000, interval: 100 },
  );
}
const statusFor = async (somebody: { token: string }) =>
  (await send(product, 'GET', users, { token: somebody.token })).status;

async function importPeople(count: number): Promise<void> {
  const second = await signIn(product, '2000', 'second@example.com');
  const lines = Array.from({ length: count }, (_, i) => `Person,person-${i}@example.com,,,,,0`);
  await importUsers(product, second, { partnerId: 2, lines });
}

test('When somebody is deleted or gets another password while thousands of others are new, then they are out with the answer', async () => {
  const [gone, changed, kept] = [await signedIn('gone'), await signedIn('changed'), await signedIn('kept')];
  const admin = await mailedAdmin('before@example.com');
  const link = await linkTo('before@example.com');
  await importPeople(5_000);

  // Nor does a link work that went to an address that is another's by now.
  const moved = { body: { email: 'moved@example.com' }, token };
  expect((await send(product, 'PUT', `/v1/partner/partners/1/admins/${admin.id}`, moved)).status).toBe(200);
  const used = await send(product, 'PUT', '/v1/partner/password/reset', {
    body: { reset_token: link, password: 'Stolen-1234' },
  });
  expect([used.status, used.body['code']]).toEqual([400, 'E40004']);

  expect((await send(product, 'DELETE', users, { token, body: { ids: [gone.id] } })).status).toBe(200);
  expect(await statusFor(gone)).toBe(401);
  const body = { password: 'An0ther-password' };
  expect((await send(product, 'PUT', `${users}/${changed.id}`, { token, body })).status).toBe(200);
  expect(await statusFor(changed)).toBe(401);
  expect((await send(product, 'PUT', `${users}/${kept.id}`, { token: kept.token, body })).status).toBe(200);
  expect(await statusFor(kept)).toBe(200);
}, 120_000);
