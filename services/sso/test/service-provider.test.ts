import { X509Certificate } from 'node:crypto';
import { ssoRoutes as routes } from '@portal/contracts';
import { keyExchange } from '@portal/testing';
import { base64, metadataXml } from '@portal/testing/saml-metadata';
import { DOMParser } from '@xmldom/xmldom';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SsoHarness, startSsoHarness } from './sso-harness.ts';

let harness: SsoHarness;
beforeAll(async () => {
  harness = await startSsoHarness();
});
afterAll(async () => harness.stop());

const read = async (partnerCode: string) => {
  const { body, headers, status } = await harness.call(routes.serviceProviderMetadata, {
    query: { partnerCode },
  });
  return { status, text: String(body), type: String(headers['content-type']) };
};

test('The metadata tells the provider of the entity id, where it sends what, and the key of the tenant', async () => {
  const { admin, code, pid } = await harness.partner();
  const body = { metadata: base64(metadataXml()), entityIdSuffix: 'eu' };
  expect((await harness.call(routes.createSso, { params: { pid }, body }, admin)).status).toBe(201);
  const { status, text, type } = await read(code);
  expect([status, type]).toEqual([200, expect.stringContaining('application/samlmetadata+xml')]);
  const root = new DOMParser().parseFromString(text, 'text/xml').documentElement;
  expect(root.getAttribute('entityID')).toBe(
    `https://portal.example.com/v1/user/login/sso/metadata/${code}-eu`,
  );
  const all = (name: string) => Array.from(root.getElementsByTagName(name));
  expect(all('md:AssertionConsumerService').map((one) => one.getAttribute('Location'))).toEqual([
    'https://portal.example.com/v1/user/login/sso/acs',
  ]);
  expect(all('md:SingleLogoutService').map((one) => one.getAttribute('Location'))).toEqual(
    Array(2).fill('https://portal.example.com/v1/user/login/sso/slo'),
  );
  const [first, ...others] = all('ds:X509Certificate').map(({ textContent }) => textContent ?? '');
  expect(others).toEqual([first]);
  const certificate = new X509Certificate(Buffer.from(first ?? '', 'base64'));
  expect([certificate.subject, certificate.publicKey.asymmetricKeyDetails?.modulusLength]).toEqual([
    'CN=portal.example.com',
    2048,
  ]);
  expect(certificate.verify(certificate.publicKey)).toBe(true);
});

test('Before the first save it is there as well, with the key that stays', async () => {
  const { admin, code, pid } = await harness.partner();
  const replies = await Promise.all([read(code), read(code), read(code)]);
  expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
  await harness.call(routes.createSso, { params: { pid }, body: { metadata: base64(metadataXml()) } }, admin);
  expect((await read(code)).text).toBe(replies[0]?.text);
});

test('Who has no single sign-on has no metadata', async () => {
  const { code } = await harness.partner({ contractRank: 'entry' });
  expect((await read(code)).status).toBe(404);
  expect((await read('nobody')).status).toBe(404);
});

test('The private key stands sealed alone, and in no log', async () => {
  const lines: string[] = [];
  const logged = await startSsoHarness({ log: { write: (line) => lines.push(line) } });
  try {
    const { admin, pid } = await logged.partner();
    const body = { metadata: base64(metadataXml()) };
    await logged.call(routes.createSso, { params: { pid }, body }, admin);
    const [row] = await logged.sql<{ private_key: Buffer }>('SELECT private_key FROM service_provider_keys');
    expect(row?.private_key.toString('latin1')).not.toContain('PRIVATE KEY');
    expect(lines.join('')).not.toContain('PRIVATE KEY');
  } finally {
    await logged.stop();
  }
});

test('Keys that another encryption key has sealed are sealed with the first, so that it can go', async () => {
  const { env, former, present } = keyExchange();
  const lost = keyExchange().former;
  const lines: string[] = [];
  const changing = await startSsoHarness({ env, log: { write: (line) => lines.push(line) } });
  try {
    const insert = async (partnerId: number, cipher: typeof former) =>
      changing.sql(
        `INSERT INTO service_provider_keys (partner_id, certificate, private_key, created_at)
         VALUES ($1, 'certificate', $2, now())`,
        partnerId,
        cipher.seal(`key ${partnerId}`, `key of service provider ${partnerId}`),
      );
    const [many, unreadable] = [1_100, 5_000];
    for (let partnerId = 1; partnerId <= many; partnerId += 1) {
      await insert(partnerId, partnerId % 2 === 0 ? former : present);
    }
    await insert(unreadable, lost);
    await changing.runJobs();
    const rows = await changing.sql<{ partner_id: number; private_key: Buffer }>(
      'SELECT partner_id, private_key FROM service_provider_keys WHERE partner_id < $1',
      unreadable,
    );
    expect(rows).toHaveLength(many);
    for (const { partner_id: id, private_key: sealed } of rows) {
      expect(present.open(sealed, `key of service provider ${id}`)).toBe(`key ${id}`);
    }
    await changing.runJobs();
    const told = lines.flatMap((line) =>
      line.includes('first key of KEY') ? [JSON.parse(line) as object] : [],
    );
    expect(told.slice(-2)).toMatchObject([
      { resealed: many / 2, unreadable: 1 },
      { resealed: 0, unreadable: 1 },
    ]);
  } finally {
    await changing.stop();
  }
});
