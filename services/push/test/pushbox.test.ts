import { randomBytes } from 'node:crypto';
import { pushRoutes, tenantEvents } from '@portal/contracts';
import { createAuthority, createServiceAccount } from '@portal/push-stand-in';
import { partnerActor, type ServiceHarness, startServiceHarness } from '@portal/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pushIdOf } from '../src/delivery/domain/push-id.ts';
import { pushService } from '../src/service.ts';
import { type DeliveryPartner, partnerOf } from './delivery-harness.ts';

let harness: ServiceHarness;
let partner: DeliveryPartner;
const key = randomBytes(32);
const patience = { timeout: 20_000, interval: 50 };
beforeAll(async () => {
  harness = await startServiceHarness(pushService, {
    env: { DEMO: '1', KEY_ENCRYPTION_KEY: key.toString('base64') },
  });
  const id = 1;
  await harness.deliver(tenantEvents.partnerCreated, {
    subject: id,
    partnerId: id,
    data: tenantEvents.partnerCreated.data.parse({
      ...tenantEvents.partnerCreated.example,
      partnerId: id,
      licenseExpiredOn: null,
    }),
  });
  const made = await harness.call(
    pushRoutes.createCertification,
    {
      params: { pid: id },
      body: {
        name: 'App',
        apiKey: JSON.stringify(await createServiceAccount('a-project')),
        certificationFileName: 'app.p12',
        // Of an authority that the stand-in does not know, as Apple's.
        ...(await (await createAuthority()).forApp('com.example.app')),
      },
    },
    partnerActor({ partnerId: id }),
  );
  partner = partnerOf(harness, { id, certificationId: made.body.id, key });
});
afterAll(async () => harness?.stop());

const pushbox = async (token?: string) =>
  (await harness.call(pushRoutes.devPushbox, { query: token === undefined ? {} : { token } })).body.pushes;
const sent = async (id: number) =>
  expect
    .poll(
      harness.afterJobs(async () => (await partner.state(id)).status),
      patience,
    )
    .toBe('success');

describe('When a demo has no providers', () => {
  test('then its own servers take pushes for both, and the pushbox shows them, newest first', async () => {
    const [android, ios] = await partner.people(2);
    if (!android || !ios) throw new Error('No devices');
    const first = await partner.notify({ title: null });
    await sent(first);
    harness.clock.advance(1_000);
    const second = await partner.notify({ title: '<b>News</b>', json: '{"a":"<i>"}' });
    await sent(second);
    expect(await pushbox(ios.token)).toEqual([
      {
        service: 'apns',
        token: ios.token,
        title: '<b>News</b>',
        message: 'Message',
        json: '{"a":"<i>"}',
        id: pushIdOf(second, ios.uuid),
        receivedAt: '2026-11-21T09:00:01Z',
      },
      {
        service: 'apns',
        token: ios.token,
        title: null,
        message: 'Message',
        json: null,
        id: pushIdOf(first, ios.uuid),
        receivedAt: '2026-11-21T09:00:00Z',
      },
    ]);
    expect(await pushbox(android.token)).toEqual([
      expect.objectContaining({ service: 'fcm', id: String(second) }),
      expect.objectContaining({ service: 'fcm', id: String(first) }),
    ]);
    expect(await pushbox()).toHaveLength(4);
    expect(await pushbox('nobody')).toEqual([]);
  });

  test('then a browser gets a page in which nothing of a push runs', async () => {
    const { body, headers, status } = await harness.raw({
      method: 'GET',
      url: '/dev/pushbox',
      headers: { accept: 'text/html,application/xhtml+xml' },
    });
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'unsafe-inline'/);
    expect(String(body)).toContain('<h2>&lt;b&gt;News&lt;/b&gt;</h2>');
    expect(String(body)).toContain('{&quot;a&quot;:&quot;&lt;i&gt;&quot;}');
    expect(String(body)).not.toMatch(/<b>|<i>/);
  });

  test('then it keeps no more than the latest thousand', async () => {
    await partner.people(1_100, { service: 'fcm' });
    await sent(await partner.notify());
    expect(await harness.sql('SELECT count(*)::int AS kept FROM pushbox_entries')).toEqual([{ kept: 1_000 }]);
    expect(await pushbox()).toHaveLength(100);
  });

  test('then what went to a tenant goes with it', async () => {
    const id = partner.id;
    await harness.deliver(tenantEvents.partnerDeleted, {
      subject: id,
      partnerId: id,
      data: { ...tenantEvents.partnerDeleted.example, partnerId: id },
    });
    await expect
      .poll(
        harness.afterJobs(async () => harness.sql('SELECT 1 FROM pushbox_entries')),
        patience,
      )
      .toEqual([]);
  });
});

describe('When it is no demo, or has providers', () => {
  test.each([
    { DEMO: '0' },
    { DEMO: '1', PUSH_FCM_URL: 'https://fcm.example.com' },
    { DEMO: '1', PUSH_APNS_URL: 'https://apns.example.com' },
  ])('then there is no pushbox: %j', async (env) => {
    const other = await startServiceHarness(pushService, { env });
    try {
      const reply = await other.raw({ method: 'GET', url: '/dev/pushbox' });
      expect([reply.status, reply.body.code]).toEqual([404, 'E40401']);
    } finally {
      await other.stop();
    }
  });
});

test.each([
  ['PUSH_FCM_URL', 'fcm', 'must be an https address'],
  ['PUSH_FCM_URL', 'http://fcm.example.com', 'must be an https address'],
  ['PUSH_APNS_URL', 'http://apns.example.com', 'must be an https address'],
  ['PUSH_CA_FILE', '/no/such/file', 'must be a file with certificates in PEM'],
  [
    'PUSH_CA_FILE',
    import.meta.filename.replace('pushbox.test.ts', 'push-harness.ts'),
    'must be a file with certificates in PEM',
  ],
])('The setting %s cannot be %j', (name, value, message) => {
  const settings = { KEY_ENCRYPTION_KEY: key.toString('base64'), [name]: value };
  expect(pushService.checkSettings(settings)).toEqual([`${name}: ${message}`]);
});
