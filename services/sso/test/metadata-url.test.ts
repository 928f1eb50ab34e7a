import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ssoRoutes as routes, tenantEvents } from '@portal/contracts';
import { base64, metadataXml } from '@portal/testing/saml-metadata';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  providerCertificate,
  type SsoHarness,
  startSsoHarness,
  type TestPartner,
  trying,
} from './sso-harness.ts';

let harness: SsoHarness;
let provider: Server;
let metadataUrl: string;
/** What the provider answers, and how often it was asked. */
let answer: { status: number; body: string };
let asked: number;
/** What the provider waits for. */
let held: Promise<void>;
let next: string;

beforeAll(async () => {
  harness = await startSsoHarness();
  next = await providerCertificate();
  provider = createServer((_, reply) => {
    asked += 1;
    void held.then(() => reply.writeHead(answer.status).end(answer.body));
  });
  await new Promise<void>((done) => provider.listen(0, '127.0.0.1', done));
  metadataUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/metadata`;
});
beforeEach(() => {
  answer = { status: 200, body: metadataXml() };
  asked = 0;
  held = Promise.resolve();
});
afterAll(async () => {
  provider.close();
  await harness.stop();
});

const attempt = trying(() => harness);
const create = async ({ admin, pid }: TestPartner, body: Record<string, unknown>) =>
  attempt(routes.createSso, { params: { pid }, body }, admin);
const update = async ({ admin, pid }: TestPartner, body: Record<string, unknown>) =>
  attempt(routes.updateSso, { params: { pid }, body }, admin);
const detail = async ({ admin, pid }: TestPartner) =>
  (await harness.call(routes.getSso, { params: { pid } }, admin)).body;
const day = 24 * 3_600_000;
const textOf = ({ metadata }: { readonly metadata: string | null }) =>
  Buffer.from(metadata ?? '', 'base64').toString();

describe('When the metadata is at an address', () => {
  test('then it is fetched when it is saved, and goes before what is given', async () => {
    const own = await harness.partner();
    const given = base64(metadataXml({ entityId: 'https://other.example.com' }));
    expect(await create(own, { metadataUrl, metadata: given })).toEqual([201]);
    const setting = await detail(own);
    expect(textOf(setting)).toBe(answer.body);
    expect(setting).toMatchObject({ metadataUrl, metadataFetchedAt: '2026-11-21T09:00:00Z' });
    expect(asked).toBe(1);
    // What says nothing of it fetches nothing.
    expect(await update(own, { ssoOnly: true })).toEqual([200]);
    expect(asked).toBe(1);
  });

  test.each([
    [404, ''],
    [200, 'no metadata'],
    [200, '<!DOCTYPE a><a/>'],
    [302, ''],
  ])('and it answers %d %j, then it is E40002 on the address', async (status, body) => {
    answer = { status, body };
    expect(await create(await harness.partner(), { metadataUrl })).toEqual([400, 'E40002', 'metadata_url']);
  });

  test.each([
    'https://10.0.0.1/metadata',
    'https://[::ffff:10.0.0.1]/metadata',
    'http://idp.example.com/metadata',
  ])('which is %s, then it is E40002 on the address', async (url) => {
    expect(await create(await harness.partner(), { metadataUrl: url })).toEqual([
      400,
      'E40002',
      'metadata_url',
    ]);
  });

  test('outside of a demo, then this machine is not asked', async () => {
    const real = await startSsoHarness({ env: { DEMO: '0' } });
    try {
      const { admin, pid } = await real.partner();
      const body = { metadataUrl };
      expect(await trying(() => real)(routes.createSso, { params: { pid }, body }, admin)).toEqual([
        400,
        'E40002',
        'metadata_url',
      ]);
      expect(asked).toBe(0);
    } finally {
      await real.stop();
    }
  });

  test('and a setting is there already, then it is refused before anything is fetched', async () => {
    const own = await harness.partner();
    await create(own, { metadata: base64(metadataXml()) });
    expect(await create(own, { metadataUrl })).toEqual([400, 'E40032']);
    expect(asked).toBe(0);
  });

  test.each(['create', 'update'] as const)(
    'and the code of the partner changes while it is fetched to %s a setting, then the entity id has the new code',
    async (how) => {
      const own = await harness.partner();
      if (how === 'update') await create(own, { metadata: base64(metadataXml()) });
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      const saving = how === 'update' ? update(own, { metadataUrl }) : create(own, { metadataUrl });
      await expect.poll(() => asked).toBe(1);
      const data = {
        ...tenantEvents.partnerState.parse(tenantEvents.partnerCreated.example),
        partnerId: own.pid,
        partnerCode: `New${own.pid}`,
        revision: 2,
      };
      await harness.deliver(tenantEvents.partnerUpdated, { subject: own.pid, partnerId: own.pid, data });
      resolve();
      expect(await saving).toEqual([how === 'update' ? 200 : 201]);
      expect((await detail(own)).entityId).toBe(
        `https://portal.example.com/v1/user/login/sso/metadata/New${own.pid}`,
      );
    },
  );

  test('which goes, then metadata is required in its place', async () => {
    const own = await harness.partner();
    await create(own, { metadataUrl });
    expect(await update(own, { metadataUrl: '' })).toEqual([400, 'E40003', 'metadata']);
    const metadata = base64(metadataXml());
    expect(await update(own, { metadataUrl: null, metadata })).toEqual([200]);
    expect(await detail(own)).toMatchObject({ metadata, metadataUrl: null, metadataFetchedAt: null });
  });
});

describe('When a day has passed', () => {
  test('then it is fetched again: both certificates of a provider that changes over are known, then the new one', async () => {
    const own = await harness.partner();
    await create(own, { metadataUrl });
    await harness.runJobs();
    expect(asked).toBe(1);
    const known = async () =>
      (
        await harness.sql<{ provider: { certificates: string[] } }>(
          'SELECT provider FROM settings WHERE partner_id = $1',
          own.pid,
        )
      )[0]?.provider.certificates.length;
    const { providerCertificate: old } = await import('@portal/testing/saml-metadata');
    answer.body = metadataXml({ certificates: [old, next] });
    harness.clock.advance(day);
    await harness.runJobs();
    expect(await known()).toBe(2);
    answer.body = metadataXml({ certificates: [next] });
    harness.clock.advance(day);
    await harness.runJobs();
    expect(await known()).toBe(1);
    expect((await detail(own)).certificateExpiresAt).toBe('2027-11-21T00:00:00Z');
  });

  test.each([
    [500, ''],
    [200, '<a/>'],
  ])(
    'and it answers %d %j, then the last good one stays, an admin reads of it, and it is tried again',
    async (status, body) => {
      const own = await harness.partner();
      await create(own, { metadataUrl });
      const before = await detail(own);
      answer = { status, body };
      harness.clock.advance(day);
      await harness.runJobs();
      expect(await detail(own)).toEqual({
        ...before,
        lastError: { at: expect.any(String), reason: 'metadataNotFetched' },
      });
      const tries = asked;
      await harness.runJobs();
      expect(asked).toBe(tries);
      answer = { status: 200, body: metadataXml({ certificates: [next] }) };
      harness.clock.advance(3_600_000);
      await harness.runJobs();
      expect(textOf(await detail(own))).toBe(answer.body);
    },
  );
});
