import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileEvents } from '@portal/contracts';
import { createLogger } from '@portal/kernel';
import type { EventEnvelope } from '@portal/messaging';
import { createKafkaEventBus, type KafkaEventBus } from '@portal/messaging/kafka';
import { demoPassword, send, signIn, signInAdmin } from '@portal/testing/http-client';
import { makeLicenceTiers, untilTiersAgree } from '@portal/testing/licence-tiers';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type DistributedHost, startDistributedHost } from './host.ts';
import { loggedGroups } from './load.ts';

/** Two processes of each service, behind a gateway each, on the same engines: they share the work. */

let host: DistributedHost;
let first: { url: string };
let second: { url: string };
let bus: KafkaEventBus;
/** What the file service tells everybody. */
const published: EventEnvelope[] = [];
beforeAll(async () => {
  host = await startDistributedHost({
    sets: 2,
    env: { RATE_LIMIT: 'on', TRUSTED_PROXIES: '127.0.0.1' },
  });
  const [one, two] = host.sets;
  if (!one || !two) throw new Error('There are not two sets');
  [first, second] = [one, two];
  bus = createKafkaEventBus({
    brokers: host.brokers,
    service: 'test',
    logger: createLogger({ level: 'silent' }),
  });
  await bus.subscribe({
    group: 'test',
    topics: [fileEvents.fileDelivered.topic],
    onBatch: async (envelopes) => void published.push(...envelopes),
  });
});
afterAll(async () => {
  await bus?.close();
  await host?.remove();
});

const files = '/v2/partner/partners/1/files';
const groups = '/v1/partner/partners/1/groups';

test('When both make changes, then every event takes effect once', async () => {
  const token = await signIn(first, '1000', 'partner@example.com');
  const made = await Promise.all(
    Array.from({ length: 60 }, async (_, n) => {
      const { body, status } = await send(n % 2 ? first : second, 'POST', groups, {
        token,
        body: { name: `Shared ${n}` },
      });
      expect(status).toBe(201);
      return Number(body['id']);
    }),
  );
  const copies = async () =>
    (await host.query<{ id: number }>('file', 'SELECT group_id AS id FROM groups')).map(({ id }) => id);
  await expect.poll(copies, { timeout: 30_000 }).toEqual(expect.arrayContaining(made));
  const entries = async () => (await loggedGroups(host)).filter(({ id }) => made.includes(id));
  await expect.poll(async () => (await entries()).length, { timeout: 30_000 }).toBe(made.length);
  expect((await entries()).filter(({ times }) => times !== 1)).toEqual([]);
});

test('When both want the last licences, then no more are given than there are', async () => {
  const [partner] = await host.query<{ licences: number }>(
    'user',
    'SELECT license_count AS licences FROM partners WHERE partner_id = 3',
  );
  const licences = partner?.licences ?? 0;
  expect(licences).toBeGreaterThan(0);
  const token = await signIn(first, '3000', 'entry@example.com');
  const replies = await Promise.all(
    Array.from({ length: licences + 10 }, (_, n) =>
      send(n % 2 ? first : second, 'POST', '/v1/partner/partners/3/users', {
        token,
        body: { name: `Racer ${n}`, login_user_id: `racer${n}`, password: 'Passw0rd-demo', role: 0 },
      }),
    ),
  );
  const outcomes = replies.map(({ body, status }) => (status === 201 ? 'given' : String(body['code'])));
  expect(Map.groupBy(outcomes, (outcome) => outcome)).toEqual(
    new Map([
      ['given', Array(licences).fill('given')],
      ['E40008', Array(10).fill('E40008')],
    ]),
  );
});

test('When an upload is begun at one, then it is finished at the other', async () => {
  const token = await signIn(first, '1000', 'partner@example.com');
  const content = randomBytes(6 * 1024 * 1024);
  const created = await send(first, 'POST', files, {
    token,
    body: { name: 'Handed over', file_name: 'handed-over.uap', file_size: content.length },
  });
  expect(created.status).toBe(201);
  const upload = `/v1/uploads/${String(created.body['uploadId'])}`;
  // A signed address names the public origin; either gateway serves it.
  const address = new URL(String(created.body['signedUrl']));
  const put = await fetch(`${second.url}${address.pathname}${address.search}`, {
    method: 'PUT',
    body: new Uint8Array(content),
  });
  expect(put.status, await put.text()).toBe(200);
  expect((await send(second, 'POST', `${upload}/complete`, { token, body: {} })).status).toBe(200);
  const detail = async () =>
    (await send(first, 'GET', `${files}/${String(created.body['id'])}`, { token })).body['sha256'];
  await expect.poll(detail, { timeout: 15_000 }).toBe(createHash('sha256').update(content).digest('hex'));
});

test('When somebody signs out at one, then both refuse the token at once', async () => {
  const token = await signInAdmin(first);
  const status = async (portal: { url: string }) =>
    (await send(portal, 'GET', '/v1/admin/outsourcing/units', { token })).status;
  expect([await status(first), await status(second)]).toEqual([200, 200]);
  expect((await send(first, 'POST', '/v1/admin/logout', { token })).status).toBeLessThan(300);
  // The message needs its moment on the wire, also to the other services of the same set; the reading every five
  // seconds would take longer.
  for (const portal of [first, second]) {
    await expect.poll(() => status(portal), { timeout: 1_000, interval: 20 }).toBe(401);
  }
});

test('When the role of an administrator changes at one, then both go by it in tokens that are out', async () => {
  const root = await signInAdmin(first);
  const body = { name: 'Mover', email: 'mover@example.com', password: 'Another-passw0rd', role: 127 };
  const made = await send(first, 'POST', '/v1/admin/admins', { token: root, body });
  expect(made.status).toBe(201);
  const token = await signInAdmin(second, body.email, body.password);
  const path = `/v1/admin/admins/${Number(made.body['id'])}`;
  // Of three services: what they answer, one call each.
  const statuses = async (portal: { url: string }) =>
    Promise.all(
      ['/v1/admin/admins', '/v1/admin/operation_logs', '/v1/admin/partners/1/admins'].map(
        async (url) => (await send(portal, 'GET', url, { token })).status,
      ),
    );
  for (const [role, wanted] of [
    [127, [200, 200, 200]],
    [31, [403, 200, 200]],
    [1, [403, 403, 403]],
    [127, [200, 200, 200]],
  ] as const) {
    expect((await send(first, 'PUT', path, { token: root, body: { role } })).status).toBe(200);
    for (const portal of [first, second]) {
      await expect.poll(() => statuses(portal), { timeout: 1_000, interval: 20 }).toEqual(wanted);
    }
  }
  expect((await send(first, 'DELETE', path, { token: root })).status).toBe(200);
  for (const portal of [first, second]) {
    await expect.poll(() => statuses(portal), { timeout: 1_000, interval: 20 }).toEqual([401, 401, 401]);
  }
});

describe('When the operator changes a company at one, then both go by it in tokens that are out', () => {
  const entry = 3;
  let root: string;
  beforeAll(async () => {
    root = await signInAdmin(first);
  });

  const change = async (partnerId: number, body: object) => {
    const reply = await send(first, 'PUT', `/v1/admin/partners/${partnerId}`, { token: root, body });
    expect([reply.status, reply.body]).toEqual([200, {}]);
  };
  /** At either gateway, as soon as the event is there. */
  async function becomes(token: string, [method, path]: readonly [string, string], outcome: string) {
    for (const portal of [first, second]) {
      const told = async () => {
        const { body, status } = await send(portal, method, path, { token });
        return status < 300 ? 'done' : String(body['code']);
      };
      await expect.poll(told, { timeout: 5_000, interval: 20 }).toBe(outcome);
    }
  }

  test('the rank', async () => {
    const token = await signIn(second, '1000', 'taro', 'ranked');
    const statement = ['GET', '/v1/user/token'] as const;
    await becomes(token, statement, 'done');
    await change(1, { contract_rank: 'standard' });
    await becomes(token, statement, 'E40304');
    await change(1, { contract_rank: 'enterprise' });
    await becomes(token, statement, 'done');
  });

  test('the end of the licence', async () => {
    const token = await signIn(second, '3000', 'entry@example.com');
    const list = ['GET', `/v1/partner/partners/${entry}/users`] as const;
    await change(entry, { license_expired_on: '2026-01-01T00:00:00Z' });
    await becomes(token, list, 'E40302');
    await change(entry, { license_expired_on: null });
    await becomes(token, list, 'done');
  });

  test('a flag', async () => {
    const token = await signIn(second, '1000', 'partner@example.com');
    const logs = ['POST', '/v1/partner/partners/1/operation_logs/csv/batches'] as const;
    await change(1, { operation_log_download_flag: false });
    await becomes(token, logs, 'E40301');
    await change(1, { operation_log_download_flag: true });
    await becomes(token, logs, 'done');
  });

  test('the unit, by the administrators of both', async () => {
    const [before, after] = [
      await signInAdmin(second, 'unit@example.com'),
      await signInAdmin(second, 'other-unit@example.com'),
    ];
    // Each of the services that keep which unit a company is of.
    const seen = ['GET', `/v1/admin/partners/${entry}`] as const;
    const admins = ['GET', `/v1/admin/partners/${entry}/admins`] as const;
    const { body } = await send(first, 'GET', '/v1/admin/partners/2', { token: root });
    await change(entry, { unit_id: body['unitId'] });
    for (const call of [seen, admins]) {
      await becomes(after, call, 'done');
      await becomes(before, call, 'E40305');
    }
  });

  test('its deletion', async () => {
    const made = await send(first, 'POST', '/v1/admin/partners', {
      token: root,
      body: {
        name: 'Short-lived',
        partner_code: 'short',
        unit_id: 1,
        contract_rank: 'entry',
        license_count: 1,
      },
    });
    const id = Number(made.body['id']);
    const path = `/v1/admin/partners/${id}`;
    const body = { name: 'Admin', email: 'short@example.com', password: demoPassword };
    const admin = async () => (await send(first, 'POST', `${path}/admins`, { token: root, body })).status;
    await expect.poll(admin, { timeout: 10_000 }).toBe(201);
    const token = await signIn(second, 'short', body.email);
    const calls = [
      ['GET', `/v1/partner/partners/${id}/users`],
      ['GET', `/v1/partner/partners/${id}/files`],
      ['GET', `/v1/partner/partners/${id}/summary`],
      ['GET', '/v1/token/validate'],
      ['GET', '/v2/oauth2/token'],
    ] as const;
    for (const call of calls) await becomes(token, call, 'done');
    expect((await send(first, 'DELETE', path, { token: root })).status).toBe(200);
    for (const call of calls) await becomes(token, call, 'E40102');
  });
});

test('When one signs tokens, then the other knows the key', async () => {
  const [one, two] = await Promise.all([signInAdmin(first), signInAdmin(second)]);
  for (const token of [one, two])
    for (const portal of [first, second])
      expect((await send(portal, 'GET', '/v1/admin/outsourcing/units', { token })).status).toBe(200);
  const keys = await host.query('identity', 'SELECT 1 FROM signing_keys');
  expect(keys).toHaveLength(1);
});

test('When a delivery falls due, then it is announced once', async () => {
  const token = await signIn(first, '1000', 'partner@example.com');
  const at = new Date(Date.now() + 4_000).toISOString().replace(/\.\d+Z$/, 'Z');
  const created = await send(first, 'POST', files, {
    token,
    body: { name: 'Due', file_name: 'due.uap', file_size: 4, deliver_reservation_at: at },
  });
  expect(created.body).toMatchObject({ id: expect.any(Number) });
  await fetch(String(created.body['signedUrl']), { method: 'PUT', body: 'due!' });
  await send(first, 'POST', `/v1/uploads/${String(created.body['uploadId'])}/complete`, { token, body: {} });
  await send(first, 'PUT', `/v1/partner/partners/1/files/${String(created.body['id'])}/groups`, {
    token,
    body: { group_ids: [0] },
  });
  const announced = () =>
    published.filter(
      ({ subject, type }) => type === fileEvents.fileDelivered.type && subject === String(created.body['id']),
    );
  await expect.poll(() => announced().length, { timeout: 20_000 }).toBeGreaterThan(0);
  await sleep(3_000);
  expect(new Set(announced().map(({ id }) => id)).size).toBe(1);
});

test('When somebody guesses with one gateway, then they have guessed with the other', async () => {
  const guess = async (portal: { url: string }) =>
    (
      await send(portal, 'GET', '/v1/password/reset/session?reset_token=guess', {
        headers: { 'x-forwarded-for': '192.0.2.1' },
      })
    ).status;
  for (let i = 0; i < 60; i += 1) expect(await guess(first)).toBe(200);
  expect(await guess(first)).toBe(429);
  // Fewer times than would be too often for the other alone.
  await expect.poll(async () => guess(second), { interval: 500, timeout: 20_000 }).toBe(429);
});

test('When both change all tiers of licences at once and one of each service is killed, then none passes another', {
  timeout: 240_000,
}, async () => {
  let calls = 0;
  const tiers = await makeLicenceTiers('shared', () => (calls++ % 2 === 0 ? first : second));
  const databases = { tenant: await host.connect('tenant'), user: await host.connect('user') };
  onTestFinished(async () => {
    await Promise.all([databases.tenant.end(), databases.user.end()]);
  });
  const passed: string[] = [];
  let looks = 0;
  const acting = new AbortController();
  const all = Promise.all([
    ...Array.from({ length: 8 }, async () => {
      // Calls to what was killed are broken off.
      while (!acting.signal.aborted) await tiers.act().catch(() => sleep(20));
    }),
    (async () => {
      while (!acting.signal.aborted) {
        passed.push(...(await tiers.look(databases)));
        looks += 1;
      }
    })(),
  ]);
  await sleep(3_000);
  for (const [set, name] of [
    [0, 'tenant'],
    [1, 'user'],
  ] as const) {
    const service = host.sets[set]?.services.get(name);
    await service?.kill();
    await sleep(2_000);
    await service?.start();
    await sleep(2_000);
  }
  acting.abort();
  await all;
  expect(passed).toEqual([]);
  expect(looks).toBeGreaterThan(20);
  const happened = ['create done', 'create refused', 'count done', 'count refused'];
  expect([...tiers.outcomes.keys()]).toEqual(expect.arrayContaining(happened));
  // The other instance gives up what the dead one asked for, and takes over what it was handling.
  await untilTiersAgree(databases, tiers, 90_000);
  expect(await tiers.look(databases)).toEqual([]);
});
