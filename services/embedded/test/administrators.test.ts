import { send, signInAdmin } from '@portal/testing/http-client';
import { type Product, startProduct } from '@portal/testing/product';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

/** What administrators do to administrators, as every service sees it, with tokens that were out before. */

let product: Product;
const password = 'Another-passw0rd';
const first = { ADMIN_EMAIL: 'first@example.com', ADMIN_PASSWORD: 'First-passw0rd' };

beforeAll(async () => {
  product = await startProduct({ LOG_LEVEL: 'silent' });
}, 120_000);
afterAll(() => product?.remove());

const patience = { timeout: 15_000, interval: 100 };

async function ask(token: string, method: string, path: string, body?: object) {
  const reply = await send(product, method, path, { token, ...(body && { body }) });
  if (reply.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(reply.body)}`);
  return reply.body;
}

/** One call of each service that administrators may make, by the bit that it needs. */
const calls = [
  ['tenant', 1, '/v1/admin/partners'],
  ['tenant', 1, '/v1/admin/outsourcing/units'],
  ['user', 16, '/v1/admin/partners/1/admins'],
  ['batch', 16, '/v1/admin/operation_logs'],
  ['identity', 32, '/v1/admin/outsourcing/units/1/admins'],
  ['identity', 64, '/v1/admin/admins'],
] as const;

const outcomes = async (token: string) =>
  Promise.all(
    calls.map(async ([, , path]) => {
      const { body, status } = await send(product, 'GET', path, { token });
      return status === 200 ? 200 : body.code;
    }),
  );
const allowedTo = (role: number) => calls.map(([, bit]) => ((role & bit) === bit ? 200 : 'E40301'));

async function made(token: string, path: string, email: string, role: number): Promise<number> {
  return Number((await ask(token, 'POST', path, { name: email, email, password, role })).id);
}

describe('When the role of an administrator changes', () => {
  test('then every service goes by it from the answer on, in tokens that were out before', async () => {
    const root = await signInAdmin(product);
    const id = await made(root, '/v1/admin/admins', 'mover@example.com', 127);
    const token = await signInAdmin(product, 'mover@example.com', password);
    expect(await outcomes(token)).toEqual(allowedTo(127));
    for (const role of [63, 31, 15, 1, 16 + 15, 63, 127, 1, 127]) {
      await ask(root, 'PUT', `/v1/admin/admins/${id}`, { role });
      expect([role, await outcomes(token)]).toEqual([role, allowedTo(role)]);
    }
  });

  test('then the list of units shows it, and the operation log keeps who did it', async () => {
    const root = await signInAdmin(product);
    const path = '/v1/admin/outsourcing/units/1/admins';
    const adminId = await made(root, path, 'shown@example.com', 63);
    const shown = async () => {
      const { units } = await ask(root, 'GET', '/v1/admin/outsourcing/units?per_page=100');
      const [unit] = [units].flat().filter((one) => Object(one).unitId === 1);
      return [Object(unit).admins].flat().find((one) => one.adminId === adminId);
    };
    const row = { adminId, adminName: 'shown@example.com', adminEmail: 'shown@example.com', role: 63 };
    await vi.waitFor(async () => expect(await shown()).toMatchObject(row), patience);
    await ask(root, 'PUT', `${path}/${adminId}`, { name: 'Renamed', role: 7 });
    const renamed = { ...row, adminName: 'Renamed', role: 7 };
    await vi.waitFor(async () => expect(await shown()).toMatchObject(renamed), patience);
    await ask(root, 'DELETE', `${path}/${adminId}`);
    await vi.waitFor(async () => expect(await shown()).toBeUndefined(), patience);

    const logged = async () => {
      const query = `?operation=createUnitAdmin,updateUnitAdmin,deleteUnitAdmin&per_page=10`;
      const { operationLogs } = await ask(root, 'GET', `/v1/admin/operation_logs${query}`);
      return [operationLogs].flat().filter((one) => Object(one).target?.id === adminId);
    };
    const who = expect.objectContaining({ name: 'Platform administrator' });
    const rows = (operation: string, name: string) =>
      expect.objectContaining({ operation, who, target: expect.objectContaining({ kind: 'admin', name }) });
    await vi.waitFor(
      async () =>
        expect(await logged()).toEqual([
          rows('deleteUnitAdmin', 'Renamed'),
          rows('updateUnitAdmin', 'Renamed'),
          rows('createUnitAdmin', 'shown@example.com'),
        ]),
      patience,
    );
  });
});

describe('When an administrator is deleted', () => {
  test('then every service refuses their tokens from the answer on', async () => {
    const root = await signInAdmin(product);
    const path = '/v1/admin/outsourcing/units/1/admins';
    const id = await made(root, path, 'leaver@example.com', 63);
    const token = await signInAdmin(product, 'leaver@example.com', password);
    expect(await outcomes(token)).toEqual(allowedTo(63));
    await ask(root, 'DELETE', `${path}/${id}`);
    expect(await outcomes(token)).toEqual(calls.map(() => 'E40102'));
    const refreshed = await send(product, 'GET', '/v2/oauth2/token', { token });
    expect([refreshed.status, refreshed.body.code]).toEqual([401, 'E40102']);
  });
});

describe('When a portal starts without a demo, with an administrator in its settings', () => {
  test('then that one makes other administrators, who do so as well', async () => {
    const empty = await startProduct({
      DEMO: '0',
      API_KEY: 'a-key-of-this-test-alone',
      MAIL_URL: 'smtp://127.0.0.1:9',
      RATE_LIMIT: 'on',
      ...first,
    });
    try {
      const signIn = async (email: string, presented = password) =>
        String(
          (await send(empty, 'POST', '/v1/admin/login', { body: { email, password: presented } })).body
            .accessToken,
        );
      const root = await signIn(first.ADMIN_EMAIL, first.ADMIN_PASSWORD);
      const body = { name: 'Second', email: 'second@example.com', password, role: 127 };
      const second = await send(empty, 'POST', '/v1/admin/admins', { token: root, body });
      expect(second.status).toBe(201);
      const token = await signIn('second@example.com');
      const list = await send(empty, 'GET', '/v1/admin/admins?order=asc', { token });
      expect([list.body.admins].flat().map((one) => Object(one).email)).toEqual([
        first.ADMIN_EMAIL,
        'second@example.com',
      ]);
      const [id] = [list.body.admins].flat().map((one) => Number(Object(one).id));
      const gone = await send(empty, 'DELETE', `/v1/admin/admins/${id}`, { token });
      expect(gone.status).toBe(200);
      expect((await send(empty, 'GET', '/v1/admin/admins', { token: root })).body.code).toBe('E40102');
    } finally {
      await empty.remove();
    }
  }, 120_000);
});
