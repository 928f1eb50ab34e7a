import { runScript } from '@portal/testing/events-command';
import { demoPassword, send, signIn, signInAdmin } from '@portal/testing/http-client';
import { type Product, startProduct } from '@portal/testing/product';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

/** Two factors over all services: what each refuses, what lists show, and the way out on the server. */

let product: Product;
beforeAll(async () => {
  product = await startProduct({ LOG_LEVEL: 'silent' });
});
afterAll(() => product?.remove());

const patience = { timeout: 15_000, interval: 200 };

async function turnOn(token: string, kind: 'admin' | 'partner'): Promise<string> {
  const url = `/v1/${kind}/two_factor`;
  const begun = await send(product, 'POST', url, { token, body: { password: demoPassword } });
  expect(begun.status).toBe(200);
  const secret = String(begun.body.secret);
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  const { body, status } = await send(product, 'PUT', url, { token, body: { code } });
  expect(status).toBe(200);
  return String([body.recoveryCodes].flat()[0]);
}

describe('When a tenant requires two factors', () => {
  const at = '/v1/partner/partners/1';
  const row = async (token: string) => {
    const { body } = await send(product, 'GET', `${at}/users?per_page=100`, { token });
    return [body.users].flat().find((user) => Object(user).loginUserId === 'dev');
  };

  test('then every service refuses who has none, lists show who has, and wrong codes lock', async () => {
    const admin = await signIn(product, '1000', 'partner@example.com');
    const required = { two_factor_required: true };
    expect(
      (await send(product, 'PUT', `${at}/security_settings`, { token: admin, body: required })).status,
    ).toBe(200);
    const small = await signIn(product, '1000', 'dev');
    for (const path of [
      `${at}/files`,
      `${at}/groups`,
      `${at}/users`,
      `${at}/summary`,
      '/v1/partner/sessions',
    ]) {
      const { body, status } = await send(product, 'GET', path, { token: small });
      expect([path, status, body.code]).toEqual([path, 403, 'E40301']);
    }
    expect(await row(admin)).toMatchObject({ loginUserId: 'dev', twoFactor: false });
    const recoveryCode = await turnOn(small, 'partner');
    await vi.waitFor(async () => expect(await row(admin)).toMatchObject({ twoFactor: true }), patience);
    const fresh = await send(product, 'GET', '/v2/oauth2/token', { token: small });
    expect(
      (await send(product, 'GET', `${at}/files`, { token: String(fresh.body.accessToken) })).status,
    ).toBe(200);

    const login = { partner_code: '1000', login_user_id: 'dev', password: demoPassword };
    const challenge = async () => {
      const { body, status } = await send(product, 'POST', '/v2/partner/login', { body: login });
      expect([status, body.code]).toEqual([401, 'E40103']);
      return String(body.challenge);
    };
    const answer = async (code: string, given?: string) => {
      const body = { challenge: given ?? (await challenge()), code };
      return send(product, 'POST', '/v1/partner/login/second_factor', { body });
    };
    expect((await answer(recoveryCode)).body).toMatchObject({
      twoFactorSetup: false,
      user: { loginUserId: 'dev' },
    });
    const kept = await challenge();
    // Each with a right password before it.
    for (let n = 0; n < 10; n += 1) expect((await answer('no such code')).body.code).toBe('E40101');
    expect((await send(product, 'POST', '/v2/partner/login', { body: login })).body.code).toBe('E40101');
    expect((await answer(recoveryCode, kept)).body.code).toBe('E40101');

    const id = Number(Object(await row(admin)).id);
    expect((await send(product, 'DELETE', `${at}/users/${id}/two_factor`, { token: admin })).status).toBe(
      200,
    );
    await vi.waitFor(async () => expect(await row(admin)).toMatchObject({ twoFactor: false }), patience);
    expect((await send(product, 'GET', `${at}/admins`, { token: admin })).body.admins).toMatchObject([
      { twoFactor: false },
    ]);
  });
});

describe('When an administrator has lost the second factor', () => {
  const reset = async (...args: string[]) =>
    runScript('two-factor-reset.ts', args, { DATA_DIR: product.dataDir });

  test('then a command on the server takes it away, and ends the sessions', async () => {
    const email = 'admin@example.com';
    expect(await reset(email)).toMatchObject({ code: 1, errors: expect.stringContaining('no two factors') });
    const token = await signInAdmin(product, email);
    await turnOn(token, 'admin');
    const login = async () =>
      send(product, 'POST', '/v1/admin/login', { body: { email, password: demoPassword } });
    expect((await login()).body.code).toBe('E40103');
    expect(await reset('nobody@example.com')).toMatchObject({ code: 1 });
    expect(await reset()).toMatchObject({ code: 2 });
    expect((await login()).body.code).toBe('E40103');
    expect(await reset('ADMIN@example.com')).toMatchObject({ code: 0, errors: '' });
    expect((await login()).status).toBe(200);
    await vi.waitFor(async () => {
      const { status } = await send(product, 'GET', '/v1/token/validate', { token });
      expect(status).toBe(401);
    }, patience);
  }, 60_000);
});
