import { ssoTokenRoutes as routes } from '@portal/contracts';
import { partnerActor } from '@portal/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SsoHarness, startSsoHarness, type TestPartner, trying } from './sso-harness.ts';

let harness: SsoHarness;
beforeAll(async () => {
  harness = await startSsoHarness();
});
afterAll(async () => harness.stop());

const attempt = trying(() => harness);
const make = async ({ admin, pid }: TestPartner, name = 'Entra ID') => {
  const made = await harness.call(routes.createProvisioningToken, { params: { pid }, body: { name } }, admin);
  expect(made.status).toBe(201);
  return made.body;
};
const list = async ({ admin, pid }: TestPartner) =>
  (await harness.call(routes.listProvisioningTokens, { params: { pid } }, admin)).body.tokens;

test('A token is answered once, kept as a hash, and listed by its name', async () => {
  const own = await harness.partner();
  const { id, token } = await make(own);
  expect(token).toMatch(/^portal_scim_[\w-]{43}$/);
  expect(await list(own)).toEqual([
    { id, name: 'Entra ID', createdAt: '2026-11-21T09:00:00Z', lastUsedAt: null },
  ]);
  const rows = await harness.sql('SELECT * FROM provisioning_tokens WHERE id = $1', id);
  expect(JSON.stringify(rows)).not.toContain(token);
  expect(JSON.stringify(await harness.events())).not.toContain(token);
});

test('What repeats a call with its key gets no token, and makes none', async () => {
  const { admin, pid } = await harness.partner();
  const request = { params: { pid }, body: { name: 'Okta' }, headers: { 'idempotency-key': `key-${pid}` } };
  const first = await harness.call(routes.createProvisioningToken, request, admin);
  const second = await harness.call(routes.createProvisioningToken, request, admin);
  expect([first.body.token === undefined, second.body.token]).toEqual([false, undefined]);
  expect(second.body.id).toBe(first.body.id);
});

test('A sixth is E40032, also at the same moment; one that goes makes room', async () => {
  const own = await harness.partner();
  for (const name of ['1', '2', '3']) await make(own, name);
  const request = { params: { pid: own.pid }, body: { name: 'more' } };
  const replies = await Promise.all(
    Array.from({ length: 4 }, async () => attempt(routes.createProvisioningToken, request, own.admin)),
  );
  expect(replies.filter(([status]) => status === 201)).toHaveLength(2);
  expect(replies.filter(([, code]) => code === 'E40032')).toHaveLength(2);
  const [newest] = await list(own);
  const params = { pid: own.pid, id: newest?.id ?? 0 };
  expect(await attempt(routes.deleteProvisioningToken, { params }, own.admin)).toEqual([200]);
  expect(await attempt(routes.deleteProvisioningToken, { params }, own.admin)).toEqual([404, 'E40401']);
  await make(own);
});

test('A name is needed, of one line and not too long', async () => {
  const { admin, pid } = await harness.partner();
  const named = async (name: string) =>
    attempt(routes.createProvisioningToken, { params: { pid }, body: { name } }, admin);
  expect(await named(' ')).toEqual([400, 'E40003', 'name']);
  expect(await named('a\nb')).toEqual([400, 'E40002', 'name']);
  expect(await named('a'.repeat(101))).toEqual([400, 'E40002', 'name']);
});

test('Tokens are for company admins of the tenant, in a contract with single sign-on', async () => {
  const own = await harness.partner();
  const { id } = await make(own);
  const params = { pid: own.pid };
  expect(
    await attempt(routes.listProvisioningTokens, { params }, partnerActor({ partnerId: own.pid, role: 16 })),
  ).toEqual([403, 'E40301']);
  const other = await harness.partner();
  const foreign = { params: { pid: other.pid, id } };
  expect(await attempt(routes.deleteProvisioningToken, foreign, other.admin)).toEqual([404, 'E40401']);
  expect(await attempt(routes.listProvisioningTokens, { params }, other.admin)).toEqual([404, 'E40402']);
  const lesser = await harness.partner({ contractRank: 'entry' });
  const request = { params: { pid: lesser.pid }, body: { name: 'x' } };
  expect(await attempt(routes.createProvisioningToken, request, lesser.admin)).toEqual([403, 'E40304']);
});
