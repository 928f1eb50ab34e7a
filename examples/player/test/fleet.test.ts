import { setTimeout as sleep } from 'node:timers/promises';
import { createApiClient } from '@portal/api-client';
import { deliveryRoutes, fileRoutes, identityRoutes, userRoutes } from '@portal/contracts';
import { send } from '@portal/testing/http-client';
import { type Product, startProduct } from '@portal/testing/product';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Company, makeCompany } from '../fleet/company.ts';
import { type Fleet, startFleet } from '../fleet/fleet.ts';

/** A small fleet against the product: what its devices say of themselves is what the portal shows. */

const devices = 12;
const settings = { devices, pollMs: 300, installMs: 20, fail: 0, offline: 0.1 };
const patience = { timeout: 60_000, interval: 200 };
const password = 'Passw0rd-demo';

let product: Product;
let company: Company;
let fleet: Fleet;
let token = '';
beforeAll(async () => {
  product = await startProduct({ DOWNLOADS_PER_SECOND: '4' });
}, 120_000);
afterAll(async () => {
  await fleet?.stop();
  await product?.remove();
});

const api = createApiClient({
  get baseUrl() {
    return product.url;
  },
  getToken: () => token,
  language: () => 'en',
  agent: 'fleet-test/1.0',
});
const make = async (count: number) =>
  makeCompany({
    url: product.url,
    administrator: { email: 'admin@example.com', password },
    code: 'fleet',
    password,
    devices: count,
    tell: () => undefined,
  });

async function sendBytes(
  opened: { uploadId: string; signedUrl: string | null },
  content: string,
): Promise<void> {
  await fetch(opened.signedUrl ?? '', { method: 'PUT', body: content });
  await api.call(fileRoutes.completeUpload, { params: { uploadId: opened.uploadId }, body: {} });
}

test('A fleet makes its company, and the same call may be made again with more devices', async () => {
  await make(4);
  company = await make(devices);
  expect(company.people.length).toBe(devices / 2);
  const signIn = { partnerCode: company.code, email: company.admins[1] ?? '', password };
  token = (await api.call(identityRoutes.partnerLogin, { body: signIn })).accessToken;
  const users = await api.call(userRoutes.listUsers, { params: { pid: company.id }, query: {} });
  expect(users.totalCount).toBe(devices / 2);
}, 120_000);

test('Its devices take each version, tell what becomes of it, and take a former one that is put back', async () => {
  fleet = startFleet(company, { ...settings, url: product.url });
  await expect.poll(() => fleet.numbers.signedIn, patience).toBe(devices);
  const pid = company.id;
  const body = { name: 'Store guide', fileName: 'guide.uap', fileSize: 9 };
  const opened = await api.call(fileRoutes.createFile, { params: { pid }, body });
  await sendBytes(opened, 'the guide');
  const params = { pid, id: opened.id };
  await api.call(fileRoutes.assignGroups, { params, body: { groupIds: [0] } });
  // They begin within three seconds, each when it was told to: those that were told to begin at once look twice meanwhile.
  await expect.poll(() => fleet.numbers.downloads, patience).toBeGreaterThan(0);
  await sleep(900);
  expect(fleet.numbers.downloads).toBeLessThan(devices);

  const states = async () => {
    const { states: known, version } = await api.call(deliveryRoutes.getDelivery, { params });
    const { failed, installed } = known;
    return { version, failed, installed };
  };
  const own = () =>
    [...(fleet.numbers.files.get(opened.id)?.versions ?? [])].map(([version, known]) => [
      version,
      Object.fromEntries(known),
    ]);
  await expect.poll(states, patience).toEqual({ version: 1, failed: 0, installed: devices });
  expect(own()).toEqual([[1, { installed: devices }]]);

  const bad = 'fail 1\n and nothing that could be unpacked';
  const changed = await api.call(fileRoutes.updateFile, {
    params,
    body: { fileName: 'guide.uap', fileSize: bad.length },
  });
  await sendBytes(Object(changed), bad);
  await expect.poll(states, patience).toEqual({ version: 2, failed: devices, installed: 0 });
  const { failureReasons } = await api.call(deliveryRoutes.getDelivery, { params });
  expect(failureReasons.reduce((sum, { count }) => sum + count, 0)).toBe(devices);

  await api.call(deliveryRoutes.restoreVersion, { params: { ...params, version: 1 }, body: {} });
  await expect.poll(states, patience).toEqual({ version: 3, failed: 0, installed: devices });
  expect(own()).toEqual([[3, { installed: devices }]]);

  const removed = await send(product, 'DELETE', `/v1/partner/partners/${pid}/files/${opened.id}`, { token });
  expect(removed.status).toBe(200);
  await expect.poll(own, patience).toEqual([]);
}, 240_000);
